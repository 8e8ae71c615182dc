package create_test

import (
	"fmt"
	"strings"
	"testing"

	"einvoice/service/create"
	"einvoice/service/internal/kittest"
	"einvoice/service/write"
)

// Countries whose rules ask for nothing that the standard has no term for can be created for,
// and what they ask for is named where it is missing.
func TestCountries(t *testing.T) {
	const invoice = `{"number":"X-1","issueDate":"2026-11-20","typeCode":"380","currencyCode":"%s","paymentDueDate":"2026-12-20","buyerReference":"P-1",
"seller":{"name":"Seller","vatIdentifier":"%[2]s123456789","legalRegistration":{"identifier":"12345678","schemeId":"0106"},"electronicAddress":{"identifier":"12345678","schemeId":"0106"},
 "postalAddress":{"line1":"Street 1","city":"Town","postCode":"1000","countrySubdivision":"%[3]s","countryCode":"%[2]s"}},
"buyer":{"name":"Buyer","vatIdentifier":"%[2]s987654321","legalRegistration":{"identifier":"87654321","schemeId":"0106"},"electronicAddress":{"identifier":"87654321","schemeId":"0106"},
 "postalAddress":{"line1":"Street 2","city":"Town","postCode":"1000","countrySubdivision":"%[3]s","countryCode":"%[2]s"}},
"delivery":{"address":{"line1":"Street 3","city":"Town","postCode":"1000","countrySubdivision":"%[3]s","countryCode":"%[2]s"}},
"paymentInstructions":{"means":[{"typeCode":"30","creditTransfers":[{"accountIdentifier":"NL91ABNA0417164300"}]}]},
"lines":[{"identifier":"1","item":{"name":"Bread"},"invoicedQuantity":"2.00","invoicedQuantityUnitCode":"C62","price":{"netPrice":"10.00"},"vat":{"categoryCode":"S","rate":"23.00"}}]}`
	for _, c := range []struct{ format, profile, currency, country, part, declares string }{
		{"ubl", "cius-ro", "RON", "RO", "RO-CJ", "CIUS-RO:1.0.1"},
		{"ubl", "cius-nl", "EUR", "NL", "", "nlcius:v1.0"},
		{"cii", "cius-nl", "EUR", "NL", "", "nlcius:v1.0"},
		{"ubl", "cius-pt", "EUR", "PT", "", "CIUS-PT:2.1.1"},
	} {
		text := strings.ReplaceAll(fmt.Sprintf(invoice, c.currency, c.country, c.part), `"countrySubdivision":"",`, "")
		made, err := createFor(t, c.format, c.profile, text)
		if err != nil {
			t.Errorf("%s %s: %v", c.format, c.profile, err)
			continue
		}
		if !strings.Contains(string(made.Data), c.declares) {
			t.Errorf("%s %s does not declare %s", c.format, c.profile, c.declares)
		}
		if _, err := createFor(t, c.format, c.profile, strings.ReplaceAll(text, c.country, "XX")); err == nil {
			t.Errorf("%s %s: a country that there is not was accepted", c.format, c.profile)
		}
	}
}

func createFor(t *testing.T, format, profile, invoice string) (*write.Made, error) {
	t.Helper()
	request, err := create.ReadRequest(t.Context(), fmt.Appendf(nil, `{"invoice": %s, "options": {"profile": %q}}`, invoice, profile))
	if err != nil {
		t.Fatal(err)
	}
	return create.Document(t.Context(), kittest.Kit(t).Pages, format, request)
}
