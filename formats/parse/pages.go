package parse

import "einvoice/formats/pdf/text"

// Pages are pages whose notation of numbers and days is known.
type pages struct {
	layout   *layout
	notation notation
}

func newPages(sheets []text.Sheet) *pages {
	l := newLayout(sheets)
	return &pages{l, notationOf(l)}
}

// printed is a value with the words that it was read from.
type printed struct {
	value string
	words []*word
}
