package validate_test

import (
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/engine/lint"
	"einvoice/rulesets"
	"einvoice/service/validate"
)

// A name that no document has at its place is a mistake, wherever a rule has a path.
func TestCheckElements(t *testing.T) {
	const head = "ruleset: company\nversion: 1\nlayer: cius\n"
	rule := func(context, assert string) string {
		return head + "rules:\n  - id: C-1\n    level: fatal\n    context: " + context + "\n    assert: '" + assert + "'\n    btCodes: []\n    message: m\n    text: t\n"
	}
	for _, c := range []struct{ text, want string }{
		{rule("/ubl:Invoice/cac:OrderReference", "true"), ""},
		{rule("//cac:TaxSubtotal", `this.has("../cbc:TaxAmount") && this.elements("//cac:Party").all(p, p.text("cbc:EndpointID/@schemeID") != "")`), ""},
		{rule("/ubl:Invoice/ext:UBLExtensions/ext:UBLExtension/ext:ExtensionContent/cac:Anything", "true"), ""},
		{rule("/ubl:Invoice/cac:OrderReferenc", "true"), "company/1/a.yaml:7:27: there is no cac:OrderReferenc in ubl:Invoice; did you mean cac:OrderReference?"},
		{rule("/cn:CreditNote/cac:InvoiceLine", "true"), "company/1/a.yaml:7:29: there is no cac:InvoiceLine in cn:CreditNote; did you mean cac:InvoicePeriod?"},
		{rule("/ubl:Invoice[cbc:Iddd]", "true"), "company/1/a.yaml:7:27: there is no cbc:Iddd in ubl:Invoice; did you mean cbc:ID?"},
		{rule("/*", `this.text("cbc:NoteX") == ""`), "company/1/a.yaml:8:25: there is no cbc:NoteX in cn:CreditNote, rsm:CrossIndustryInvoice, ubl:Invoice; did you mean cbc:Note?"},
		{rule("/ubl:Invoice", `this.elements("cac:InvoiceLine").exists(l, l.has("cac:Itm"))`), "company/1/a.yaml:8:64: there is no cac:Itm in cac:InvoiceLine; did you mean cac:Item?"},
		{rule("/ubl:Invoice", `this.elements("cac:InvoiceLine").filter(l, true).sum(l, l.total("cbc:Amount")) > 0`), "company/1/a.yaml:8:79: there is no cbc:Amount in cac:InvoiceLine; did you mean cbc:LineExtensionAmount?"},
		{rule("//cac:TaxSubtotal", `this.has("../cbc:TaxAmont")`), "company/1/a.yaml:8:27: there is no cbc:TaxAmont in cac:TaxTotal, cac:WithholdingTaxTotal; did you mean cbc:TaxAmount?"},
		{rule("//cbc:EndpointID", `this.text("@schemID") == ""`), "company/1/a.yaml:8:25: cbc:EndpointID has no attribute schemID; did you mean schemeID?"},
		{rule("//ram:IncludedSupplyChainTradeLineItem", `this.has("ram:Name")`), "company/1/a.yaml:8:24: there is no ram:Name in ram:IncludedSupplyChainTradeLineItem"},
		{rule("//ram:IncludedSubordinateTradeLineItem", "true"), ""}, // EXTENDED has it
		{head + "tables:\n  - {kind: required, on: ubl, level: warning, context: /ubl:Invoice, rows: {C-2: cbc:Nots}}\n", "company/1/a.yaml:5:82: there is no cbc:Nots in ubl:Invoice; did you mean cbc:Note?"},
	} {
		l, err := engine.Open(engine.Layered(fstest.MapFS{"company/1/a.yaml": {Data: []byte(c.text)}}, rulesets.FS))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := validate.CheckLibrary(l, false); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.text, got, c.want)
		}
	}
}

// The paths of the rules that ship are no mistakes where nothing is laid over them either.
func TestShippedLibraryPasses(t *testing.T) {
	l, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	if err := lint.CheckElements(l, validate.Structure); err != nil {
		t.Error(err)
	}
}
