package expr_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"einvoice/engine/budget"
	"einvoice/engine/expr"
	"einvoice/engine/xpath"
	"einvoice/model"
)

// long is an invoice with a text of five million characters, a number of 200
// digits and 2,000 lines.
func long() *model.Document {
	return &model.Document{Invoice: &model.Invoice{
		BuyerReference: model.NewText(strings.Repeat("abcd ", 1_000_000)),
		Totals:         &model.Totals{PaidAmount: model.NewAmount(strings.Repeat("9", 199) + ".5")},
		Lines:          make([]model.Line, 2000),
	}}
}

// times applies a macro again and again, and multiplies what it makes each time.
func times(n int, step string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, ".map(v%d, %s)", i, strings.ReplaceAll(step, "v", fmt.Sprintf("v%d", i)))
	}
	return b.String()
}

// Everything that can take long, or make much, pays for it: with 20,000 steps
// none of these can end, and none takes more than was paid for.
func TestEverythingPays(t *testing.T) {
	const limit = 20_000
	const text, number = "invoice.buyerReference", "invoice.totals.paidAmount"
	doc := long()
	for _, expression := range []string{
		// loops
		"invoice.lines.all(a, !invoice.lines.exists(b, has(b.note) && has(a.note)))",
		"invoice.lines.all(a, invoice.lines.all(b, !has(b.note) || has(a.note))) || true",
		"!(invoice.lines.exists(a, invoice.lines.exists(b, has(b.note) && has(a.note))) && false)",
		"invoice.lines.exists_one(a, invoice.lines.exists_one(b, has(b.note) && has(a.note)))",
		"invoice.lines.filter(a, invoice.lines.filter(b, has(b.note) && has(a.note)).size() > 0).size()",
		"invoice.lines.map(a, invoice.lines.map(b, has(a.note) ? 2 : 1).size()).size()",
		"invoice.lines.sum(a, invoice.lines.sum(b, has(a.note) ? 2 : 1))",
		"invoice.lines.all(a, " + strings.Repeat("(has(a.note) || !has(a.note)) && ", 30) + "true)",
		// lists
		"(" + strings.Repeat("invoice.lines + ", 20) + "invoice.lines).size()",
		"invoice.lines.nested().size() + " + strings.Repeat("invoice.lines.nested().size() + ", 20) + "0",
		`invoice.lines.map(a, "x").all(x, x in invoice.lines.map(b, "y") || true)`,
		`invoice.lines.map(a, 1).all(x, x in invoice.lines.map(b, 2) || true)`,
		`invoice.lines.map(a, 1.5).all(x, x in invoice.lines.map(b, 2.5) || true)`,
		`invoice.lines.all(a, invoice.lines.map(b, has(a.note) ? "z" : "y").isDistinct() || true)`,
		// texts
		text + ".upperCase().size()", text + ".lowerCase().size()", text + ".normalizeSpace().size()",
		text + `.contains("e")`, text + `.startsWith("b") || ` + text + `.endsWith("x")`, text + ".size()", "size(" + text + ")",
		text + `.substring(4999999)`, text + `.substring(0, 4999999)`, text + `.substringBefore("z")`, text + `.substringAfter("z")`,
		text + `.replace("a", "b")`, text + `.split(" ").size()`, text + `.replaceMatches("b", "c")`, text + `.splitMatches("b").size()`,
		text + `.matches("e")`, `matches(` + text + `, "(a|b|c|d| )*e")`, text + ".mod97()", text + ".isDecimal()", text + ".isDate()",
		text + " == " + text + ` + ""`, text + " < " + text, text + " in [" + text + "]", text + `.isInCodeList("iso-4217")`,
		"decimal(" + text + ")", "date(" + text + ")", "[" + text + "].isDistinct()",
		// what grows
		`["0123456789"]` + times(20, "v + v"),
		`["0123456789"]` + times(20, `v.replace("", "ab")`),
		`["0123456789"]` + times(20, `v.replaceMatches(".", "$0$0$0")`),
		`["0123456789"]` + times(9, `(v + v + v + v + v + v + v + v + v + v)`) + ".size()",
		"[" + number + "].all(x, " + strings.Repeat("x * x * x * x * x * x * x * x * x * x > 0 && ", 200) + "true)",
		"[" + number + "].all(x, invoice.lines.all(l, " + strings.Repeat("x + x > x || ", 20) + "false))",
		"invoice.lines.map(l, " + number + ").all(x, abs(x) > 0 && roundHalfUp(x, 1000) > 0 && binary(x) > 0)",
	} {
		b := budget.New(context.Background(), limit)
		act := new(expr.Activation)
		act.Begin(doc, &xpath.Evaluation{Budget: b})
		act.SetGroup(model.ObjectOf(doc.Invoice))
		program, err := environment().Compile(expression, expr.Group(model.InvoiceType()))
		if err != nil {
			t.Errorf("%s: %v", expression, err)
			continue
		}
		if v, err := program.Value(act); !errors.Is(err, budget.ErrSteps) {
			t.Errorf("%.80s gives %.80v and %v after %d steps", expression, v, err, b.Used())
		}
		// The last step may be dear: it was not taken.
		if b.Used() > limit+5_000_000*512/64 {
			t.Errorf("%.80s took %d steps", expression, b.Used())
		}
	}
}

// Digits do not grow without end, even where steps are left.
func TestNumbersAreBounded(t *testing.T) {
	doc := long()
	act := activate(doc)
	act.SetGroup(model.ObjectOf(doc.Invoice))
	for _, expression := range []string{
		"[invoice.totals.paidAmount]" + times(20, "v * v"),
		"[invoice.totals.paidAmount]" + times(40, "v / 0.0000000000000000000000000000000000000000000000000000000000000000001"+strings.Repeat("0", 100)),
		"roundHalfUp(invoice.totals.paidAmount, 9223372036854775807)",
		"roundXPath(invoice.totals.paidAmount, -9223372036854775808)",
	} {
		program, err := environment().Compile(expression, expr.Group(model.InvoiceType()))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := program.Value(act); err == nil || errors.Is(err, budget.ErrSteps) {
			t.Errorf("%.80s: %v", expression, err)
		}
	}
}

// A long text that a regular expression reads does not delay the end of the
// context.
func TestEndOfContextEndsRegularExpressions(t *testing.T) {
	doc := long()
	ctx, cancel := context.WithCancel(context.Background())
	b := budget.New(ctx, 1<<40)
	act := new(expr.Activation)
	act.Begin(doc, &xpath.Evaluation{Budget: b})
	act.SetGroup(model.ObjectOf(doc.Invoice))
	program, err := environment().Condition(`invoice.buyerReference.matches("e") || true`, expr.Group(model.InvoiceType()))
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, ok := program.Bool(act); ok || !errors.Is(act.Err(), context.Canceled) || b.Used() > 10_000 {
		t.Errorf("%v after %d steps", act.Err(), b.Used())
	}
}

// An activation that has ended keeps nothing of its document.
func TestActivationForgets(t *testing.T) {
	doc := example(t, "base-ubl.xml")
	act := activate(doc)
	act.SetElement(doc.Source.Root())
	for _, f := range expr.Functions() {
		program, err := environment().Condition(f.Example, expr.Element())
		if err != nil {
			t.Fatal(err)
		}
		program.Bool(act)
	}
	if _, values := act.Remains(); !values {
		t.Error("no list was made in memory that is used again, so that nothing is tested of it")
	}
	act.End()
	if rest, values := act.Remains(); values || !reflect.DeepEqual(rest, expr.Activation{}) {
		t.Error("something is left")
	}
}
