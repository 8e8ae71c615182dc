package parse

import (
	"context"

	"einvoice/formats/pdf/text"
)

// A document is what the stages found out. Each takes the values of those before it and
// changes none of them.
type document struct {
	*pages
	limits Limits
	title  title
	head   *head
	*totals
	*parties
	byModel map[string]bool // pointers of what a language model said; nil where none did
}

// read goes through the stages. It asks the context between them, and each stage takes
// time that is about proportional to the number of words.
func read(ctx context.Context, sheets []text.Sheet, limits Limits) (*document, error) {
	d := &document{pages: newPages(sheets), limits: limits}
	var read *table
	for _, stage := range []func(){
		func() { d.title = readTitle(d.layout) },
		func() { read = readLines(d.pages, limits.Lines, limits.asRead()) },
		func() { d.head = readHeader(d.pages, d.title, read) },
		func() { d.totals = readTotals(d.pages, read, d.head, limits.withoutChain, limits.asRead()) },
		func() { d.parties = readParties(d.pages, d.head, d.isLine) },
		func() { d.head = d.head.withoutVatID(d.byRole["seller"]) },
	} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		stage()
	}
	return d, nil
}
