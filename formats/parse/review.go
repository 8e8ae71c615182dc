package parse

import (
	"cmp"
	"fmt"
	"slices"
)

// doubtful is the confidence below which a person should look at a value.
const doubtful = 0.7

// expected are the terms that a person should add where they were not found.
var expected = []struct{ pointer, name string }{
	{"/number", "invoice number"}, {"/issueDate", "issue date"}, {"/seller/name", "seller's name"}, {"/buyer/name", "buyer's name"},
	{"/currencyCode", "currency"}, {"/totals/totalAmountWithVat", "total with VAT"}, {"/lines", "table of lines"},
}

// review lists what a person should look at, the most money at risk first.
func (d *document) review(b *builder) {
	tell := func(weight float64, message string, fields ...string) {
		b.result.Review = append(b.result.Review, Review{Fields: append([]string{}, fields...), Message: message, Weight: weight})
	}
	if k := b.result.Kind; k.Confidence < doubtful {
		tell(1, "it is not certain that this is an invoice; look at what it asks for", "/typeCode")
	}
	for _, e := range expected {
		missing := b.result.Fields[e.pointer] == nil
		if e.pointer == "/lines" {
			missing = len(d.Lines) == 0
		}
		if missing {
			tell(0.9, notFound(e.name), e.pointer)
		}
	}
	b.tellAccounts(tell)
	b.tellUnread(tell)
	if !d.Chain.Closes {
		tell(1, "net total, VAT and total with VAT do not add up over printed amounts; compare them with the page",
			"/totals/totalAmountWithoutVat", "/totals/taxTotalAmount", "/totals/totalAmountWithVat")
	}
	b.tellContradictions(tell)
	switch {
	case d.GrossLines && d.NetsOfGross() != nil:
		tell(0.6, "the amounts of the lines contain VAT; net amounts are computed from them", "/lines")
	case d.GrossLines:
		tell(0.8, "the amounts of the lines contain VAT, so net amounts and prices of lines are left out", "/lines")
	}
	for _, h := range b.result.Hidden {
		tell(0.95, fmt.Sprintf("page %d has text that nobody sees, and it was not read: %s", b.first+h.Page, h.Text))
	}
	for i := range b.behind {
		if b.behind[i] {
			tell(0.95, fmt.Sprintf("the text of page %d is hidden behind its picture, which may show something else; compare the values with the picture", b.first+i+1))
		}
	}
	for i := range d.Layout.Pages {
		if isPictured(&d.Layout.Pages[i]) && !d.Layout.Pages[i].Recognised {
			tell(1, fmt.Sprintf("the text of page %d is in a picture and was not read", b.first+i+1))
		}
	}
	if d.Cut {
		tell(1, "the invoice has more lines than are read", "/lines")
	}
	for pointer, f := range b.result.Fields {
		least := doubtful
		if f.Source == SourceModel { // nothing is known of how often models are right
			least = 1
		}
		if f.Confidence < least {
			tell((least-f.Confidence)*riskOf(pointer), "this value is uncertain; compare it with the page", pointer)
		}
	}
	b.result.sortReview()
}

// sortReview puts the worst first.
func (r *Result) sortReview() {
	slices.SortStableFunc(r.Review, func(x, y Review) int {
		return cmp.Or(cmp.Compare(y.Weight, x.Weight), slices.Compare(x.Fields, y.Fields))
	})
}
