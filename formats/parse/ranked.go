package parse

import (
	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/header"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/totals"
)

// rankedLeast is how well a value that the rules do not find has to fit its field for the ranker: the logarithm of the
// odds.
var rankedLeast = map[string]float64{"/number": 0, "/issueDate": -2, "/paymentDueDate": 0}

// takeRanked takes what the ranker finds where the rules find nothing: the number and the days of an invoice.
func (d *document) takeRanked() {
	d.ranked = map[string]bool{}
	isPaid := d.saysPaid()
	for pointer, least := range rankedLeast {
		field := claimOf[pointer]
		best := d.ranking.Best(pointer)
		if _, found := d.head.Claims[field]; found || len(best.Words) == 0 || best.Score < least {
			continue
		}
		value, of := d.valueOf(pointer, best.Words)
		row := d.Layout.RowOf(best.Words[0])
		isOther := pointer == "/paymentDueDate" && (isPaid || header.IsOfOtherPayment(row))
		if value == "" || d.IsLine[row.Index] || isOther {
			continue
		}
		d.ranked[pointer] = d.head.Take(field, value, of)
	}
	d.takeRankedTotals(isPaid)
}

// rankedTotals are how well the totals have to fit.
var rankedTotals = map[string]float64{"totalAmountWithoutVat": -1.5, "taxTotalAmount": -2, "totalAmountWithVat": -1.5, "amountDueForPayment": 0}

// takeRankedTotals takes the totals that the ranker finds where those that were read do not close.
func (d *document) takeRankedTotals(isPaid bool) {
	amount := func(name string) *candidate.Amount {
		best := d.ranking.Best(totalsAt + name)
		if len(best.Words) == 0 || best.Score < rankedTotals[name] {
			return nil
		}
		n, used := d.Notation.At(best.Words)
		if used == 0 || n.Currency != "" && n.Currency != d.Currency.Value {
			return nil
		}
		return d.amountOf(n)
	}
	before := d.Chain
	d.Totals = d.Totals.WithRanked(d.Pages, d.head, totals.Ranked{
		Net: amount("totalAmountWithoutVat"), Vat: amount("taxTotalAmount"), Gross: amount("totalAmountWithVat"), Due: amount("amountDueForPayment"),
		IsPaid: isPaid,
	})
	had := before.Named()
	for name, of := range d.Chain.Named() {
		d.ranked[totalsAt+name] = of != had[name]
	}
}

// valueOf is the value that words of the pages print, a day or a number, and all words that it has.
func (d *document) valueOf(pointer string, of []*layout.Word) (string, []*layout.Word) {
	if pointer != "/number" {
		day, n := d.Notation.DateAt(of)
		if n == 0 {
			return "", nil
		}
		return day.ISO(), of[:n]
	}
	id, n := candidate.IDAt(of)
	return id, of[:n]
}

// isRanked reports whether nothing but the ranker found a value, or chose it.
func (d *document) isRanked(pointer string) bool {
	switch pointer {
	case "/seller/name":
		return orNone(d.ByRole["seller"]).Ranked
	case "/buyer/name":
		return orNone(d.ByRole["buyer"]).Ranked
	}
	return d.ranked[pointer]
}
