package compare_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"einvoice/service/compare"
	"einvoice/service/create"
	"einvoice/service/internal/kittest"
)

// Pages that the program makes contradict no invoice without VAT, whatever allowances and
// charges it has: their percentages lead from a base to an amount as rates of VAT do, and the
// sum of the lines is another total than the one that they lead to.
func TestPagesOfUntaxedInvoicesContradictNothing(t *testing.T) {
	kit := kittest.Kit(t)
	r := rand.New(rand.NewPCG(1, 2))
	for _, language := range []string{"de", "en", "es", "fr", "it", "nl", "pl"} {
		for i := range 12 {
			vat := fmt.Sprintf(`"vat": {"categoryCode": %q, "rate": 0}`, []string{"E", "AE"}[i%2])
			adjustments := ""
			for _, name := range []string{"allowances", "charges"} {
				if r.IntN(3) == 0 {
					continue
				}
				amount := fmt.Sprintf(`"percentage": "%d.%02d"`, 1+r.IntN(12), r.IntN(100))
				if r.IntN(3) == 0 {
					amount = fmt.Sprintf(`"amount": "%d.%02d"`, 1+r.IntN(90), r.IntN(100))
				}
				adjustments += fmt.Sprintf(`, %q: [{%s, "reason": "Bonus", %s}]`, name, amount, vat)
			}
			lines := ""
			for line := range 1 + r.IntN(4) {
				lines += fmt.Sprintf(`{"invoicedQuantity": "%d.%03d", "invoicedQuantityUnitCode": "KGM", "price": {"netPrice": "%d.%04d"}, %s, "item": {"name": "Artikel %d"}},`,
					10+r.IntN(90), r.IntN(1000), 10+r.IntN(900), r.IntN(10000), vat, line)
			}
			request := fmt.Sprintf(`{"invoice": {"number": "2026-0117", "issueDate": "2026-11-20", "paymentDueDate": "2026-12-20", "currencyCode": "EUR",
				"seller": {"name": "Lindner GmbH", "vatIdentifier": "DE123456789", "postalAddress": {"city": "Jena", "postCode": "07743", "countryCode": "DE"}},
				"buyer": {"name": "Voorbeeld BV", "vatIdentifier": "NL123456789B01", "postalAddress": {"city": "Utrecht", "postCode": "3511", "countryCode": "NL"}},
				"paymentInstructions": {"means": [{"typeCode": "58", "creditTransfers": [{"accountIdentifier": "DE02120300000000202051"}]}]},
				"vatBreakdowns": [{"categoryCode": %q, "exemptionReasonText": "§ 4"}], "lines": [%s]%s}, "options": {"language": %q}}`,
				[]string{"E", "AE"}[i%2], lines[:len(lines)-1], adjustments, language)
			asked, err := create.ReadRequest(t.Context(), []byte(request))
			if err != nil {
				t.Fatal(err)
			}
			made, err := create.Document(t.Context(), kit.Pages, "facturx", asked)
			if err != nil {
				t.Fatalf("%s: %v", request, err)
			}
			found, err := compare.Document(t.Context(), kit.Reader, made.Data)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range found {
				t.Errorf("%s, %d%s: %s is %s, read as %s", language, i, adjustments, c.Pointer, c.Attached, c.Printed)
			}
		}
	}
}
