package font_test

import (
	"testing"

	"einvoice/formats/pdf/font"

	"github.com/go-fonts/dejavu/dejavusans"
	"github.com/go-fonts/liberation/liberationsansregular"
)

// A font without outlines has the glyphs and widths of the whole one for every character.
func TestWithoutOutlines(t *testing.T) {
	for name, data := range map[string][]byte{"Liberation Sans": liberationsansregular.TTF, "DejaVu Sans": dejavusans.TTF} {
		reduced, err := font.WithoutOutlines(data)
		if err != nil {
			t.Fatal(err)
		}
		if len(reduced) > len(data)/2 {
			t.Errorf("%s: %d bytes of %d are left", name, len(reduced), len(data))
		}
		whole, without := parse(t, data), parse(t, reduced)
		if without.Glyphs != whole.Glyphs || len(without.Cmaps) != len(whole.Cmaps) {
			t.Fatalf("%s: %d glyphs, %d tables of characters; want %d and %d", name, without.Glyphs, len(without.Cmaps), whole.Glyphs, len(whole.Cmaps))
		}
		for glyph := range whole.Glyphs {
			if without.Width(glyph) != whole.Width(glyph) {
				t.Errorf("%s: glyph %d is %v wide, want %v", name, glyph, without.Width(glyph), whole.Width(glyph))
			}
		}
		for i, table := range whole.Cmaps {
			for code, glyph := range table.Codes() {
				if got := without.Cmaps[i].Glyph(code); got != glyph {
					t.Fatalf("%s: character %U is glyph %d, want %d", name, code, got, glyph)
				}
			}
		}
	}
	if _, err := font.WithoutOutlines([]byte("%!PS")); err == nil {
		t.Error("what is not a font of TrueType has no error")
	}
}
