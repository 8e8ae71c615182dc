package engine_test

import (
	"io/fs"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/engine/lint"
	"einvoice/model"
	"einvoice/rulesets"
)

// What a finding names does not depend on the syntax, nor on whether its rule
// selects in the invoice or in the document.
func TestFindingsNameTermsAndFields(t *testing.T) {
	l, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	v, err := l.Validator("en16931")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		file, old, new string
		rule           string
		terms, fields  string
		says           string
	}{
		{"base-ubl.xml", "<cbc:CustomizationID>urn:cen.eu:en16931:2017</cbc:CustomizationID>", "",
			"BR-01", "BT-24", "specificationId", "profile identifier"},
		{"base-cii.xml", "<ram:ID>urn:cen.eu:en16931:2017</ram:ID>", "",
			"BR-01", "BT-24", "specificationId", "document header"},
		{"base-ubl.xml", `mimeCode="application/pdf"`, `mimeCode="application/zip"`,
			"BR-CL-24", "BT-125-1", "supportingDocuments[0].attachmentMimeCode", "text/csv"},
		{"base-cii.xml", `mimeCode="application/pdf"`, `mimeCode="image/jpg"`,
			"BR-CL-24", "BT-125-1", "supportingDocuments[0].attachmentMimeCode", "image/jpeg"},
		{"base-ubl.xml", `<cbc:LineExtensionAmount currencyID="EUR">100.00</cbc:LineExtensionAmount>
    <cbc:TaxEx`, `<cbc:LineExtensionAmount currencyID="EUR">100.01</cbc:LineExtensionAmount>
    <cbc:TaxEx`,
			"BR-CO-10", "BT-106 BT-131", "totals.sumOfLineNetAmounts", "100.01"},
		{"base-ubl.xml", `<cbc:TaxAmount currencyID="EUR">19.00</cbc:TaxAmount>
    <cac`, `<cbc:TaxAmount currencyID="EUR">19.01</cbc:TaxAmount>
    <cac`,
			"BR-CO-14", "BT-110 BT-117", "totals.taxTotalAmount", "19.01"},
		{"base-cii.xml", `<ram:TaxTotalAmount currencyID="EUR">19.00`, `<ram:TaxTotalAmount currencyID="EUR">19.01`,
			"BR-CO-14", "BT-110 BT-117", "totals.taxTotalAmount", "does not match"},
		{"base-ubl.xml", "<cac:InvoicePeriod>\n    <cbc:StartDate>2026-11-01</cbc:StartDate>\n    <cbc:EndDate>2026-11-30</cbc:EndDate>", "<cbc:TaxPointDate>2026-11-15</cbc:TaxPointDate><cac:InvoicePeriod><cbc:DescriptionCode>35</cbc:DescriptionCode>",
			"BR-CO-03", "BT-7 BT-8", "vatPointDateCode", "mutually exclusive"},
		{"base-ubl.xml", "<cbc:ID>S</cbc:ID>\n        <cbc:Percent>19</cbc:Percent>\n        <cac:TaxScheme>\n          <cbc:ID>VAT</cbc:ID>\n        </cac:TaxScheme>\n      </cac:TaxCategory>\n    </cac:TaxSubtotal>", "<cbc:ID>E</cbc:ID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:TaxCategory></cac:TaxSubtotal>",
			"BR-E-10", "BT-120 BT-121", "", "Exempt VAT breakdown lacks an exemption reason"},
		{"base-ubl.xml", "<cbc:IdentificationCode>FR", "<cbc:IdentificationCode>FRA",
			"BR-CL-14", "BT-55", "buyer.postalAddress.countryCode", "FRA is not a country"},
		{"base-cii.xml", `<ram:GlobalID schemeID="0088">4000001000012`, `<ram:GlobalID schemeID="GLN">4000001000012`,
			"BR-CL-10", "BT-46-1", "buyer.identifier.schemeId", "GLN"},
		{"base-ubl.xml", `<cbc:InvoicedQuantity unitCode="HUR">`, `<cbc:InvoicedQuantity unitCode="hour">`,
			"BR-CL-23", "BT-130", "lines[0].invoicedQuantityUnitCode", "hour"},
		{"base-ubl.xml", `<cbc:PayableAmount currencyID="EUR">`, `<cbc:PayableAmount currencyID="Euro">`,
			"BR-CL-03", "BT-115", "totals.amountDueForPayment", "Euro"},
	} {
		t.Run(c.rule+" "+c.file, func(t *testing.T) {
			data, err := fs.ReadFile(rulesets.FS, "examples/"+c.file)
			if err != nil {
				t.Fatal(err)
			}
			changed := strings.Replace(string(data), c.old, c.new, 1)
			if changed == string(data) {
				t.Fatalf("%q is not in %s", c.old, c.file)
			}
			doc, err := read([]byte(changed))
			if err != nil {
				t.Fatal(err)
			}
			report, err := v.Validate(t.Context(), doc)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range report.Findings {
				if f.Rule != c.rule {
					continue
				}
				terms, fields := strings.Join(f.BTCodes, " "), strings.Join(f.Fields, " ")
				if terms != c.terms || fields != c.fields || !strings.Contains(f.Message, c.says) || f.Line == nil || f.Failed {
					t.Errorf("%+v", f)
				}
				return
			}
			t.Errorf("%s did not fire: %+v", c.rule, report.Findings)
		})
	}
}

// A variant may say what its context differs in: where fields are, what the
// message shows. Commas make a placeholder several entries of a list.
func TestVariantsOfFieldsAndMessage(t *testing.T) {
	rules := ruleset(`
  - id: UNUSED
    level: fatal
    context: /invoice
    assert: "true"
    neverFires: It is a joke.
    btCodes: []
    message: m
    text: t
    examples:
      - {passes: base}
repeat:
  - for: [{id: R-1, terms: "BT-1, BT-2"}]
    rules:
      - id: ${id}
        level: fatal
        context: /invoice
        assert: is(this.number, "A2")
        btCodes: ["${terms}"]
        fields: [number]
        message: "{this.number}"
        text: t
        variants:
          cii:
            context: /invoice/lines
            assert: filled(this.note)
            fields: [note]
            message: "line {this.identifier}"
            reason: r
        examples:
          - {fires: base}
          - {passes: {number: A2}}
          - {in: cii, fires: base}
          - {in: cii, passes: {"lines[0].note": n}}
`)
	l, err := engine.Open(rules)
	if err != nil {
		t.Fatal(err)
	}
	if err := lint.Check(l, true); err != nil {
		t.Fatal(err)
	}
	v, err := l.Validator("r")
	if err != nil {
		t.Fatal(err)
	}
	inv := &model.Invoice{Number: model.NewText("A1"), Lines: []model.Line{{Identifier: model.NewText("7")}}}
	for syntax, want := range map[model.Syntax]string{model.UBL: "A1 number", model.CII: "line 7 lines[0].note"} {
		report, err := v.Validate(t.Context(), &model.Document{Invoice: inv, Syntax: syntax})
		if err != nil || len(report.Findings) != 1 {
			t.Fatalf("%v %+v", err, report)
		}
		f := report.Findings[0]
		if got := f.Message + " " + strings.Join(f.Fields, " "); got != want || strings.Join(f.BTCodes, " ") != "BT-1 BT-2" {
			t.Errorf("%s: %q %v, want %q", syntax, got, f.BTCodes, want)
		}
	}
}
