package create_test

import (
	"testing"
)

// The text of a reason that create supplies is in the language that is asked for, or else that
// of the country; in a document without pages no other default gets between.
func TestLanguageOfReasons(t *testing.T) {
	lines := []map[string]any{{"invoicedQuantity": 1, "invoicedQuantityUnitCode": "HUR", "price": map[string]any{"netPrice": 50}, "vat": map[string]any{"categoryCode": "AE"}, "item": map[string]any{"name": "x"}}}
	for _, c := range []struct{ format, country, asked, want string }{
		{"xrechnung", "DE", "", "Steuerschuldnerschaft des Leistungsempfängers"},
		{"ubl", "FR", "", "Autoliquidation"},
		{"cii", "PL", "", "Odwrotne obciążenie"},
		{"xrechnung", "DE", "en", "Reverse charge"},
		{"ubl", "SE", "", "Steuerschuldnerschaft des Leistungsempfängers"}, // that of the seller: there are no Swedish words
		{"zugferd", "IT", "", "Inversione contabile"},
	} {
		change := map[string]any{"invoice.lines": lines, "invoice.buyer.postalAddress.countryCode": c.country, "invoice.buyer.vatIdentifier": c.country + "123456789"}
		if c.asked != "" {
			change["options.language"] = c.asked
		}
		made, err := makeOne(t, c.format, change)
		if err != nil {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		if got := made.Invoice.VatBreakdowns[0].ExemptionReasonText.Raw; got != c.want {
			t.Errorf("%+v: the reason is %q", c, got)
		}
	}
}
