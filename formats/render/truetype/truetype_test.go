package truetype_test

import (
	"bytes"
	"testing"

	"github.com/go-fonts/dejavu/dejavusans"
	"github.com/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"einvoice/formats/render/truetype"
)

var fonts = map[string][]byte{"Liberation Sans": liberationsansregular.TTF, "DejaVu Sans": dejavusans.TTF}

// What is parsed is held against another parser.
func TestGlyphsAndWidths(t *testing.T) {
	for name, data := range fonts {
		f, err := truetype.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		other, err := sfnt.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		var buffer sfnt.Buffer
		em := fixed.Int26_6(other.UnitsPerEm())
		found := 0
		for r := rune(0x20); r < 0x20000; r++ {
			want, err := other.GlyphIndex(&buffer, r)
			if err != nil {
				t.Fatal(err)
			}
			if got := f.Glyph(r); got != uint16(want) {
				t.Fatalf("%s: %U is glyph %d, want %d", name, r, got, want)
			}
			if want == 0 {
				continue
			}
			found++
			advance, err := other.GlyphAdvance(&buffer, want, em, font.HintingNone)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := f.Width(uint16(want)), float64(advance)*1000/float64(em); got != want {
				t.Fatalf("%s: %U has width %v, want %v", name, r, got, want)
			}
		}
		if found < 2000 {
			t.Errorf("%s has only %d characters", name, found)
		}
	}
}

// A cut font draws the same outlines, those of composed glyphs too.
func TestSubset(t *testing.T) {
	for name, data := range fonts {
		f, err := truetype.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		whole, _ := sfnt.Parse(data)
		glyphs := []uint16{0}
		for _, r := range "AÄéčżΩЖ Aﬁ" {
			glyphs = append(glyphs, f.Glyph(r))
		}
		cut := f.Subset(glyphs)
		if len(cut) > len(data)/5 {
			t.Errorf("%s: the cut font has %d bytes of %d", name, len(cut), len(data))
		}
		part, err := sfnt.Parse(withCharacters(t, cut, data))
		if err != nil {
			t.Fatal(err)
		}
		var buffer sfnt.Buffer
		for i, g := range glyphs {
			want, err := whole.LoadGlyph(&buffer, sfnt.GlyphIndex(g), 1<<16, nil)
			if err != nil {
				t.Fatal(err)
			}
			expected := append(sfnt.Segments(nil), want...)
			got, err := part.LoadGlyph(&buffer, sfnt.GlyphIndex(i), 1<<16, nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(got) != len(expected) {
				t.Fatalf("%s: glyph %d has %d segments, want %d", name, g, len(got), len(expected))
			}
			for j := range got {
				if got[j] != expected[j] {
					t.Fatalf("%s: glyph %d differs in segment %d", name, g, j)
				}
			}
		}
		if again := f.Subset(glyphs); !bytes.Equal(again, cut) {
			t.Errorf("%s is cut differently the second time", name)
		}
	}
}

func TestDamagedFonts(t *testing.T) {
	data := liberationsansregular.TTF
	for _, length := range []int{0, 3, 11, 40, 300, 5000, len(data) / 2, len(data) - 5000} {
		if _, err := truetype.Parse(data[:length]); err == nil {
			t.Errorf("a font cut off at %d is taken", length)
		}
	}
}
