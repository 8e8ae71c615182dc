package create_test

import (
	"errors"
	"slices"
	"testing"

	"einvoice/engine"
	"einvoice/service/catalogue"
	"einvoice/service/write"
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

// What create supplies for VAT categories without VAT breaks no rule of any profile, and none
// advises against it: the findings of an invoice with such a category are those of one with VAT,
// and those about the category, which the request states.
func TestSuppliedTermsHaveNoFindings(t *testing.T) {
	supplied := []string{"BT-96", "BT-103", "BT-119", "BT-120", "BT-121", "BT-152"}
	tried := 0
	for _, f := range catalogue.Formats() {
		if f.Create == nil || f.Name == "zugferd" { // which is Factur-X by another name
			continue
		}
		for _, p := range f.Create.Profiles {
			for _, syntax := range f.Create.Syntaxes {
				with := findingsOfCategory(t, f.Name, p.Name, string(syntax), "S")
				for _, category := range []string{"Z", "AE", "K", "G"} {
					tried++
					for _, found := range findingsOfCategory(t, f.Name, p.Name, string(syntax), category) {
						if slices.ContainsFunc(with, func(other engine.Finding) bool { return other.Rule == found.Rule }) {
							continue
						}
						if found.Level == engine.Warning || slices.ContainsFunc(found.BTCodes, func(bt string) bool { return slices.Contains(supplied, bt) }) {
							t.Errorf("%s, %s, %s, category %s: %s %v %v", f.Name, p.Name, syntax, category, found.Rule, found.BTCodes, found.Fields)
						}
					}
				}
			}
		}
	}
	if tried < 60 {
		t.Errorf("only %d combinations were tried", tried)
	}
}

// findingsOfCategory are those of an invoice whose line, allowance and charge have a VAT category.
func findingsOfCategory(t *testing.T, format, profile, syntax, category string) []engine.Finding {
	t.Helper()
	vat := func() map[string]any {
		if category == "S" {
			return map[string]any{"categoryCode": category, "rate": "19.00"}
		}
		return map[string]any{"categoryCode": category}
	}
	country := "DE"
	if profile == "cius-nl" { // whose rule is about Dutch sellers
		country = "NL"
	}
	made, err := makeOne(t, format, map[string]any{
		"options.profile": profile, "options.syntax": syntax, "invoice.seller.postalAddress.countryCode": country,
		"invoice.buyer.vatIdentifier": "FR40303265045", "invoice.buyer.postalAddress.countryCode": "FR",
		"invoice.delivery.address": map[string]any{"line1": "Rue 1", "city": "Lyon", "postCode": "69001", "countryCode": "FR"},
		"invoice.allowances":       []map[string]any{{"amount": "5.00", "reason": "Rabatt", "vat": vat()}},
		"invoice.charges":          []map[string]any{{"amount": "7.00", "reason": "Fracht", "vat": vat()}},
		"invoice.lines":            []map[string]any{{"invoicedQuantity": "1.00", "invoicedQuantityUnitCode": "HUR", "price": map[string]any{"netPrice": "50.00"}, "vat": vat(), "item": map[string]any{"name": "x"}}},
	})
	if err == nil {
		return made.Report.Findings
	}
	refused, ok := errors.AsType[*write.Refused](err)
	if !ok {
		t.Fatalf("%s, %s, %s, category %s: %v", format, profile, syntax, category, err)
	}
	return refused.Report.Findings
}
