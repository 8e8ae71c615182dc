package compare_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"einvoice/model/sampled"
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
		for i := range sampled.Of(150, 8) {
			category := []string{"E", "AE", "O"}[i%3]
			vat, sellersVat, buyersVat := fmt.Sprintf(`"vat": {"categoryCode": %q, "rate": 0}`, category), `"vatIdentifier": "DE123456789"`, `"vatIdentifier": "NL123456789B01"`
			if category == "O" { // there, pages print no rate beside the percentage
				vat, sellersVat, buyersVat = `"vat": {"categoryCode": "O"}`, `"legalRegistration": {"identifier": "HRB 1"}`, `"tradingName": "Voor"`
			}
			adjustments := ""
			for _, name := range []string{"allowances", "charges"} {
				if r.IntN(3) == 0 {
					continue
				}
				amount := fmt.Sprintf(`"percentage": "%d.%02d"`, 1+r.IntN(12), r.IntN(100))
				if r.IntN(3) == 0 {
					amount = fmt.Sprintf(`"amount": "%d.%02d"`, 1+r.IntN(90), r.IntN(100))
				}
				one := fmt.Sprintf(`{%s, "reason": "Bonus", %s}`, amount, vat)
				if r.IntN(3) == 0 { // twice the same: the percentages add up to another
					one += ", " + one
				}
				adjustments += fmt.Sprintf(`, %q: [%s]`, name, one)
			}
			lines := ""
			for line := range 1 + r.IntN(4) {
				lines += fmt.Sprintf(`{"invoicedQuantity": "%d.%03d", "invoicedQuantityUnitCode": "KGM", "price": {"netPrice": "%d.%04d"}, %s, "item": {"name": "Artikel %d"}},`,
					10+r.IntN(90), r.IntN(1000), 10+r.IntN(900), r.IntN(10000), vat, line)
			}
			request := fmt.Sprintf(`{"invoice": {"number": "2026-0117", "issueDate": "2026-11-20", "paymentDueDate": "2026-12-20", "currencyCode": "EUR",
				"seller": {"name": "Lindner GmbH", %s, "postalAddress": {"city": "Jena", "postCode": "07743", "countryCode": "DE"}},
				"buyer": {"name": "Voorbeeld BV", %s, "postalAddress": {"city": "Utrecht", "postCode": "3511", "countryCode": "NL"}},
				"paymentInstructions": {"means": [{"typeCode": "58", "creditTransfers": [{"accountIdentifier": "DE02120300000000202051"}]}]},
				"vatBreakdowns": [{"categoryCode": %q, "exemptionReasonText": "§ 4"}], "lines": [%s]%s}, "options": {"language": %q, "look": %q}}`,
				sellersVat, buyersVat, category, lines[:len(lines)-1], adjustments, language, []string{"din5008", "french", "general"}[r.IntN(3)])
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
