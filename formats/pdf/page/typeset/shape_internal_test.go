package typeset

import (
	"os"
	"slices"
	"strings"
	"testing"

	"einvoice/formats/pdf/font"
)

// Arabic letters join, Hebrew and Arabic run from right to left.
func TestShaping(t *testing.T) {
	u, st := NewFontUse(t.Context(), nil, nil, nil), &Style{Size: 10}
	for _, c := range []struct {
		text   string
		glyphs int
		first  string // the text of the glyph that is seen first, at the left
	}{
		{"שלום", 4, "ם"}, {"سلام", 3, "م"}, {"abc سلام", 7, "a"}, {"سلام 123", 7, "1"}, {"a שלום b", 8, "a"},
	} {
		glyphs, width := u.Shape(c.text, st, false)
		if len(glyphs) != c.glyphs || width <= 0 {
			t.Errorf("%s: %d glyphs, want %d", c.text, len(glyphs), c.glyphs)
			continue
		}
		if got := u.Used[glyphs[0].Face].Glyphs[glyphs[0].Code].Text; got != c.first {
			t.Errorf("%s: %q is seen first, want %q", c.text, got, c.first)
		}
	}
	if len(u.Missing) > 0 {
		t.Errorf("missing are %q", u.Missing)
	}
}

// A letter with more marks than the map from codes to characters can say is shown all the
// same.
func TestManyMarks(t *testing.T) {
	u, st := NewFontUse(t.Context(), nil, nil, nil), &Style{Size: 10}
	glyphs, _ := u.Shape("\u05d0"+strings.Repeat("\u05b0\u05bc", 300), st, false)
	for _, g := range glyphs {
		if text := u.Used[g.Face].Glyphs[g.Code].Text; text == "" || len([]rune(text)) > longestText {
			t.Fatalf("a glyph says %q", text)
		}
	}
	if len(glyphs) == 0 {
		t.Error("nothing is shown")
	}
}

// Latin, Greek, Cyrillic and what has no letters are not shaped; others are.
func TestNeedsShaping(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "Rapsöl, 5 € – „kaltgepresst“ …": false, "Ωμέγα Жук": false, "漢字かな": false, "\u2028": false, "→ ☑": false,
		"שלום": true, "a سلام": true, "हिन्दी": true, "ไทย": true, "\ufb20": true, "\ufefb": true,
	} {
		if got := NeedsShaping(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// A text that runs from right to left is broken into lines that fit, with all its letters.
func TestWrapShaped(t *testing.T) {
	u, st := NewFontUse(t.Context(), nil, nil, nil), &Style{Size: 10}
	for _, text := range []string{strings.Repeat("سلام عليكم ", 40), strings.Repeat("ש", 3000), strings.Repeat("שלום", 200) + " a"} {
		text = strings.TrimSpace(text)
		joined, lines := "", u.Wrap(text, st, 120)
		for _, l := range lines {
			line := text[l.From:l.To]
			if w := u.Width(line, st); w > 120.01 {
				t.Errorf("%.20s: a line is %.1f wide", text, w)
			}
			joined += line
		}
		if strings.ReplaceAll(joined, " ", "") != strings.ReplaceAll(text, " ", "") || len(lines) < 5 {
			t.Errorf("%.20s: letters are lost in %d lines", text, len(lines))
		}
	}
}

// Fonts of folders are asked for characters that the program's own do not have; one with
// cubic curves becomes TrueType.
func TestFurtherFonts(t *testing.T) {
	const folder = "/usr/share/fonts/opentype/noto"
	if _, err := os.Stat(folder); err != nil {
		t.Skip("skipped: there is no folder " + folder + ", so there is no font with Chinese characters to try")
	}
	u := NewFontUse(t.Context(), nil, nil, NewFonts(t.TempDir(), folder))
	g := u.glyphOf('漢', false)
	if g.char != '漢' || g.width != 1000 {
		t.Fatalf("the character is shown as %q, %g wide", g.char, g.width)
	}
	face := u.Faces[g.face]
	glyphs := []int{font.NotDef, face.Glyph('漢'), face.Glyph('字')}
	data, err := face.SubsetFor(glyphs, make([]byte, 6))
	if err != nil {
		t.Fatal(err)
	}
	built, err := font.Parse(data)
	if err != nil || built.Kind != font.TrueType || built.Glyphs != 3 || built.Width(1) != 1000 {
		t.Errorf("the font that was built: %v, %+v", err, built)
	}
	if len(data) > 20_000 {
		t.Errorf("two characters take %d bytes", len(data))
	}
	if u.glyphOf('\U0010FFFD', false).char != replacement {
		t.Error("a character that has no meaning is shown")
	}
}

// A letter of Thai is not parted from its marks and vowels, nor one of Hindi from its signs,
// whatever the width of a line.
func TestLettersStayWhole(t *testing.T) {
	for text, want := range map[string][]string{
		"เครื่องจักร": {"เค", "รื่", "อ", "ง", "จั", "ก", "ร"},
		"น้ำมะพร้าว":  {"น้ำ", "มะ", "พ", "ร้า", "ว"},
		"हिन्दी":      {"हि", "न्दी"},
		"שָׁלוֹם":     {"שָׁ", "ל", "וֹ", "ם"},
	} {
		at := 0
		var got []string
		for _, end := range letterEnds(text) {
			got = append(got, text[at:end])
			at = end
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{strings.Repeat("เ", 5000), "ก" + strings.Repeat("า", 5000), "ก" + strings.Repeat("\u0e48", 9000), "\xff\xfe"} {
		ends := letterEnds(text)
		if len(ends) == 0 || ends[0] == 0 || ends[len(ends)-1] > len(text) || len(ends) > longestWord {
			t.Errorf("%.9q: %d ends", text, len(ends))
		}
	}
}
