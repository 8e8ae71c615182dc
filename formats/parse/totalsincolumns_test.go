package parse_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"einvoice/formats/parse"
	"einvoice/formats/parse/drawn"
	"einvoice/formats/pdf/text"
	"einvoice/model/sampled"
)

// Two invoices in one file are two, also where the totals are columns below their labels; an annex is none.
func TestTotalsInColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 4))
	for range sampled.Of(60, 4) {
		title := anyOf(r, "Invoice", "Rechnung", "Factuur", "Facture")
		sheet := func(number string) text.Sheet {
			return drawn.Sheet("40|50 "+title+" "+number, "90|50 Oak Street Bakery Ltd", "102|50 7 High Street", "114|50 33000 Bordeaux",
				"200|50 Description|>330 Quantity|>420 Unit price|>540 Amount", "214|50 Advice|>330 2|>420 150.00|>540 300.00",
				"260|50 Net total|200 VAT 20 %|350 Total", "276|50 300.00|200 60.00|350 360.00 EUR", "300|50 Due date: 20/12/2026", "760|50 Morel SARL|200 4 rue Haute|350 69002 Lyon")
		}
		first := fmt.Sprintf("2026/%d", 1000+r.IntN(8000))
		annex := drawn.Sheet("40|50 Goods remain our property until they are paid.", "54|50 The courts of Lyon decide.")
		for _, file := range []struct {
			sheets []text.Sheet
			want   int
		}{{[]text.Sheet{sheet(first), sheet("F-" + first)}, 2}, {[]text.Sheet{sheet(first), annex}, 1}, {[]text.Sheet{sheet(first), annex, sheet("F-" + first), annex}, 2}} {
			found, err := parse.DocumentsOf(t.Context(), file.sheets, parse.Limits{})
			if err != nil || len(found) != file.want {
				t.Errorf("%s: %d documents and not %d: %v", title, len(found), file.want, err)
			}
		}
	}
}
