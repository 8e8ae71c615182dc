package font_test

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"einvoice/formats/pdf/font"

	"github.com/go-fonts/dejavu/dejavusans"
	"github.com/go-fonts/liberation/liberationsansregular"
	imagefont "golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

var fonts = map[string][]byte{"Liberation Sans": liberationsansregular.TTF, "DejaVu Sans": dejavusans.TTF}

// Glyphs and widths are those that another parser finds.
func TestGlyphsAndWidths(t *testing.T) {
	for name, data := range fonts {
		f, err := font.Parse(data)
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
			if got := unicodeTable(f).Glyph(int(r)); got != int(want) {
				t.Fatalf("%s: %U is glyph %d, want %d", name, r, got, want)
			}
			if want == 0 {
				continue
			}
			found++
			advance, err := other.GlyphAdvance(&buffer, want, em, imagefont.HintingNone)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := f.Width(int(want)), float64(advance)*1000/float64(em); math.Abs(got-want) > 1e-9 {
				t.Fatalf("%s: %U has width %v, want %v", name, r, got, want)
			}
		}
		if found < 2000 {
			t.Errorf("%s has only %d characters", name, found)
		}
	}
}

// unicodeTable is the table of Unicode characters of a font, all of them or the first
// 65,536.
func unicodeTable(f *font.Font) *font.Cmap {
	if all := f.Cmap(3, 10); all != nil {
		return all
	}
	return f.Cmap(3, 1)
}

// A subset has the same outlines, those of composite glyphs too.
func TestSubsetOutlines(t *testing.T) {
	for name, data := range fonts {
		f, err := font.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		whole, _ := sfnt.Parse(data)
		glyphs := []int{font.NotDef}
		for _, r := range "AÄéčżΩЖ Aﬁ" {
			glyphs = append(glyphs, unicodeTable(f).Glyph(int(r)))
		}
		subset, err := f.Subset(glyphs)
		if err != nil {
			t.Fatal(err)
		}
		part, err := sfnt.Parse(withRequiredTables(t, subset, data))
		if err != nil {
			t.Fatal(err)
		}
		var buffer sfnt.Buffer
		for _, g := range glyphs {
			want, err := whole.LoadGlyph(&buffer, sfnt.GlyphIndex(g), 1<<16, nil)
			if err != nil {
				t.Fatal(err)
			}
			expected := append(sfnt.Segments(nil), want...)
			got, err := part.LoadGlyph(&buffer, sfnt.GlyphIndex(g), 1<<16, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, expected) {
				t.Fatalf("%s: glyph %d has other outlines", name, g)
			}
		}
		if again, _ := f.Subset(glyphs); !bytes.Equal(again, subset) {
			t.Errorf("%s is different the second time", name)
		}
	}
}
