package candidate

import (
	"einvoice/formats/parse/layout"
	"einvoice/formats/pdf/text"
)

// Pages are pages whose notation of numbers and days is known.
type Pages struct {
	Layout   *layout.Layout
	Notation Notation
}

// Of lays out pages and decides their notation.
func Of(sheets []text.Sheet) *Pages {
	l := layout.New(sheets)
	return &Pages{l, NotationOf(l)}
}

// Printed is a value with the words that it was read from.
type Printed struct {
	Value string
	Words []*layout.Word
}
