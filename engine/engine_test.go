package engine_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/engine/lint"
	"einvoice/formats"
	"einvoice/model"
	"einvoice/rulesets"
)

func read(data []byte) (*model.Document, error) { return formats.Read(data, formats.Options{}) }

// ruleset wraps rules into a library of one ruleset "r/1".
func ruleset(rules string) fstest.MapFS {
	return fstest.MapFS{
		"r/1/rules.yaml":           {Data: []byte("ruleset: r\nversion: 1\nlayer: cius\nrules:\n" + rules)},
		"codelists/iso-4217.yaml":  {Data: []byte("list: iso-4217\ntitle: currencies\nversion: 2026\ncodes: EUR USD\n")},
		"examples/base.yaml":       {Data: []byte("number: A1\ntotals: {paidAmount: 0}\n")},
		"codelists/unreadable.txt": {Data: []byte("ignored")},
	}
}

func validate(t *testing.T, rules string, inv *model.Invoice) *engine.Report {
	t.Helper()
	l, err := engine.Open(ruleset(rules))
	if err != nil {
		t.Fatal(err)
	}
	v, err := l.Validator("r")
	if err != nil {
		t.Fatal(err)
	}
	report, err := v.Validate(context.Background(), &model.Document{Invoice: inv})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

const rule = `
  - id: R-1
    level: fatal
    context: CONTEXT
    assert: 'ASSERT'
    btCodes: []
    message: m
    text: t
`

func one(context, assert string) string {
	return strings.NewReplacer("CONTEXT", context, "ASSERT", strings.ReplaceAll(assert, "'", "''")).Replace(rule)
}

func TestAssertions(t *testing.T) {
	inv := &model.Invoice{
		Number:   model.NewText(" A1 "),
		TypeCode: model.NewText(""),
		Totals:   &model.Totals{PaidAmount: model.NewAmount("0.00"), SumOfLineNetAmounts: model.NewAmount("30.10")},
		Lines: []model.Line{
			{NetAmount: model.NewAmount("10.05"), Vat: &model.LineVat{CategoryCode: model.NewText("S")}},
			{NetAmount: model.NewAmount("20.05")},
		},
	}
	for _, c := range []struct {
		assert string
		holds  bool
	}{
		{`this.lines.sum(l, l.netAmount) == 30.1`, true},
		{`this.lines.sum(l, l.vat.categoryCode == "S", l.netAmount) == 10.05`, false}, // the second line has no category
		{`this.lines.sum(l, has(l.vat.categoryCode) && l.vat.categoryCode == "S", l.netAmount) == 10.05`, true},
		{`this.lines.all(l, l.netAmount > 10)`, true},
		{`this.lines.exists(l, l.netAmount > 20)`, true},
		{`this.lines.exists(l, l.vat.categoryCode == "S")`, true}, // an error on one line does not hide the other
		{`this.lines.exists_one(l, l.netAmount > 10)`, false},
		{`this.lines.filter(l, l.netAmount > 20).size() == 1`, true},
		{`this.lines.map(l, l.netAmount).exists(n, n == 20.05)`, true},
		{`has(this.totals.paidAmount) && this.totals.paidAmount == 0`, true},
		{`has(this.totals.roundingAmount)`, false},
		{`this.totals.roundingAmount == 0`, false}, // absent is not zero
		{`has(this.typeCode) && !filled(this.typeCode)`, true},
		{`fractionDigits(this.totals.paidAmount) == 2`, true},
		{`this.number.normalizeSpace() == "A1" && this.number != "A1"`, true},
		{`has(this.seller.postalAddress.countryCode)`, false}, // absent groups read through
		{`this.seller.name == "x" || true`, true},
		{`this.seller.name == "x" && false`, false},
		{`this.totals.sumOfLineNetAmounts / 3 > 10.03 ? true : false`, true},
		{`this.lines.size() * 2 - 1 == 3 && -this.totals.sumOfLineNetAmounts == -30.1`, true},
		{`this.lines.all(l, this.lines.exists(m, m.netAmount == l.netAmount))`, true},
	} {
		if got := validate(t, one("/invoice", c.assert), inv).Valid; got != c.holds {
			t.Errorf("%s: %v, want %v", c.assert, got, c.holds)
		}
	}
}

func TestContexts(t *testing.T) {
	inv := &model.Invoice{
		Lines: []model.Line{
			{Vat: &model.LineVat{CategoryCode: model.NewText("S")}, SubLines: []model.Line{{Vat: &model.LineVat{CategoryCode: model.NewText("E")}}}},
			{Vat: &model.LineVat{CategoryCode: model.NewText("E"), Rate: model.NewNumber("0")}},
			{},
		},
		Allowances: []model.DocumentAllowance{{Vat: &model.AllowanceVat{CategoryCode: model.NewText(" E ")}}},
	}
	for _, c := range []struct {
		context string
		nodes   int
	}{
		{"/invoice", 1},
		{"/invoice/lines", 3},
		{"/invoice/lines[vat]", 2},
		{"/invoice/lines[not(vat)]", 1},
		{"/invoice/lines[vat/categoryCode='E']", 1},
		{"/invoice/lines/vat[categoryCode='E' and rate]", 1},
		{"/invoice/lines/vat[categoryCode='E' or categoryCode='S']", 2},
		{"/invoice/lines/vat[categoryCode!='E']", 1},
		{"/invoice//vat", 4},
		{"/invoice//vat[normalize-space(categoryCode)='E']", 3},
		{"/invoice//subLines", 1},
		{"/invoice/lines | /invoice/allowances", 4},
		{"/invoice/lines[count(subLines) = 1]", 1},
		{"/invoice/lines/vat[starts-with(categoryCode, 'E')]", 1},
		{"/invoice/lines/vat[string-length(categoryCode) < 2]", 2},
		{"/invoice[not(totals)]/lines/vat[number(rate) = 0]", 1},
		{"/invoice//vat[contains(categoryCode, ' ')]", 1},
		{"/invoice/lines[vat/categoryCode='Z'] | /invoice/totals", 0},
		{"/invoice/lines[identifier or not(note)] | /invoice/lines[not(netAmount)]", 3},
		{"/invoice/lines[../allowances]", 3},
		{"/invoice//vat[../../*]", 4}, // elsewhere than below
	} {
		if got := len(validate(t, one(c.context, "false"), inv).Findings); got != c.nodes {
			t.Errorf("%s selects %d nodes, want %d", c.context, got, c.nodes)
		}
	}
}

func TestFindingsSayWhere(t *testing.T) {
	inv := &model.Invoice{Lines: []model.Line{{}, {Vat: &model.LineVat{Rate: model.NewNumber("7")}}}}
	report := validate(t, `
  - id: R-1
    level: warning
    context: /invoice/lines/vat
    assert: this.rate == 19
    btCodes: [BT-152]
    fields: [rate, /number]
    message: "The rate is {this.rate}, {invoice.lines.size()} lines, number {invoice.number}."
    text: Rates are 19.
`, inv)
	if len(report.Findings) != 1 {
		t.Fatalf("%d findings", len(report.Findings))
	}
	f := report.Findings[0]
	if f.Message != "The rate is 7, 2 lines, number nothing." || f.Raw != "[R-1](cius) Rates are 19." ||
		strings.Join(f.Fields, " ") != "lines[1].vat.rate number" || !report.Valid || report.Counts.Warning != 1 {
		t.Errorf("%+v", f)
	}
}

func TestUndecidedRulesCountAsViolated(t *testing.T) {
	inv := &model.Invoice{Totals: &model.Totals{PaidAmount: model.NewAmount("ten")}}
	report := validate(t, one("/invoice/totals", "this.paidAmount > 0"), inv)
	if report.Valid || !report.Findings[0].Failed || !strings.Contains(report.Findings[0].Message, `BT-113 (paidAmount) is "ten"`) {
		t.Errorf("%+v", report.Findings)
	}
}

func TestNoApplicableRuleIsAnError(t *testing.T) {
	l, err := engine.Open(ruleset(strings.Replace(one("//cbc:ID", "true"), "level:", "on: ubl\n    level:", 1)))
	if err != nil {
		t.Fatal(err)
	}
	v, err := l.Validator("r")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Validate(context.Background(), &model.Document{Invoice: &model.Invoice{}, Syntax: model.CII}); err == nil {
		t.Error("a run without rules must not be a report")
	}
}

func TestLoadErrorsSayWhere(t *testing.T) {
	for _, c := range []struct{ name, rules, want string }{
		{"undefined field", one("/invoice", "this.totals.sumOfLineNetAmount == 1"), "r/1/rules.yaml:9:25: undefined field 'sumOfLineNetAmount'"},
		{"wrong type", one("/invoice", "this.number == 5"), "r/1/rules.yaml:9:26: == does not go with a text and an integer"},
		{"not boolean", one("/invoice", "this.number"), "an assertion must be true or false"},
		{"context selects nothing", one("/invoice/line", "true"), "r/1/rules.yaml:8:23: Invoice has no group line"},
		{"context is a term", one("/invoice/number", "true"), "number is a term, not a group"},
		{"trailing text", one("/invoice/lines eq 1", "true"), "unexpected \"eq 1\""},
		{"for expression", one("for $x in /invoice return $x", "true"), "XPath 1.0 has no for"},
		{"axis", one("/invoice/descendant::lines", "true"), "8:23: rules do not have the axis descendant: write //a"},
		{"unknown function", one("/invoice/lines[matches(note, 'x')]", "true"), "unknown function matches"},
		{"relative context", one("lines", "true"), "a context begins with /"},
		{"unknown prefix", one("//foo:ID", "true"), `unknown prefix "foo"`},
		{"unknown code list", one("/invoice", `this.number.isInCodeList("nope")`), `there is no code list "nope"`},
		{"bad regular expression", one("/invoice", `this.number.matches("(")`), "the regular expression has a mistake: missing closing )"},
		{"pattern from the invoice", one("/invoice", `this.number.matches(this.number)`), "must be a literal"},
		{"unknown key", strings.Replace(one("/invoice", "true"), "level:", "severity: x\n    level:", 1), `unknown key "severity"`},
		{"duplicate key", strings.Replace(one("/invoice", "true"), "level:", "level: fatal\n    level:", 1), `the key "level" is written twice`},
		{"duplicate id", one("/invoice", "true") + one("/invoice", "true"), "rule R-1 is defined twice"},
		{"unknown level", strings.Replace(one("/invoice", "true"), "fatal", "deadly", 1), `unknown level "deadly"`},
		{"missing key", strings.Replace(one("/invoice", "true"), "    message: m\n", "", 1), `lacks the key "message"`},
		{"unknown term", strings.Replace(one("/invoice", "true"), "btCodes: []", "btCodes: [BT-999]", 1), "BT-999 is not a term"},
		{"unknown field path", strings.Replace(one("/invoice", "true"), "message: m", "message: m\n    fields: [totals.paid]", 1), "Totals has no paid; did you mean paidAmount?"},
		{"message expression", strings.Replace(one("/invoice", "true"), "message: m", `message: "{this.nope}"`, 1), "undefined field 'nope'"},
		{"sum without a variable", one("/invoice", "this.lines.sum(1, 2) == 3"), "must be a variable name"},
		{"deep nesting", one("/invoice", strings.Repeat("(", 300)+"true"+strings.Repeat(")", 300)), "the expression is nested too deeply: use fewer parentheses"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, err := engine.Open(ruleset(c.rules))
			if err != nil {
				t.Fatal(err)
			}
			err = lint.Check(l, false)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestAllLoadErrorsComeTogether(t *testing.T) {
	l, err := engine.Open(ruleset(one("/invoice", "this.x") + strings.Replace(one("/invoice/y", "true"), "R-1", "R-2", 1)))
	if err != nil {
		t.Fatal(err)
	}
	err = lint.Check(l, true)
	if err == nil || len(err.(engine.LoadErrors)) != 6 { // two mistakes, four missing examples
		t.Errorf("%v", err)
	}
}

func TestShippedRulesetsLoad(t *testing.T) {
	l, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	if err := lint.Check(l, true); err != nil {
		t.Error(err)
	}
}
