package xpath_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"einvoice/engine/budget"
	"einvoice/engine/xpath"
	"einvoice/engine/xpath/query"
	"einvoice/model"
	"einvoice/model/source"
)

const limit = 1_000_000

// wide is a document of 10,001 elements.
func wide(t testing.TB) *document {
	t.Helper()
	return parseDocument(t, `<cac:A xmlns:cac="`+source.Prefixes["cac"]+`" xmlns:cbc="`+source.Prefixes["cbc"]+`">`+
		strings.Repeat(`<cac:B><cbc:C x="1">1</cbc:C><cbc:D>2</cbc:D><cbc:C>3</cbc:C></cac:B>`, 2500)+`</cac:A>`)
}

// endless are contexts that need more than a million steps on wide.
var endless = []string{
	"//*[count(../..//*[count(..//*) > 0]) > 0]",
	strings.Repeat("//* | ", 2999) + "//*",
	strings.Repeat("//cbc:C | ", 2999) + "//cbc:C",
	"//*[../../*[cbc:Nothing]]",
	"//cbc:C[. = ../..//cbc:D[. = 'x']]",
	"//cbc:C[//cbc:D = //cbc:Nothing]",
	"//*[sum(//cbc:C) = 0]",
	"//*[not(../..//*//cbc:C[@y])]",
	"//*[string-length(/*) = 1]",
	"//*[contains(string(/*/..), 'x')]",
	"//*[count(//*/.. | //*/../..) = 0]",
	"//*[count(../*/../*) = -1]",
	"//*[../*[last()] = 5]/cbc:C[count(//@x | //@x) = 0]",
}

// A selection that needs too many steps is told so once, and no other.
func TestWalkStops(t *testing.T) {
	d := wide(t)
	for _, text := range endless {
		name := text[:min(len(text), 60)]
		dispatcher := xpath.NewDispatcher[int]()
		dispatcher.Add(0, contextPaths(t, text)...)
		dispatcher.Add(1, contextPaths(t, "//cbc:D | //cac:B[2]")...)
		e := &xpath.Evaluation{}
		e.Begin(d.tree, budget.New(context.Background(), limit))
		stopped, other := 0, 0
		err := dispatcher.Walk(e, func(to int, _ source.Ref, err error) {
			switch {
			case to == 1 && err == nil:
				other++
			case to == 0 && errors.Is(err, budget.ErrSteps):
				stopped++
			case to == 0 && err == nil && stopped == 0:
			default:
				t.Errorf("%s: context %d: %v", name, to, err)
			}
		})
		if err != nil || stopped != 1 || other != 2501 {
			t.Errorf("%s: %v, %d times stopped, %d nodes of the other", name, err, stopped, other)
		}
	}
}

// What an expression needs is bounded, however it is evaluated.
func TestExpressionsStop(t *testing.T) {
	d := wide(t)
	inv := &model.Invoice{Lines: make([]model.Line, 3000)}
	for i := range inv.Lines {
		inv.Lines[i].Identifier = model.NewText(fmt.Sprint(i))
	}
	for _, expression := range append(endless,
		"count(//*[count(.//*[count(../../*) > 0]) > 0])",
		// by antchfx/xpath
		"//*/following::*[preceding-sibling::*[. = 'x']]",
		"//*/ancestor::*/descendant::*",
		"(//* | //*/.. | //@*)[. = (//* | //*/..)]",
		"//node()[. = //text()]",
		"count(//*) + count(//*[//*[//cbc:Nothing]])",
		"/invoice/lines[//lines[identifier != '']/../lines/../lines = 'x']",
		"/invoice/lines[. = //lines/identifier]/vat",
		"/invoice/lines[count(/invoice/lines | //identifier) = 0]",
		"count(/invoice/lines[/invoice/lines[/invoice/lines[. = 'x']]])",
		"//lines | /invoice/lines[//lines/following-sibling::lines = 'x']",
	) {
		name := expression[:min(len(expression), 60)]
		x, err := xpath.ParseExpression(expression)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		e := &xpath.Evaluation{}
		e.Begin(d.tree, budget.New(context.Background(), limit))
		_, err = query.Evaluate(x, e, &model.Document{Source: d.tree, Invoice: inv})
		if !errors.Is(err, budget.ErrSteps) || e.Budget.Used() > limit+limit/10 {
			t.Errorf("%s: %v after %d steps", name, err, e.Budget.Used())
		}
	}
}

// Following a path ends with the budget, and says that it did not reach the end.
func TestEachStops(t *testing.T) {
	d := wide(t)
	for _, path := range []string{"//*[//*[//cbc:Nothing] or 1 = 1]", "//*/..//*/..//cbc:C", "//*[count(//*) = 1]", ".//*/.."} {
		u, err := xpath.ParseRelative(path)
		if err != nil {
			t.Fatal(err)
		}
		p, err := xpath.OverSource(u.Paths[0])
		if err != nil {
			t.Fatal(err)
		}
		e := &xpath.Evaluation{}
		e.Begin(d.tree, budget.New(context.Background(), 5000))
		if p.Each(e, 1, func(source.Ref) bool { return true }) || !errors.Is(e.Budget.Err(), budget.ErrSteps) || e.Budget.Used() > 50_000 {
			t.Errorf("%s: %v after %d steps", path, e.Budget.Err(), e.Budget.Used())
		}
		// What was looked at before the end is not taken for all there is.
		e.Budget = enough()
		count, want := 0, 0
		p.Each(e, 1, func(source.Ref) bool { count++; return count < 10 })
		fresh := d.evaluation()
		p.Each(fresh, 1, func(source.Ref) bool { want++; return want < 10 })
		if count != want {
			t.Errorf("%s: %d nodes with a new budget, want %d", path, count, want)
		}
	}
}

// Selecting over the invoice ends with the budget.
func TestSelectStops(t *testing.T) {
	inv := &model.Invoice{Lines: make([]model.Line, 3000)}
	for i := range inv.Lines {
		inv.Lines[i] = model.Line{Identifier: model.NewText("1"), SubLines: make([]model.Line, 3)}
	}
	for _, text := range []string{
		"/invoice/lines", "/invoice//subLines", "/invoice//lines//subLines", "/invoice/lines | /invoice/lines", "/invoice[lines[last()]/note]",
		"/invoice[. = 'x']", "/invoice/lines[subLines/identifier]", "/invoice/lines[last()]", "/invoice//subLines[last()]", "/invoice[count(lines/subLines) = 1]",
		"/invoice/lines[../lines/identifier = 'x']", "/invoice/lines[//identifier = 'x']", "/invoice[* = 'x']",
	} {
		selection := overTheModel(t, text)
		e := &xpath.Evaluation{}
		e.Begin(nil, budget.New(context.Background(), 1000))
		selection.Select(e, model.ObjectOf(inv), nil)
		if !errors.Is(e.Budget.Err(), budget.ErrSteps) || e.Budget.Used() > 10_000 {
			t.Errorf("%s: %v after %d steps", text, e.Budget.Err(), e.Budget.Used())
		}
	}
}

// When its context ends, so does a walk, after some elements and steps.
func TestWalkEndsWithItsContext(t *testing.T) {
	d := wide(t)
	for _, expression := range []string{"//*", "//*[@x]", "//cbc:C[. = '1']", endless[0]} {
		dispatcher := xpath.NewDispatcher[int]()
		dispatcher.Add(0, contextPaths(t, "//*")...)
		dispatcher.Add(1, contextPaths(t, expression)...)
		ctx, cancel := context.WithCancel(context.Background())
		e := &xpath.Evaluation{}
		e.Begin(d.tree, budget.New(ctx, 1<<40))
		visits := 0
		err := dispatcher.Walk(e, func(int, source.Ref, error) {
			visits++
			cancel()
		})
		if !errors.Is(err, context.Canceled) || visits > 100 || e.Budget.Used() > 20_000 {
			t.Errorf("%s: %v after %d visits, %d steps", expression, err, visits, e.Budget.Used())
		}
	}
}
