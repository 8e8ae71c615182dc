package archive

import (
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"einvoice/formats/pdf/font"
)

// encoding is which glyph, by name, a simple font shows for each code.
type encoding struct {
	base        string // the name of the encoding that it starts from; empty if it is the font's own
	differences map[int]string
}

func (c *converter) encodingOf(f *usedFont) encoding {
	e := encoding{differences: map[int]string{}}
	switch o := c.at(f.dict["Encoding"]).(type) {
	case types.Name:
		e.base = string(o)
	case types.Dict:
		e.base = c.name(o["BaseEncoding"])
		at := 0
		for _, d := range c.array(o["Differences"]) {
			switch v := c.at(d).(type) {
			case types.Integer:
				at = int(v)
			case types.Name:
				e.differences[at] = string(v)
				at++
			}
		}
	}
	if _, known := font.Encoding(e.base); !known {
		e.base = ""
	}
	return e
}

// name is the name of the glyph for a code; otherwise says what the font's own
// encoding has.
func (e encoding) name(value int, otherwise func(int) string) string {
	if n, found := e.differences[value]; found {
		return n
	}
	if base, found := font.Encoding(e.base); found && value < len(base) {
		return base[value]
	}
	return otherwise(value)
}

// standard is StandardEncoding, which holds where a font has none of its own.
func standard(value int) string {
	e, _ := font.Encoding("StandardEncoding")
	if value >= len(e) {
		return ""
	}
	return e[value]
}
