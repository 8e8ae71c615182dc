package picture_test

import (
	"image"
	"image/color"
	"testing"

	"einvoice/formats/parse/picture"
)

// shaded is a page with black strokes whose paper is darker to the right.
func shaded(darkest int) *image.Gray {
	grey := image.NewGray(image.Rect(0, 0, 640, 480))
	for y := range 480 {
		for x := range 640 {
			paper := 240 - (240-darkest)*x/639
			if x%40 < 4 && y%40 < 20 {
				paper /= 5
			}
			grey.SetGray(x, y, color.Gray{Y: uint8(paper)})
		}
	}
	return grey
}

func TestEvenLight(t *testing.T) {
	dark := shaded(90)
	if !picture.EvenLight(dark) {
		t.Fatal("a shadow is not evened out")
	}
	for _, x := range []int{25, 300, 620} {
		if paper, ink := dark.GrayAt(x, 30).Y, dark.GrayAt(x/40*40+1, 5).Y; paper < 225 || ink > 90 {
			t.Errorf("at %d the paper is %d and the ink %d", x, paper, ink)
		}
	}
	even := shaded(220)
	if before := even.GrayAt(620, 30).Y; picture.EvenLight(even) || even.GrayAt(620, 30).Y != before {
		t.Error("an even page is changed")
	}
	if picture.EvenLight(image.NewGray(image.Rect(0, 0, 10, 10))) {
		t.Error("a tiny picture is changed")
	}
}
