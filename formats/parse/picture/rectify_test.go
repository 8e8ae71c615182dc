package picture_test

import (
	"image"
	"testing"

	"einvoice/formats/parse/picture"
)

// photographed is a sheet on a dark ground, darker to its right, whose edges lean by some
// pixels, with a black mark in its middle.
func photographed(lean int) *image.Gray {
	grey := image.NewGray(image.Rect(0, 0, 600, 800))
	for y := range 800 {
		for x := range 600 {
			shade := 1 - 0.4*float64(x)/600
			v := 80 * shade
			left, right := 60+lean*y/800, 540-lean*y/800
			if x >= left && x < right && y >= 50+lean*x/600 && y < 750 {
				v = 240 * shade
			}
			if dx, dy := max(x-300, 300-x), max(y-400, 400-y); dx < 12 && dy < 12 {
				v = 10
			}
			grey.Pix[y*grey.Stride+x] = byte(v)
		}
	}
	return grey
}

// A sheet that was photographed from aside fills the picture afterwards; others stay.
func TestRectify(t *testing.T) {
	got, did := picture.Rectify(photographed(40))
	if !did || got.Rect.Dx() < 420 || got.Rect.Dx() > 490 || got.Rect.Dy() < 650 || got.Rect.Dy() > 705 {
		t.Fatalf("got %v, %v", got.Rect, did)
	}
	dark := 0
	for _, p := range []image.Point{{6, 6}, {got.Rect.Dx() - 7, 6}, {6, got.Rect.Dy() - 7}, {got.Rect.Dx() - 7, got.Rect.Dy() - 7}} {
		if got.GrayAt(p.X, p.Y).Y < 120 {
			dark++
		}
	}
	if dark > 0 {
		t.Errorf("%d corners are not paper", dark)
	}
	marked := 0
	for y := got.Rect.Dy()/2 - 90; y < got.Rect.Dy()/2+90; y++ {
		for x := got.Rect.Dx()/2 - 90; x < got.Rect.Dx()/2+90; x++ {
			if got.GrayAt(x, y).Y < 50 {
				marked++
			}
		}
	}
	if marked < 450 || marked > 700 { // of 23 by 23 pixels
		t.Errorf("the mark near the middle has %d pixels", marked)
	}
	// The light may be so uneven that paper far from it is as dark as the ground near it.
	shady := photographed(40)
	for y := range 800 {
		for x := range 600 {
			at := y*shady.Stride + x
			shady.Pix[at] = byte(float64(shady.Pix[at]) * (1 - 0.55*float64(y)/800))
		}
	}
	if got, did := picture.Rectify(shady); !did || got.Rect.Dx() < 420 || got.Rect.Dx() > 490 || got.Rect.Dy() < 650 || got.Rect.Dy() > 705 {
		t.Errorf("with uneven light: got %v, %v", got.Rect, did)
	}
	for name, other := range map[string]*image.Gray{
		"upright": photographed(0), "small": corner(60, 40), "white to the edge": corner(600, 800), "empty": image.NewGray(image.Rect(0, 0, 400, 400)),
	} {
		if got, did := picture.Rectify(other); did || got != other {
			t.Errorf("%s: drawn anew", name)
		}
	}
}
