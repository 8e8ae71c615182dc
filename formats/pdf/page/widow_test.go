package page_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"einvoice/formats/pdf/page"
	"einvoice/formats/pdf/page/look"
	"einvoice/model"
	"einvoice/model/sampled"
)

// No page has one row alone, the totals have a row on their page, and no row is parted: for 1 to
// 60 lines, of any height, in each look.
func TestNoRowAlone(t *testing.T) {
	seed := rand.New(rand.NewPCG(35, 16))
	names := look.Names()
	for run := range sampled.Of(60, 3) * len(names) {
		n := 1 + run/len(names)
		inv := small(t, 0)
		deepest := seed.IntN(6)
		for i := range n {
			inv.Lines = append(inv.Lines, *decodeLine(t, fmt.Sprintf(`{"identifier": "%d", "netAmount": 10.5, "invoicedQuantity": 2, "invoicedQuantityUnitCode": "H87",
				"price": {"netPrice": 5.25}, "vat": {"categoryCode": "S", "rate": 19}, "item": {"name": "first%d", "description": %q}}`,
				i+1, i+1, strings.Repeat("Beschreibung\n", seed.IntN(deepest+1))+fmt.Sprintf("last%dx", i+1))))
		}
		for range seed.IntN(3) {
			inv.Notes = append(inv.Notes, model.Note{Text: model.NewText(strings.Repeat("Bemerkung ", seed.IntN(80)))})
		}
		l, err := look.BuiltIn(names[run%len(names)])
		if err != nil {
			t.Fatal(err)
		}
		pages := pagesOf(t, printed(t, inv, page.Options{Language: "de", Look: l}).Data)
		for i, text := range pages {
			rows := strings.Count(text, "first")
			if rows == 1 && n > 1 {
				t.Errorf("run %d: %d lines, %s: page %d of %d has one row", run, n, l.Name, i+1, len(pages))
			}
			if strings.Contains(text, "Summe der Positionen") && rows == 0 {
				t.Errorf("run %d: %d lines, %s: the totals are on page %d of %d without a row", run, n, l.Name, i+1, len(pages))
			}
			for j := range n {
				if strings.Contains(text, fmt.Sprintf("first%d ", j+1)) != strings.Contains(text, fmt.Sprintf("last%dx", j+1)) {
					t.Errorf("run %d: row %d is parted on page %d", run, j+1, i+1)
				}
			}
		}
	}
}
