package text

import (
	"strings"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// maxWidths bounds the widths of a font, and of a range of them.
const maxWidths = 1 << 16

// compositeFont reads a Type 0 font. Codes have two bytes, unless its CMap says that
// they have one.
func (r *reader) compositeFont(f *textFont, d types.Dict) {
	f.codeLength, f.defaultWidth = 2, 1000
	switch encoding := r.Resolve(d["Encoding"]).(type) {
	case types.Name:
		f.isUTF16 = strings.Contains(encoding.Value(), "UCS2") || strings.Contains(encoding.Value(), "UTF16")
	case types.StreamDict:
		if m := r.parseToUnicode(r.content(d["Encoding"])); len(m.codeLengths) == 1 && m.codeLengths[1] {
			f.codeLength = 1
		}
	}
	descendants := r.Array(d["DescendantFonts"])
	if len(descendants) == 0 {
		return
	}
	descendant := r.Entries(descendants[0])
	f.embedded = r.hasFontProgram(descendant)
	if descendant["DW"] != nil {
		f.defaultWidth = r.number(descendant["DW"])
	}
	r.CIDWidths(descendant["W"], func(first int, widths types.Array) bool {
		for i, width := range widths {
			f.widths[first+i] = r.number(width)
		}
		return len(f.widths) < maxWidths
	}, func(first, last int, width float64) bool {
		for code := first; code <= min(last, first+maxWidths); code++ {
			f.widths[code] = width
		}
		return len(f.widths) < maxWidths
	})
}
