package font_test

import (
	"testing"

	"einvoice/formats/pdf/font"
)

// A font that is built has its glyphs, and their widths.
func TestBuild(t *testing.T) {
	square := font.Outline{Advance: 600, Contours: [][]font.Point{{{X: 0, Y: 0, On: true}, {X: 0, Y: 500, On: true}, {X: 500, Y: 500, On: true}}}}
	data, err := font.Build(1000, []font.Outline{{Advance: 500}, square})
	if err != nil {
		t.Fatal(err)
	}
	f, err := font.Parse(data)
	if err != nil || f.Glyphs != 2 || f.Width(1) != 600 || f.Width(0) != 500 {
		t.Errorf("%v, %+v", err, f)
	}
	for _, c := range []struct {
		units  int
		glyphs []font.Outline
	}{{0, []font.Outline{square}}, {1000, nil}} {
		if _, err := font.Build(c.units, c.glyphs); err == nil {
			t.Error("a font without units, or without glyphs, is built")
		}
	}
}
