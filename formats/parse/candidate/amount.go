package candidate

import (
	"einvoice/formats/parse/layout"
)

// An Amount is a number outside of the lines that may be a total, with the score of
// each label that may be its.
type Amount struct {
	Number
	Row    *layout.Row
	Labels map[string]float64 // by field of the totals
}

// A Total is one of the totals, printed or computed.
type Total struct {
	Value int64
	From  *Amount // nil where it was computed
	Known bool
}
