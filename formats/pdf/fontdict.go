package pdf

import "github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

// An Encoding is the entry Encoding of a simple font.
type Encoding struct {
	Base        string         // the encoding that it is, or starts from; empty if none is named
	Named       bool           // the entry is the name alone
	Differences map[int]string // the names of glyphs, by code
}

// Encoding reads the entry Encoding of a simple font.
func (r *Reader) Encoding(o types.Object) Encoding {
	var e Encoding
	switch o := r.Resolve(o).(type) {
	case types.Name:
		e.Base, e.Named = string(o), true
	case types.Dict:
		e.Base = r.Name(o["BaseEncoding"])
		differences := r.Array(o["Differences"])
		if len(differences) > 0 {
			e.Differences = map[int]string{}
		}
		code := 0
		for _, d := range differences {
			switch v := r.Resolve(d).(type) {
			case types.Integer:
				code = int(v)
			case types.Name:
				e.Differences[code] = string(v)
				code++
			}
		}
	}
	return e
}

// CIDWidths reads the entry W of a CIDFont. It has lists of widths for consecutive
// CIDs from a first one on, and ranges of CIDs with one width. Either function may
// end the reading by returning false.
func (r *Reader) CIDWidths(o types.Object, list func(first int, widths types.Array) bool, cidRange func(first, last int, width float64) bool) {
	w := r.Array(o)
	for i := 0; i+1 < len(w) && r.Step(); {
		first := r.Integer(w[i], 0)
		if widths, ok := r.Resolve(w[i+1]).(types.Array); ok {
			if !list(first, widths) {
				return
			}
			i += 2
			continue
		}
		if i+2 >= len(w) {
			return
		}
		width, _ := r.Number(w[i+2])
		if !cidRange(first, r.Integer(w[i+1], 0), width) {
			return
		}
		i += 3
	}
}
