package font_test

import (
	"math"
	"testing"

	"einvoice/formats/pdf/font"

	"github.com/go-fonts/dejavu/dejavusans"
	"github.com/go-fonts/liberation/liberationsansregular"
)

func parse(tb testing.TB, data []byte) *font.Font {
	tb.Helper()
	f, err := font.Parse(data)
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

// Liberation Sans has the widths of Helvetica, which are published.
func TestTrueType(t *testing.T) {
	f := parse(t, liberationsansregular.TTF)
	for name, c := range map[string]struct {
		r     rune
		width float64
	}{"A": {'A', 667}, "i": {'i', 222}, "space": {' ', 278}, "Euro": {'€', 556}, "adieresis": {'ä', 556}, "at": {'@', 1015}} {
		glyph, found := f.ByName(name)
		if !found || f.Cmap(3, 1).Glyph(int(c.r)) != glyph {
			t.Errorf("%s is glyph %d by its name, and %d by its character", name, glyph, f.Cmap(3, 1).Glyph(int(c.r)))
		}
		if got := f.Width(glyph); math.Abs(got-c.width) > 1 {
			t.Errorf("%s is %.1f wide, want %.0f", name, got, c.width)
		}
		if r, ok := font.Rune(name); !ok || r != c.r {
			t.Errorf("%s stands for %q", name, r)
		}
	}
	if f.Cmap(9, 9).Glyph('A') != font.NotDef || f.Width(-1) != 0 || f.Name(f.Glyphs) != "" {
		t.Error("something is found that the font does not have")
	}
}

func TestRune(t *testing.T) {
	for name, want := range map[string]rune{
		"uni20AC": '€', "u1F600": 0x1F600, "a20": '✔', "a1": '✁', "a35": '★', "alpha": 'α', "A.small": 'A', "Scaron": 'Š',
	} {
		if got, ok := font.Rune(name); !ok || got != want {
			t.Errorf("%s stands for %q, want %q", name, got, want)
		}
	}
	for _, name := range []string{"", ".notdef", "g42", "uniXYZW"} {
		if got, ok := font.Rune(name); ok {
			t.Errorf("%q stands for %q", name, got)
		}
	}
}

func TestEncoding(t *testing.T) {
	for _, c := range []struct {
		encoding string
		code     int
		want     string
	}{
		{"WinAnsiEncoding", 0x80, "Euro"}, {"WinAnsiEncoding", 0xA0, "space"}, {"StandardEncoding", 0x27, "quoteright"},
		{"MacRomanEncoding", 0x8A, "adieresis"}, {"Symbol", 0x61, "alpha"}, {"ZapfDingbats", 0x34, "a20"},
	} {
		e, found := font.Encoding(c.encoding)
		if !found || e[c.code] != c.want {
			t.Errorf("%s has %q at %#x, want %q", c.encoding, e[c.code], c.code, c.want)
		}
	}
	if _, found := font.Encoding("Klingon"); found {
		t.Error("an encoding is found that PDF does not have")
	}
}

// A subset has the outlines of the glyphs that are asked for, and of their components.
func TestSubset(t *testing.T) {
	f := parse(t, dejavusans.TTF)
	glyph := f.Cmap(3, 1).Glyph('ä')
	data, err := f.Subset([]int{glyph})
	if err != nil {
		t.Fatal(err)
	}
	if len(data) > len(dejavusans.TTF)/4 {
		t.Errorf("one glyph takes %d of %d bytes", len(data), len(dejavusans.TTF))
	}
	subset := parse(t, data)
	if subset.Glyphs <= glyph || subset.Glyphs > f.Glyphs || subset.Width(glyph) != f.Width(glyph) {
		t.Errorf("glyph %d of %d is %.0f wide", glyph, subset.Glyphs, subset.Width(glyph))
	}
}

func TestWithWidths(t *testing.T) {
	f := parse(t, liberationsansregular.TTF)
	data, err := f.WithWidths(map[int]float64{5: 123})
	if err != nil {
		t.Fatal(err)
	}
	g := parse(t, data)
	if math.Abs(g.Width(5)-123) > 0.5 || g.Width(6) != f.Width(6) || g.Glyphs != f.Glyphs {
		t.Errorf("glyphs are %.1f and %.1f wide", g.Width(5), g.Width(6))
	}
}

func FuzzParse(f *testing.F) {
	small, err := parse(f, liberationsansregular.TTF).Subset([]int{5})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(small)
	f.Add(type1Font())
	f.Add(cffFont())
	f.Fuzz(func(t *testing.T, data []byte) {
		parsed, err := font.Parse(data)
		if err != nil {
			return
		}
		for glyph := range parsed.Glyphs {
			if w := parsed.Width(glyph); math.IsNaN(w) {
				t.Fatal("a width is not a number")
			}
		}
		if parsed.Kind == font.TrueType {
			_, _ = parsed.Subset([]int{1, 2}) // an error is allowed, a panic is not
			_, _ = parsed.WithWidths(map[int]float64{1: 2})
		}
	})
}
