package text

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"einvoice/formats/pdf/font"

	pdffont "github.com/pdfcpu/pdfcpu/pkg/font"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// simpleFont reads a font whose codes are single bytes.
func (r *reader) simpleFont(f *textFont, d types.Dict, kind string) {
	r.simpleEncoding(f, d, kind)
	if kind == "Type3" {
		f.embedded = true
		if m := r.numbers(d["FontMatrix"]); len(m) == 6 && m[0] != 0 {
			f.scale = m[0]
		}
	} else {
		f.embedded = r.hasFontProgram(d)
	}
	first := int(r.number(d["FirstChar"]))
	widths := r.Array(d["Widths"])
	for i, width := range widths[:min(len(widths), 256)] {
		f.widths[first+i] = r.number(width)
	}
	if len(widths) == 0 {
		f.standardWidths()
	}
}

// standardWidths are those of a font that every program has and that need not say them.
func (f *textFont) standardWidths() {
	if !pdffont.IsCoreFont(f.name) {
		return
	}
	for code, text := range f.characters {
		if first, _ := utf8.DecodeRuneInString(text); text != "" { // a ligature is about as wide as its first letter
			if width, err := pdffont.CharWidth(f.name, first); err == nil {
				f.widths[code] = float64(width)
			}
		}
	}
}

// simpleEncoding finds the characters of the 256 codes by the names of their glyphs.
func (r *reader) simpleEncoding(f *textFont, d types.Dict, kind string) {
	encoding := r.Encoding(d["Encoding"])
	names, known := font.Encoding(encoding.Base)
	if !known {
		names = r.builtInEncoding(d, f.name, kind, encoding.Named)
	}
	for code, name := range names {
		f.characters[code] = textOf(name)
	}
	bitmap := kind == "Type3" && isNumbered(encoding.Differences)
	for code, name := range encoding.Differences {
		switch {
		case code < 0 || code > 255:
		case bitmap && name != ".notdef":
			f.characters[code] = bitmapText(code)
		default:
			f.characters[code] = textOf(name)
		}
	}
}

// isNumbered reports whether all glyphs are named by their codes, as TeX does with the glyphs of
// its bitmap fonts ("a65"), which have no names of their own.
func isNumbered(differences map[int]string) bool {
	numbered := false
	for code, name := range differences {
		switch name {
		case "a" + strconv.Itoa(code):
			numbered = true
		case ".notdef":
		default:
			return false
		}
	}
	return numbered
}

// bitmapText is what a code of such a font shows: letters are those of ISO 8859-1 in TeX's
// encodings T1 and OT1, but for ligatures, dashes and the sharp s.
func bitmapText(code int) string {
	switch {
	case code >= 11 && code <= 15: // OT1
		return texLigatures[code-11]
	case code >= 27 && code <= 31: // T1
		return texLigatures[code-27]
	case code == 21:
		return "–"
	case code == 255: // in T1
		return "ß"
	case code > ' ' && code <= '~' || code >= 0xC0: // others differ between the encodings
		return string(rune(code))
	}
	return ""
}

var texLigatures = [...]string{"ff", "fi", "fl", "ffi", "ffl"}

// builtInEncoding is the encoding of a font that names none that is known: that of
// its font program if it can be read, or the usual one.
func (r *reader) builtInEncoding(d types.Dict, name, kind string, named bool) *[256]string {
	for _, special := range []string{"Symbol", "ZapfDingbats"} {
		if names, ok := font.Encoding(special); ok && strings.HasSuffix(name, special) {
			return names
		}
	}
	if !named && kind != "TrueType" {
		descriptor := r.Entries(d["FontDescriptor"])
		for _, key := range []string{"FontFile", "FontFile3"} {
			data := r.content(descriptor[key])
			if program, err := font.Parse(data); data != nil && err == nil {
				var names [256]string
				for code := range names {
					names[code] = program.BuiltIn(code)
				}
				return &names
			}
		}
		if names, ok := font.Encoding("StandardEncoding"); ok {
			return names
		}
	}
	names, _ := font.Encoding("WinAnsiEncoding")
	return names
}

// ligatures are the characters of glyphs that show several letters.
var ligatures = map[rune]string{'ﬀ': "ff", 'ﬁ': "fi", 'ﬂ': "fl", 'ﬃ': "ffi", 'ﬄ': "ffl"}

func textOf(glyph string) string {
	c, ok := font.Rune(glyph)
	if !ok {
		return ""
	}
	if letters, ok := ligatures[c]; ok {
		return letters
	}
	return string(c)
}
