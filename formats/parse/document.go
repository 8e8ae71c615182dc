package parse

import (
	"context"

	"einvoice/formats/pdf/text"
)

// A document is what has been found out so far.
type document struct {
	layout   *layout
	notation notation
	limits   Limits
	usual    float64 // size of most letters of the first page

	title        title
	isLine       []bool // by index of the row: it belongs to the table of lines
	repeated     []bool // by index of the row: other pages have it at the same place
	used         map[*word]string
	header       map[string]claim
	alternatives map[string][]claim
	lines        []line
	running      int64 // the sum of the lines that were read so far
	linesCut     bool  // there are more than Limits.Lines
	grossLines   bool  // the amounts of the lines contain VAT
	amounts      []amount
	chain        chain
	vat          []vatRow
	parties      map[string]*party
	legal        printed // the seller's legal form and capital
	currency     printed
	byModel      map[string]bool // pointers of what a language model said; nil where none did
}

// printed is a value with the words that it was read from.
type printed struct {
	value string
	words []*word
}

// read goes through the stages. It asks the context between them, and each stage takes
// time that is about proportional to the number of words.
func read(ctx context.Context, sheets []text.Sheet, limits Limits) (*document, error) {
	d := &document{
		layout: newLayout(sheets), limits: limits, used: map[*word]string{}, header: map[string]claim{},
		alternatives: map[string][]claim{}, parties: map[string]*party{},
	}
	d.isLine = make([]bool, len(d.layout.rows))
	d.repeated = repeatedRows(d.layout)
	d.notation = notationOf(d.layout)
	d.usual = d.usualSize()
	for _, stage := range []func(){d.readTitle, d.readLines, d.readHeader, d.readAmounts, d.dropStrays, d.foldSubLines, d.solve, d.sameSigns, d.exchangeDigits, d.readVat, d.assignRates, d.readParties, d.readCurrency} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		stage()
	}
	return d, nil
}
