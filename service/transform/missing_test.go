package transform_test

import (
	"regexp"
	"slices"
	"testing"

	"einvoice/service/create"
	"einvoice/service/transform"
	"einvoice/service/validate"
)

// A group that a document lacks is named by its terms, in both syntaxes, and what is supplied
// so makes the invoice valid.
func TestMissingGroups(t *testing.T) {
	s := open(t)
	amounts := transform.Supply{
		"totals.sumOfLineNetAmounts": "285", "totals.totalAmountWithoutVat": "285", "totals.taxTotalAmount": "54.15",
		"totals.totalAmountWithVat": "339.15", "totals.amountDueForPayment": "339.15",
	}
	breakdown := transform.Supply{
		"vatBreakdowns[0].categoryCode": "S", "vatBreakdowns[0].rate": "19",
		"vatBreakdowns[0].taxableAmount": "285", "vatBreakdowns[0].taxAmount": "54.15",
	}
	for _, c := range []struct {
		name, syntax, without string
		supply                transform.Supply
	}{
		{"breakdown", "ubl", `(?s)<cac:TaxSubtotal>.*?</cac:TaxSubtotal>`, breakdown},
		{"breakdown", "cii", `(?s)<ram:ApplicableTradeTax>\s*<ram:CalculatedAmount>.*?</ram:ApplicableTradeTax>`, breakdown},
		{"total VAT", "cii", `<ram:TaxTotalAmount.*?</ram:TaxTotalAmount>`, transform.Supply{"totals.taxTotalAmount": "54.15"}},
		{"totals", "cii", `(?s)<ram:SpecifiedTradeSettlementHeaderMonetarySummation>.*?</ram:SpecifiedTradeSettlementHeaderMonetarySummation>`, amounts},
	} {
		t.Run(c.name+" in "+c.syntax, func(t *testing.T) {
			r, err := create.ReadRequest(t.Context(), create.Example)
			if err != nil {
				t.Fatal(err)
			}
			whole, err := create.Document(t.Context(), s.Pages, c.syntax, r)
			if err != nil {
				t.Fatal(err)
			}
			data := regexp.MustCompile(c.without).ReplaceAll(whole.Data, nil)
			doc, err := s.Read(t.Context(), data, validate.Accept{})
			if err != nil {
				t.Fatal(err)
			}
			made, err := transform.Document(t.Context(), s.Pages, "xrechnung", doc, transform.Options{})
			if err != nil {
				t.Fatal(err)
			}
			missing := transform.Missing(made.Report, doc.Invoice)
			for option := range c.supply {
				if !slices.ContainsFunc(missing, func(m transform.MissingTerm) bool { return m.Option == option }) {
					t.Errorf("%s is not named in %v", option, missing)
				}
			}
			made, err = transform.Document(t.Context(), s.Pages, "xrechnung", doc, transform.Options{Supply: c.supply})
			if err != nil || !made.Report.Valid {
				t.Errorf("with all of them: %v, %v", err, fatal(made.Report))
			}
		})
	}
}
