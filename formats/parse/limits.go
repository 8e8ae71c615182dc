package parse

import (
	"einvoice/formats/pdf"
)

// Limits bound what one document may cost. A field that is zero has the value of
// DefaultLimits. Time is bounded by the context.
type Limits struct {
	PDF   pdf.Limits
	Pages int // a document with more is refused
	Words int // of all pages
	// Pixels is how many a picture of a page may have.
	Pixels int
	Lines  int // of the invoice; the rest is not read, and the result says so

	withoutChain bool // totals by their labels alone, to measure what the chain is worth
	// withoutRepair leaves out what sets right wrongly recognised numbers, likewise.
	withoutRepair bool
}

// DefaultLimits are generous for an invoice.
func DefaultLimits() Limits {
	return Limits{Pages: 50, Words: 100_000, Pixels: 40_000_000, Lines: 5_000}
}

// asRead tells that no number is set right that was recognised wrong.
func (l Limits) asRead() bool { return l.withoutChain || l.withoutRepair }

func (l Limits) withDefaults() Limits {
	d := DefaultLimits()
	for _, f := range []struct{ have, standard *int }{{&l.Pages, &d.Pages}, {&l.Words, &d.Words}, {&l.Pixels, &d.Pixels}, {&l.Lines, &d.Lines}} {
		if *f.have <= 0 {
			*f.have = *f.standard
		}
	}
	return l
}
