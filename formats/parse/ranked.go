package parse

import (
	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/header"
	"einvoice/formats/parse/layout"
)

// rankedLeast is how well a value that the rules do not find has to fit its field for the ranker: the logarithm of the
// odds.
var rankedLeast = map[string]float64{"/number": 0, "/issueDate": -2, "/paymentDueDate": 0}

// takeRanked takes what the ranker finds where the rules find nothing: the number and the days of an invoice.
func (d *document) takeRanked() {
	d.ranked = map[string]bool{}
	for pointer, least := range rankedLeast {
		field := claimOf[pointer]
		best := d.ranking.Best(pointer)
		if _, found := d.head.Claims[field]; found || len(best.Words) == 0 || best.Score < least {
			continue
		}
		value, of := d.valueOf(pointer, best.Words)
		if pointer == "/paymentDueDate" && (d.saysPaid() || header.IsOfDiscount(d.Layout, of)) || value == "" {
			continue
		}
		d.ranked[pointer] = d.head.Take(field, value, of)
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
