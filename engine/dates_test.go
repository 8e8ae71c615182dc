package engine_test

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/engine/lint"
	"einvoice/formats"
	"einvoice/model"
	"einvoice/rulesets"
)

// Days are the same in both syntaxes, which write them differently: the example documents
// are one invoice.
func TestDaysInBothSyntaxes(t *testing.T) {
	l, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ context, expression, want string }{
		{"/invoice", `daysBetween(this.issueDate, this.paymentDueDate)`, "30"},
		{"/invoice", `daysBetween(this.paymentDueDate, this.issueDate)`, "-30"},
		{"/invoice", `addDays(this.issueDate, 30) == this.paymentDueDate`, "true"},
		{"/invoice", `this.issueDate == date("2026-11-20")`, "true"},
		{"/invoice", `this.issueDate < this.paymentDueDate`, "true"},
		{"/invoice", `firstOfMonth(this.issueDate) == this.invoicingPeriod.startDate`, "true"},
		{"/invoice", `lastOfMonth(this.issueDate) == this.invoicingPeriod.endDate`, "true"},
		{"/invoice", `valid(this.issueDate) && filled(this.issueDate)`, "true"},
		{"/invoice/precedingInvoices", `daysBetween(this.issueDate, invoice.issueDate)`, "50"},
		{"/invoice/lines[period]", `daysBetween(this.period.startDate, this.period.endDate) + 1`, "30"},
	} {
		for _, syntax := range model.Syntaxes() {
			data, err := fs.ReadFile(rulesets.FS, "examples/base-"+string(syntax)+".xml")
			if err != nil {
				t.Fatal(err)
			}
			doc, err := formats.Read(data, formats.Options{})
			if err != nil {
				t.Fatal(err)
			}
			values, err := l.Evaluate(context.Background(), doc, c.context, c.expression)
			if err != nil || len(values) != 1 {
				t.Errorf("%s in %s: %d values, %v", c.expression, syntax, len(values), err)
				continue
			}
			if got := fmt.Sprint(values[0].Value); values[0].Err != nil || got != c.want {
				t.Errorf("%s in %s: got %s, %v, want %s", c.expression, syntax, got, values[0].Err, c.want)
			}
		}
	}
}

// What is written of a date differs by syntax, which a rule for both is warned of.
func TestRawDates(t *testing.T) {
	const rule = "ruleset: company\nversion: 1\nlayer: cius\nrules:\n" +
		"  - {id: C-1, level: fatal, context: /invoice, assert: 'raw(this.%s).startsWith(\"2026\")', btCodes: [%s], fields: [], message: m, text: t%s}\n"
	for _, c := range []struct{ term, code, more, want string }{
		{"issueDate", "BT-2", "", "rule C-1 takes raw(...) of a date (BT-2), which UBL writes as 2026-11-20 and CII as 20261120: compare dates as dates"},
		{"issueDate", "BT-2", ", on: ubl", ""},
		{"number", "BT-1", "", ""},
	} {
		l, err := engine.Open(engine.Layered(fstest.MapFS{"company/1/a.yaml": {Data: fmt.Appendf(nil, rule, c.term, c.code, c.more)}}, rulesets.FS))
		if err != nil {
			t.Fatal(err)
		}
		got := strings.TrimPrefix(warningsOf(t, l).Error(), "company/1/a.yaml:5:57: ")
		if got != c.want {
			t.Errorf("%s%s: got %q, want %q", c.term, c.more, got, c.want)
		}
	}
}

// warningsOf are the warnings about a library without mistakes.
func warningsOf(t *testing.T, l *engine.Library) engine.LoadErrors {
	t.Helper()
	if err := lint.Check(l, false); err != nil {
		t.Fatal(err)
	}
	warnings, err := lint.Warnings(l)
	if err != nil {
		t.Fatal(err)
	}
	return warnings
}
