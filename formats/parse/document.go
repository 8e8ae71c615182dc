package parse

import (
	"context"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/header"
	"einvoice/formats/parse/lines"
	"einvoice/formats/parse/parties"
	"einvoice/formats/parse/totals"
	"einvoice/formats/pdf/text"
)

// A document is what the stages found out. Each takes the values of those before it and
// changes none of them.
type document struct {
	*candidate.Pages
	limits Limits
	title  header.Title
	head   *header.Head
	*totals.Totals
	*parties.Parties
	byModel map[string]bool // pointers of what a language model said; nil where none did
}

// read goes through the stages. It asks the context between them, and each stage takes
// time that is about proportional to the number of words.
func read(ctx context.Context, sheets []text.Sheet, limits Limits) (*document, error) {
	d := &document{Pages: candidate.Of(sheets), limits: limits}
	var read *lines.Table
	for _, stage := range []func(){
		func() { d.title = header.ReadTitle(d.Layout) },
		func() { read = lines.Read(d.Pages, limits.Lines, limits.asRead()) },
		func() { d.head = header.Read(d.Pages, d.title, read) },
		func() { d.Totals = totals.Read(d.Pages, read, d.head, limits.withoutChain, limits.asRead()) },
		func() { d.Parties = parties.Read(d.Pages, d.head, d.IsLine) },
		func() { d.head = d.head.WithoutVatID(d.SellerVatID()) },
	} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		stage()
	}
	return d, nil
}
