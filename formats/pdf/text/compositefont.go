package text

import (
	"strings"

	"einvoice/formats/pdf/content"

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
		data := r.content(d["Encoding"])
		if m := r.parseToUnicode(data); len(m.codeLengths) == 1 && m.codeLengths[1] {
			f.codeLength = 1
		}
		f.cids = r.parseCIDs(data)
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

// parseCIDs reads the character identifiers (CIDs) that a CMap has for codes. Widths are
// those of CIDs.
func (r *reader) parseCIDs(data []byte) map[int]int {
	cids := map[int]int{}
	_ = content.Scan{Spend: r.Bytes}.Operators(data, func(op *content.Op) error {
		switch op.Name {
		case "endcidchar":
			for i := 0; i+1 < len(op.Args) && len(cids) < maxWidths; i += 2 {
				code, ok := op.Args[i].(content.String)
				cid, isNumber := op.Args[i+1].(content.Number)
				if ok && isNumber {
					cids[code.Code()] = int(cid.Value)
				}
			}
		case "endcidrange":
			for i := 0; i+2 < len(op.Args); i += 3 {
				low, ok := op.Args[i].(content.String)
				high, okHigh := op.Args[i+1].(content.String)
				cid, isNumber := op.Args[i+2].(content.Number)
				if !ok || !okHigh || !isNumber {
					continue
				}
				for code := low.Code(); code <= high.Code() && len(cids) < maxWidths; code++ {
					cids[code] = int(cid.Value) + code - low.Code()
				}
			}
		}
		return nil
	})
	return cids
}
