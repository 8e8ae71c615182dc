package schema_test

import (
	"slices"
	"strings"
	"testing"
)

// Faults name the constraints that Xerces reports. make kosit compares them on all suites.
func TestConstraints(t *testing.T) {
	const head = `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">`
	const parties = `<cac:AccountingSupplierParty/><cac:AccountingCustomerParty/><cac:LegalMonetaryTotal><cbc:PayableAmount currencyID="EUR">1</cbc:PayableAmount></cac:LegalMonetaryTotal>`
	const line = `<cac:InvoiceLine><cbc:ID>1</cbc:ID><cbc:LineExtensionAmount currencyID="EUR">1</cbc:LineExtensionAmount><cac:Item/></cac:InvoiceLine>`
	for name, tt := range map[string]struct {
		doc  string
		want []string
	}{
		"valid":               {`<cbc:ID>1</cbc:ID><cbc:IssueDate>2026-01-01</cbc:IssueDate>` + parties + line, nil},
		"missing, before":     {`<cbc:ID>1</cbc:ID>` + parties + line, []string{"cvc-complex-type.2.4.a"}},
		"missing, at the end": {`<cbc:ID>1</cbc:ID><cbc:IssueDate>2026-01-01</cbc:IssueDate>` + parties, []string{"cvc-complex-type.2.4.b"}},
		"value":               {`<cbc:ID>1</cbc:ID><cbc:IssueDate>x</cbc:IssueDate>` + parties + line, []string{"cvc-datatype-valid.1.2.1", "cvc-complex-type.2.2"}},
		"attribute missing":   {`<cbc:ID>1</cbc:ID><cbc:IssueDate>2026-01-01</cbc:IssueDate>` + strings.Replace(parties, ` currencyID="EUR"`, "", 1) + line, []string{"cvc-complex-type.4"}},
		"attribute unknown":   {`<cbc:ID x="1">1</cbc:ID><cbc:IssueDate>2026-01-01</cbc:IssueDate>` + parties + line, []string{"cvc-complex-type.3.2.2"}},
		"text":                {`<cbc:ID>1</cbc:ID><cbc:IssueDate>2026-01-01</cbc:IssueDate>` + parties + line + "x", []string{"cvc-complex-type.2.3"}},
		"unexpected":          {`<cbc:ID>1</cbc:ID><cbc:IssueDate>2026-01-01</cbc:IssueDate>` + parties + strings.Replace(line, "<cac:Item/>", "<cac:Item><cac:CertificateOfOriginApplication/></cac:Item>", 1), []string{"cvc-complex-type.2.4.a"}},
	} {
		var got []string
		for _, f := range load(t, "ubl-2.1-invoice").Check(parse(t, []byte(head+tt.doc+"</Invoice>")), 100) {
			got = append(got, f.Constraints...)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}
