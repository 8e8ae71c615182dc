package parse

import (
	"context"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/header"
	"einvoice/formats/parse/lines"
	"einvoice/formats/parse/parties"
	"einvoice/formats/parse/ranker"
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
	ranking *ranker.Ranking // a second opinion on what the values are
	byModel map[string]bool // pointers of what a language model said; nil where none did
	ranked  map[string]bool // pointers of what the ranker alone found
}

// rankerOf is what ranks values; tests exchange it.
var rankerOf = ranker.Trained

// read goes through the stages. It asks the context between them, and each stage takes
// time that is about proportional to the number of words.
func read(ctx context.Context, sheets []text.Sheet, limits Limits) (*document, error) {
	d := &document{Pages: candidate.Of(sheets), limits: limits}
	var read *lines.Table
	for _, stage := range []func(){
		func() { d.title = header.ReadTitle(d.Layout) },
		func() { read = lines.Read(d.Pages, limits.Lines, limits.asRead()) },
		func() { d.readAs(d.title, read) },
		func() { d.preferCited(read) },
		func() { d.ranking = rankerOf().Rank(d.Pages) },
		func() { d.Parties = parties.Read(d.Pages, d.head, d.IsLine, d.ranking, d.title.ByBuyer) },
		func() { d.head = d.head.WithoutVatID(d.SellerVatID()) },
	} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		stage()
	}
	return d, nil
}

// readAs reads the head and the totals of a document with a title.
func (d *document) readAs(title header.Title, read *lines.Table) {
	d.title = title
	d.head = header.Read(d.Pages, title, read)
	d.Totals = totals.Read(d.Pages, read, d.head, d.limits.withoutChain, d.limits.asRead())
}

// preferCited reads a page as an invoice that shows the order, contract or delivery it is for in larger letters
// than itself, or of which a sentence alone says that it is another document.
func (d *document) preferCited(read *lines.Table) {
	if d.title.Cited == nil {
		return
	}
	cited := *d
	if cited.readAs(*d.title.Cited, read); cited.citesItself() || d.title.Said && cited.printsTotals() && cited.asksToPay() {
		*d = cited
	}
}

// citesItself reports whether a page says all that an invoice says, but in no title and no label: it cites an
// invoice by its number, prints a net total, its VAT and their sum or why there is no VAT, and says how to pay or
// that it bills.
func (d *document) citesItself() bool {
	return (d.printsTotals() || header.SaysWhyNoVat(d.Layout)) && d.head.CitesInvoice(d.Layout) && (header.SaysHowToPay(d.Layout) || header.Bills(d.Layout))
}

// printsTotals reports whether a page prints a net total, its VAT and their sum.
func (d *document) printsTotals() bool {
	c := &d.Chain
	return c.Closes && c.Net.From != nil && c.Vat.From != nil && c.Gross.From != nil && c.Vat.Value != 0
}
