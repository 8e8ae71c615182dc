package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/model"
)

// manyLines is an invoice of so many lines, with a document or without one.
func manyLines(t *testing.T, lines int, source bool) *model.Document {
	t.Helper()
	if !source {
		return &model.Document{Invoice: &model.Invoice{Number: model.NewText("A1"), Lines: make([]model.Line, lines)}}
	}
	var b strings.Builder
	b.WriteString(`<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"><cbc:ID>A1</cbc:ID>`)
	for i := range lines {
		fmt.Fprintf(&b, `<cac:InvoiceLine><cbc:ID>%d</cbc:ID><cbc:Note>n</cbc:Note></cac:InvoiceLine>`, i+1)
	}
	b.WriteString(`</Invoice>`)
	doc, err := read([]byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// besides is a library of one rule beside two others, one of which is violated.
func besides(t *testing.T, rule string) *engine.Validator {
	t.Helper()
	fsys := ruleset(rule + strings.Replace(one("/invoice", `this.number == "A1"`), "R-1", "HOLDS", 1) +
		strings.Replace(one("/invoice", `this.number != "A1"`), "R-1", "VIOLATED", 1))
	l, err := engine.Open(fsys)
	if err != nil {
		t.Fatal(err)
	}
	v, err := l.Validator("r")
	if err != nil {
		t.Fatal(err)
	}
	return v
}

const threeLoops = `invoice.lines.all(a, invoice.lines.all(b, invoice.lines.all(c, c.identifier != "x" || has(a.note) || has(b.note))))`

// A rule that needs too many steps is one finding that says so, whatever its
// expression makes of errors and at however many nodes it is asked. The other
// rules are decided as if it were not there.
func TestTooManySteps(t *testing.T) {
	onSource := func(rule string) string { return strings.Replace(rule, "level:", "on: ubl\n    level:", 1) }
	for _, c := range []struct {
		name, rule string
		source     bool
	}{
		{"nested loops", one("/invoice", threeLoops), false},
		{"nested loops, absorbed by or", one("/invoice", threeLoops+" || true"), false},
		{"nested loops, absorbed by and", one("/invoice", "!("+threeLoops+" && false)"), false},
		{"nested loops, absorbed by exists", one("/invoice", `invoice.lines.exists(z, `+threeLoops+`) || !has(this.number)`), false},
		{"nested loops in a condition that is not chosen", one("/invoice", `(`+threeLoops+` ? true : true)`), false},
		{"two loops at each line", one("/invoice/lines", "invoice.lines.all(b, invoice.lines.all(c, !has(c.note) || has(b.note) || has(this.note)))"), false},
		{"one loop at each line", one("/invoice/lines", "invoice.lines.sum(b, has(this.note) ? 2 : 1) + invoice.lines.sum(b, has(this.note) ? 2 : 1) > 0"), false},
		{"in a message", strings.Replace(one("/invoice", "false"), "message: m", `message: "{invoice.lines.map(a, invoice.lines.map(b, invoice.lines.filter(c, has(c.note) && has(b.note) && has(a.note)).size()).size()).size()}"`, 1), false},
		{"predicates of a context", onSource(one("//*[count(//*[count(//*)>0])>0]", "true")), true},
		{"predicates of a context over the invoice", one("/invoice/lines[//identifier = 'x']", "true"), false},
		{"a context of many paths", onSource(one(`"`+strings.Repeat("//*[@x] | ", 2999)+`//*[@x]"`, "true")), true},
		{"a path of an assertion", onSource(one("/*", `this.count("//*[count(//*[count(//*)>0])>0]") > 0 || true`)), true},
		{"a path at each element", onSource(one("//cbc:ID", `this.elements("//cbc:Note | .").size() > 0`)), true},
		{"texts at each element", onSource(one("//cbc:ID", `this.texts("//cbc:Note | .").isDistinct() || true`)), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			report, err := besides(t, c.rule).Validate(t.Context(), manyLines(t, 3000, c.source))
			if err != nil {
				t.Fatal(err)
			}
			checkUndecided(t, report, "R-1")
		})
	}
}

// checkUndecided looks for the one finding that a rule needs too many steps,
// beside the one of the rule that is violated.
func checkUndecided(t *testing.T, report *engine.Report, rule string) {
	t.Helper()
	got := map[string]int{}
	for _, f := range report.Findings {
		got[f.Rule]++
		if f.Rule == rule && (!f.Failed || !strings.HasPrefix(f.Message, "Rule "+rule+" needs too many steps: more than ") ||
			!strings.Contains(f.Message, "nothing in the document has to be corrected")) {
			t.Errorf("%+v", f)
		}
	}
	if len(got) != 2 || got[rule] != 1 || got["VIOLATED"] != 1 {
		t.Errorf("findings of rules: %v", got)
	}
}

// Groups inside groups are found at any depth, each once, however many ways lead
// to them; predicates that look at all groups from each are too much.
func TestDeepContextsOverModel(t *testing.T) {
	deepest := model.Line{}
	for range 600 {
		deepest = model.Line{SubLines: []model.Line{deepest}}
	}
	doc := &model.Document{Invoice: &model.Invoice{Number: model.NewText("A1"), Lines: []model.Line{deepest}}}
	for _, context := range []string{"/invoice//subLines//subLines//subLines", "/invoice//subLines[count(subLines) >= 0]//subLines//subLines"} {
		report, err := besides(t, one(context, "false")).Validate(t.Context(), doc)
		if err != nil {
			t.Fatal(err)
		}
		if len(report.Findings) != 598+1 {
			t.Errorf("%s: %d findings", context, len(report.Findings))
		}
	}
	report, err := besides(t, one("/invoice//subLines[count(//subLines) > 0]", "true")).Validate(t.Context(), doc)
	if err != nil {
		t.Fatal(err)
	}
	checkUndecided(t, report, "R-1")
}

func TestTooManyStepsInTables(t *testing.T) {
	fsys := fstest.MapFS{"r/1/tables.yaml": {Data: []byte(`
ruleset: r
version: 1
layer: profile
rules:
  - {id: VIOLATED, level: fatal, context: /invoice, assert: this.number != "A1", btCodes: [], message: m, text: t}
tables:
  - {kind: required, on: ubl, level: fatal, context: //cbc:ID, rows: {R-1: "//cbc:Note[count(../..//cbc:ID) > 0]"}}
`)}}
	l, err := engine.Open(fsys)
	if err != nil {
		t.Fatal(err)
	}
	v, err := l.Validator("r")
	if err != nil {
		t.Fatal(err)
	}
	report, err := v.Validate(t.Context(), manyLines(t, 1000, true))
	if err != nil {
		t.Fatal(err)
	}
	checkUndecided(t, report, "R-1")
}

// A rule may look at each line a few times, on an invoice of any length.
func TestEnoughSteps(t *testing.T) {
	rule := one("/invoice", `invoice.lines.all(a, !has(a.note)) && invoice.lines.filter(a, has(a.note)).size() == 0 && invoice.lines.sum(a, 1) > 0`)
	report, err := besides(t, rule).Validate(t.Context(), manyLines(t, 1_000_000, false))
	if err != nil || len(report.Findings) != 1 {
		t.Errorf("%v %+v", err, report)
	}
}

// endsAfter is a context that ends when it was looked at so many times.
type endsAfter struct {
	context.Context
	looks int
}

func (c *endsAfter) Err() error {
	if c.looks--; c.looks < 0 {
		return context.Canceled
	}
	return nil
}

// The end of a validation's context ends every rule, and no report comes of it.
func TestEndOfContextEndsRules(t *testing.T) {
	for name, rule := range map[string]string{
		"loops":                  one("/invoice", threeLoops+" || true"),
		"a loop at each line":    one("/invoice/lines", "invoice.lines.all(b, !has(b.note))"),
		"few steps at each line": one("/invoice/lines", "!has(this.note)"),
		"predicates":             strings.Replace(one("//*[count(//*[count(//*)>0])>0]", "true"), "level:", "on: ubl\n    level:", 1),
		"a message":              strings.Replace(one("/invoice", "false"), "message: m", "message: '{"+threeLoops+"}'", 1),
	} {
		t.Run(name, func(t *testing.T) {
			ctx := &endsAfter{Context: context.Background(), looks: 3}
			report, err := besides(t, rule).Validate(ctx, manyLines(t, 3000, name == "predicates"))
			if !errors.Is(err, context.Canceled) || report != nil {
				t.Errorf("%v %+v", err, report)
			}
			if ctx.looks < -20 {
				t.Errorf("%d looks at the context after its end", -ctx.looks)
			}
		})
	}
}

// An expression that is evaluated by itself has the steps of one rule.
func TestEvaluateBoundsSteps(t *testing.T) {
	l, err := engine.Open(ruleset(one("/invoice", "true")))
	if err != nil {
		t.Fatal(err)
	}
	doc := manyLines(t, 3000, true)
	values, err := l.Evaluate(t.Context(), doc, "/invoice/lines", "invoice.lines.all(a, invoice.lines.all(b, has(b.identifier) || has(a.note)))")
	if err != nil || len(values) != 1 || values[0].Err == nil || !strings.Contains(values[0].Err.Error(), "it takes more than") {
		t.Errorf("%v %+v", err, values)
	}
	if _, err := l.Evaluate(t.Context(), doc, "//*[count(//*[count(//*)>0])>0]", "true"); err == nil || !strings.Contains(err.Error(), "too many steps") {
		t.Errorf("selecting: %v", err)
	}
	ended := &endsAfter{Context: context.Background(), looks: 2}
	if values, err := l.Evaluate(ended, doc, "/invoice", threeLoops); !errors.Is(err, context.Canceled) || values != nil {
		t.Errorf("%v %+v", err, values)
	}
}
