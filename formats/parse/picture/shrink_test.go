package picture_test

import (
	"image"
	"testing"

	"einvoice/formats/parse/picture"
)

// A smaller picture has the means of the pixels, a larger one what is between them.
func TestShrinkAndEnlarge(t *testing.T) {
	grey := image.NewGray(image.Rect(0, 0, 40, 20))
	for i := range grey.Pix {
		grey.Pix[i] = byte(200 * (i % 2)) // stripes, 0 and 200
	}
	small := picture.Shrink(grey, 20)
	if small.Rect.Dx() != 20 || small.Rect.Dy() != 10 || small.GrayAt(7, 5).Y != 100 {
		t.Errorf("the small one is %v with %d", small.Rect, small.GrayAt(7, 5).Y)
	}
	if picture.Shrink(small, 20) != small {
		t.Error("what is small enough is drawn anew")
	}
	large := picture.Enlarge(grey, 80, 40)
	for x, want := range map[int]byte{20: 50, 21: 50, 22: 150} { // a quarter of the way from one pixel to the next
		if got := large.GrayAt(x, 20).Y; got != want && got != 200-want {
			t.Errorf("at %d is %d, want %d", x, got, want)
		}
	}
	if large.GrayAt(0, 0).Y != 0 || large.GrayAt(79, 39).Y != 200 {
		t.Error("the edges change")
	}
}
