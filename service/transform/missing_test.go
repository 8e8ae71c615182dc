package transform_test

import (
	"regexp"
	"slices"
	"testing"

	"einvoice/model"
	"einvoice/service/create"
	"einvoice/service/internal/kittest"
	"einvoice/service/transform"
	"einvoice/service/validate"
	"einvoice/service/write"
)

// A group that a document lacks is named by its terms, in both syntaxes, and what is supplied
// so makes the invoice valid.
func TestMissingGroups(t *testing.T) {
	s := kittest.Kit(t)
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
			allNamed(t, transform.Missing(made.Report, doc.Invoice), c.supply)
			made, err = transform.Document(t.Context(), s.Pages, "xrechnung", doc, transform.Options{Supply: c.supply})
			if err != nil || !made.Report.Valid {
				t.Errorf("with all of them: %v, %v", err, fatal(made.Report))
			}
		})
	}
}

// allNamed sees that each option with which something can be supplied is named.
func allNamed(t *testing.T, missing []transform.MissingTerm, supply transform.Supply) {
	t.Helper()
	for option := range supply {
		if !slices.ContainsFunc(missing, func(m transform.MissingTerm) bool { return m.Option == option }) {
			t.Errorf("%s is not named in %v", option, missing)
		}
	}
}

// Rules of countries name no fields; what they demand can be supplied all the same.
func TestMissingOfCountries(t *testing.T) {
	s := kittest.Kit(t)
	for _, c := range []struct {
		profile, country string
		supply           transform.Supply
	}{
		{"cius-nl", "NL", transform.Supply{
			"buyerReference": "1", "seller.legalRegistration.identifier": "12345678", "seller.legalRegistration.schemeId": "0106",
			"seller.postalAddress.line1": "Kade 1", "buyer.legalRegistration.identifier": "12345678", "buyer.legalRegistration.schemeId": "0106",
			"buyer.postalAddress.line1": "Kade 2", "paymentInstructions.means[0].typeCode": "58",
			"paymentInstructions.means[0].creditTransfers[0].accountIdentifier": "NL91ABNA0417164300",
		}},
		{"cius-ro", "DE", transform.Supply{
			"vatAccountingCurrencyCode": "RON", "seller.postalAddress.line1": "Weg 1", "buyer.postalAddress.line1": "Weg 2",
			"buyer.legalRegistration.identifier": "HRB 1",
		}},
		{"cius-pt", "DE", transform.Supply{
			"buyer.vatIdentifier": "PT123456789", "seller.postalAddress.line1": "Rua 1", "delivery.address.line1": "Rua 2",
			"delivery.address.city": "Porto", "delivery.address.postCode": "4000-001", "delivery.address.countryCode": "PT",
		}},
		{"fr-ctc", "DE", transform.Supply{
			"businessProcessType": "S1", "seller.legalRegistration.identifier": "123456782", "seller.legalRegistration.schemeId": "0002",
		}},
	} {
		t.Run(c.profile, func(t *testing.T) {
			r, err := create.ReadRequest(t.Context(), create.Example)
			if err != nil {
				t.Fatal(err)
			}
			whole, err := create.Document(t.Context(), s.Pages, "ubl", r)
			if err != nil {
				t.Fatal(err)
			}
			data := regexp.MustCompile(`(?s)<cac:PaymentMeans>.*?</cac:PaymentMeans>|<cbc:BuyerReference>.*?</cbc:BuyerReference>|<cbc:ProfileID>.*?</cbc:ProfileID>`).ReplaceAll(whole.Data, nil)
			data = regexp.MustCompile(`(<cbc:IdentificationCode>)DE`).ReplaceAll(data, []byte("${1}"+c.country))
			doc, err := s.Read(t.Context(), data, validate.Accept{})
			if err != nil {
				t.Fatal(err)
			}
			made, err := transform.Document(t.Context(), s.Pages, "ubl", doc, transform.Options{Options: write.Options{Profile: model.NewText(c.profile)}})
			if err != nil {
				t.Fatal(err)
			}
			allNamed(t, transform.Missing(made.Report, doc.Invoice), c.supply)
			if c.profile != "cius-nl" {
				return // these demand more, such as a rate of the country, which the next call names
			}
			made, err = transform.Document(t.Context(), s.Pages, "ubl", doc, transform.Options{Options: write.Options{Profile: model.NewText(c.profile)}, Supply: c.supply})
			if err != nil || !made.Report.Valid {
				t.Errorf("with all of them: %v, %v", err, fatal(made.Report))
			}
		})
	}
}
