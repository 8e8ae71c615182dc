package text

import (
	"strings"

	"einvoice/formats/pdf/font"

	corefont "github.com/pdfcpu/pdfcpu/pkg/font"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// A textFont turns the strings of a PDF into text, and knows how wide they are.
type textFont struct {
	name     string
	embedded bool
	bytes    int // that a code has
	unicode  *cmap
	direct   bool        // codes are UTF-16
	encoding [256]string // of simple fonts
	widths   map[int]float64
	standard float64 // the width of what has none
	scale    float64 // of widths: of a size of 1
}

// font is that of a name in the resources.
func (r *reader) font(o object) (*textFont, error) {
	number := 0
	if ref, ok := o.(types.IndirectRef); ok {
		number = ref.ObjectNumber.Value()
		if f := r.fonts[number]; f != nil {
			return f, nil
		}
	}
	d, err := r.dict(o)
	if err != nil {
		return nil, err
	}
	f := &textFont{bytes: 1, widths: map[int]float64{}, standard: 500, scale: 0.001}
	if number != 0 { // also if it fails: it would fail again
		r.fonts[number] = f
	}
	if f.name, err = r.name(d["BaseFont"]); err != nil {
		return nil, err
	}
	kind, err := r.name(d["Subtype"])
	if err == nil && d["ToUnicode"] != nil {
		var data []byte
		if data, err = r.stream(d["ToUnicode"]); data != nil {
			f.unicode = parseCMap(data)
		}
	}
	if err != nil {
		return nil, err
	}
	if kind == "Type0" {
		return f, r.composite(f, d)
	}
	return f, r.simple(f, d, kind)
}

func (r *reader) composite(f *textFont, d types.Dict) error {
	f.bytes, f.standard = 2, 1000
	encoding, err := r.at(d["Encoding"])
	if err != nil {
		return err
	}
	if name, ok := encoding.(types.Name); ok {
		f.direct = strings.Contains(name.Value(), "UCS2") || strings.Contains(name.Value(), "UTF16")
	} else if _, ok := encoding.(types.StreamDict); ok {
		data, err := r.stream(d["Encoding"])
		if err != nil {
			return err
		}
		if m := parseCMap(data); len(m.widths) == 1 && m.widths[1] {
			f.bytes = 1
		}
	}
	descendants, err := r.array(d["DescendantFonts"])
	if err != nil || len(descendants) == 0 {
		return err
	}
	descendant, err := r.dict(descendants[0])
	if err != nil {
		return err
	}
	if f.embedded, err = r.hasProgram(descendant); err != nil {
		return err
	}
	if descendant["DW"] != nil {
		if f.standard, err = r.number(descendant["DW"]); err != nil {
			return err
		}
	}
	return r.compositeWidths(f, descendant["W"])
}

// compositeWidths reads the two forms of W: first [w w w], and first last w.
func (r *reader) compositeWidths(f *textFont, o object) error {
	w, err := r.array(o)
	for i := 0; i+1 < len(w) && err == nil && len(f.widths) < 1<<16; {
		var first, last, width float64
		if first, err = r.number(w[i]); err != nil {
			break
		}
		var second object
		if second, err = r.at(w[i+1]); err != nil {
			break
		}
		if _, list := second.(types.Array); list {
			var each []float64
			each, err = r.numbers(second)
			for j, width := range each {
				f.widths[int(first)+j] = width
			}
			i += 2
			continue
		}
		if i+2 >= len(w) {
			break
		}
		if last, err = r.number(second); err != nil {
			break
		}
		if width, err = r.number(w[i+2]); err != nil {
			break
		}
		for code := int(first); code <= min(int(last), int(first)+1<<16); code++ {
			f.widths[code] = width
		}
		i += 3
	}
	return err
}

func (r *reader) simple(f *textFont, d types.Dict, kind string) error {
	if err := r.simpleEncoding(f, d, kind); err != nil {
		return err
	}
	if kind == "Type3" {
		f.embedded = true
		m, err := r.numbers(d["FontMatrix"])
		if err != nil {
			return err
		}
		if len(m) == 6 && m[0] != 0 {
			f.scale = m[0]
		}
	} else {
		var err error
		if f.embedded, err = r.hasProgram(d); err != nil {
			return err
		}
	}
	first, err := r.number(d["FirstChar"])
	if err != nil {
		return err
	}
	widths, err := r.numbers(d["Widths"])
	for i, w := range widths[:min(len(widths), 256)] {
		f.widths[int(first)+i] = w
	}
	if widths == nil && corefont.IsCoreFont(f.name) {
		f.coreWidths()
	}
	return err
}

// coreWidths are those of the fonts that every PDF reader has.
func (f *textFont) coreWidths() {
	for code := range f.encoding {
		for _, c := range f.encoding[code] {
			if w, err := corefont.CharWidth(f.name, c); err == nil {
				f.widths[code] = float64(w)
			}
		}
	}
}

// simpleEncoding finds the characters of the 256 codes: by the names that the
// font's encoding, and its differences, give the glyphs.
func (r *reader) simpleEncoding(f *textFont, d types.Dict, kind string) error {
	encoding, err := r.at(d["Encoding"])
	if err != nil {
		return err
	}
	base, isName := "", false
	var differences types.Array
	switch e := encoding.(type) {
	case types.Name:
		base, isName = e.Value(), true
	case types.Dict:
		if base, err = r.name(e["BaseEncoding"]); err != nil {
			return err
		}
		if differences, err = r.array(e["Differences"]); err != nil {
			return err
		}
	}
	names, known := font.Encoding(base)
	if !known {
		names, err = r.builtIn(d, f.name, kind, isName)
		if err != nil {
			return err
		}
	}
	for code, name := range names {
		f.encoding[code] = textOf(name)
	}
	code := 0
	for _, o := range differences {
		o, err := r.at(o)
		if err != nil {
			return err
		}
		switch o := o.(type) {
		case types.Integer:
			code = o.Value()
		case types.Name:
			if code >= 0 && code < 256 {
				f.encoding[code] = textOf(o.Value())
			}
			code++
		}
	}
	return nil
}

// builtIn is the encoding of a font that states none: its own, if it has one that
// can be read, or the usual one.
func (r *reader) builtIn(d types.Dict, name, kind string, stated bool) (*[256]string, error) {
	for _, special := range []string{"Symbol", "ZapfDingbats"} {
		if names, ok := font.Encoding(special); ok && strings.HasSuffix(name, special) {
			return names, nil
		}
	}
	if !stated && kind != "TrueType" {
		descriptor, err := r.dict(d["FontDescriptor"])
		if err != nil {
			return nil, err
		}
		for _, key := range []string{"FontFile", "FontFile3"} {
			data, err := r.stream(descriptor[key])
			if err != nil {
				return nil, err
			}
			if program, err := font.Parse(data); data != nil && err == nil {
				var names [256]string
				for code := range names {
					names[code] = program.BuiltIn(code)
				}
				return &names, nil
			}
		}
		if names, ok := font.Encoding("StandardEncoding"); ok {
			return names, nil
		}
	}
	names, _ := font.Encoding("WinAnsiEncoding")
	return names, nil
}

// ligatures are glyphs that stand for several letters.
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

// hasProgram tells whether the font is embedded.
func (r *reader) hasProgram(d types.Dict) (bool, error) {
	descriptor, err := r.dict(d["FontDescriptor"])
	if err != nil {
		return false, err
	}
	for _, key := range []string{"FontFile", "FontFile2", "FontFile3"} {
		program, err := r.at(descriptor[key])
		if err != nil {
			return false, err
		}
		if _, ok := program.(types.StreamDict); ok {
			return true, nil
		}
	}
	return false, nil
}

// next takes the first code of a string apart: its text, its width for a size of
// 1, and how many bytes it has.
func (f *textFont) next(s []byte) (text string, width float64, space bool, n int) {
	n = min(f.bytes, len(s))
	code := codeOf(s[:n])
	width, ok := f.widths[code]
	if !ok {
		width = f.standard
	}
	return f.text(code), width * f.scale, n == 1 && code == ' ', n
}

func (f *textFont) text(code int) string {
	if f.unicode != nil {
		if s, ok := f.unicode.text(code); ok {
			return s
		}
	}
	switch {
	case f.direct:
		return string(rune(code))
	case f.bytes == 1 && code < 256:
		return f.encoding[code]
	}
	return ""
}
