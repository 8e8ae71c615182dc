package validate_test

import (
	"context"
	"io/fs"
	"strings"
	"testing"

	"einvoice/rulesets"
	"einvoice/service/internal/kittest"
	"einvoice/service/validate"
)

// A fault of the schema names the term it is about, also when that is what is
// missing, and the business rules run on what could be read.
func TestSchemaFindingsNameTheTerm(t *testing.T) {
	data, err := fs.ReadFile(rulesets.FS, "examples/base-ubl.xml")
	if err != nil {
		t.Fatal(err)
	}
	s := kittest.Kit(t)
	for _, c := range []struct{ name, old, new, rule, code, field, location string }{
		{"missing", "<cbc:ID>INV-2026-001</cbc:ID>", "", "XSD-MISSING", "BT-1", "number", "/ubl:Invoice/cbc:IssueDate"},
		{"value", "2026-11-20", "20.11.2026", "XSD-VALUE", "BT-2", "issueDate", "/ubl:Invoice/cbc:IssueDate"},
		{"attribute", ` currencyID="EUR">119.00</cbc:PayableAmount>`, ">119.00</cbc:PayableAmount>", "XSD-ATTRIBUTE", "BT-115", "totals.amountDueForPayment", "/ubl:Invoice/cac:LegalMonetaryTotal/cbc:PayableAmount"},
		{"missing in a line", `<cbc:LineExtensionAmount currencyID="EUR">100.00</cbc:LineExtensionAmount>
    <cac:InvoicePeriod>`, "<cac:InvoicePeriod>", "XSD-MISSING", "BT-131", "lines[0].netAmount", ""},
		{"missing in a document", "<cac:AccountingSupplierParty>", "<cac:AdditionalDocumentReference><cbc:DocumentDescription>x</cbc:DocumentDescription></cac:AdditionalDocumentReference><cac:AccountingSupplierParty>",
			"XSD-MISSING", "BT-122", "supportingDocuments[1].reference", ""},
		{"missing in an empty document", "<cac:AccountingSupplierParty>", "<cac:AdditionalDocumentReference/><cac:AccountingSupplierParty>", "XSD-MISSING", "BT-122", "supportingDocuments[1].reference", ""},
		{"missing in one of several lists", "<cac:TaxSubtotal>", "<cac:TaxSubtotal/><cac:TaxSubtotal>", "XSD-MISSING", "BT-117", "vatBreakdowns[0].taxAmount", ""},
		{"unexpected", "<cbc:DueDate>", "<cbc:Foo/><cbc:DueDate>", "XSD-UNEXPECTED", "", "", "/ubl:Invoice/cbc:Foo"},
	} {
		t.Run(c.name, func(t *testing.T) {
			changed := strings.Replace(string(data), c.old, c.new, 1)
			if changed == string(data) {
				t.Fatal("nothing was changed")
			}
			result, err := s.Validate(context.Background(), []byte(changed), validate.Rules{})
			if err != nil {
				t.Fatal(err)
			}
			if *result.Report.SchemaValid || result.Report.Valid || result.Report.RulesRun < 500 {
				t.Errorf("schema valid %v, valid %v, %d rules", *result.Report.SchemaValid, result.Report.Valid, result.Report.RulesRun)
			}
			for _, f := range result.Report.Findings {
				if f.Rule != c.rule {
					continue
				}
				if strings.Join(f.BTCodes, " ") != c.code || strings.Join(f.Fields, " ") != c.field || c.location != "" && f.Location != c.location || f.Line == nil {
					t.Errorf("%+v", f)
				}
				return
			}
			t.Errorf("%s is not reported: %+v", c.rule, result.Report.Findings)
		})
	}
}

// A profile with a schema of its own is validated against it: MINIMUM has no notes,
// and the schema of the syntax knows them.
func TestProfileSchema(t *testing.T) {
	data, err := fs.ReadFile(rulesets.FS, "examples/base-cii.xml")
	if err != nil {
		t.Fatal(err)
	}
	s := kittest.Kit(t)
	for _, c := range []struct {
		profile, document string
		inSyntax          bool
		unexpected        string // first element that the schema does not expect
	}{
		{"facturx-en16931", string(data), true, ""},
		{"facturx-minimum", string(data), true, "/rsm:CrossIndustryInvoice/rsm:ExchangedDocument/ram:IncludedNote"},
		{"facturx-en16931", strings.Replace(string(data), "<rsm:ExchangedDocument>", "<rsm:ExchangedDocument><ram:Foo/>", 1), false, "/rsm:CrossIndustryInvoice/rsm:ExchangedDocument/ram:Foo"},
	} {
		t.Run(c.profile, func(t *testing.T) {
			result, err := s.Validate(context.Background(), []byte(c.document), validate.Rules{Profile: c.profile})
			if err != nil {
				t.Fatal(err)
			}
			first := ""
			for _, f := range result.Report.Findings {
				if f.Rule == "XSD-UNEXPECTED" {
					first = f.Location
					break
				}
			}
			if *result.Report.SchemaValid != c.inSyntax || first != c.unexpected || result.Report.Valid != (c.unexpected == "") {
				t.Errorf("valid in the syntax %t, unexpected %q, valid %t", *result.Report.SchemaValid, first, result.Report.Valid)
			}
		})
	}
}
