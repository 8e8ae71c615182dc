package text

import (
	"reflect"

	"einvoice/formats/pdf/cmap"
	"einvoice/formats/pdf/content"
	"einvoice/model/pattern"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// A textFont maps the codes of strings to text and widths.
type textFont struct {
	name         string
	bold         bool // by the name
	embedded     bool
	painted      bool // glyphs have colours of their own
	codeLength   int  // in bytes
	toUnicode    *cmap.Map
	isUTF16      bool            // codes are UTF-16
	characters   [256]string     // of simple fonts, by code
	widths       map[int]float64 // by code, or by CID in a composite font
	cids         *cmap.Map       // of a composite font whose codes are not its CIDs
	defaultWidth float64
	scale        float64 // from widths to a font size of 1
}

// boldName matches the names of fonts that are bold, as foundries write them.
var boldName = pattern.Later(`(?i)bold|black|heavy|[-,_ ](demi|bd)`)

// font is the font that a resource refers to.
func (r *reader) font(o types.Object) *textFont {
	d := r.Entries(o)
	identity := reflect.ValueOf(d).Pointer()
	if f := r.fonts[identity]; f != nil {
		return f
	}
	f := &textFont{codeLength: 1, widths: map[int]float64{}, defaultWidth: 500, scale: 0.001}
	r.fonts[identity] = f
	f.name = r.Name(d["BaseFont"])
	f.bold = boldName().MatchString(f.name)
	kind := r.Name(d["Subtype"])
	f.painted = kind == "Type3"
	if data := r.content(d["ToUnicode"]); data != nil {
		f.toUnicode = cmap.Parse(data, r.Bytes)
	}
	if kind == "Type0" {
		r.compositeFont(f, d)
	} else {
		r.simpleFont(f, d, kind)
	}
	return f
}

// hasFontProgram reports whether a font is embedded.
func (r *reader) hasFontProgram(d types.Dict) bool {
	descriptor := r.Entries(d["FontDescriptor"])
	for _, key := range []string{"FontFile", "FontFile2", "FontFile3"} {
		if _, ok := r.Stream(descriptor[key]); ok {
			return true
		}
	}
	return false
}

// A character is what a code of a string shows.
type character struct {
	text    string
	width   float64 // at a font size of 1
	length  int     // of the code, in bytes
	isSpace bool    // the code is a single byte 32, to which word spacing applies
}

// next is the first character of a string.
func (f *textFont) next(s content.String) character {
	n := min(f.codeLength, len(s))
	code := s[:n].Code()
	shown := code
	if f.cids != nil {
		shown, _ = f.cids.CID(code) // 0 where it has none
	}
	width, ok := f.widths[shown]
	if !ok {
		width = f.defaultWidth
	}
	return character{f.text(code), width * f.scale, n, n == 1 && code == ' '}
}

func (f *textFont) text(code int) string {
	if f.toUnicode != nil {
		if s, ok := f.toUnicode.Text(code); ok && (s == "" || !isNoText(s)) {
			return s
		}
	}
	switch {
	case f.isUTF16:
		return string(rune(code))
	case f.codeLength == 1 && code < 256:
		return f.characters[code]
	}
	return ""
}
