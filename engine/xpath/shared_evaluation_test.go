package xpath_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"einvoice/engine/budget"
	"einvoice/engine/xpath"
	"einvoice/model/source"
)

// What an evaluation remembers of one document and of one dispatcher leads to no other nodes in
// the next: a new evaluation finds the same. The documents have their elements in any order, and
// some that no rule names.
func TestOneEvaluation(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	names := []string{"cbc:ID", "cbc:Note", "cbc:Amount", "cac:InvoiceLine", "cac:SubInvoiceLine", "cac:Item", "cac:TaxTotal", "my:Own", "my:Other"}
	var inside func(b *strings.Builder, depth int)
	inside = func(b *strings.Builder, depth int) {
		for range random.IntN(5) {
			name := names[random.IntN(len(names))]
			fmt.Fprintf(b, `<%s %s="1">`, name, []string{"currencyID", "x", "own"}[random.IntN(3)])
			if depth < 4 && random.IntN(2) == 0 {
				inside(b, depth+1)
			} else {
				b.WriteString([]string{"1", "2", "true", ""}[random.IntN(4)])
			}
			fmt.Fprintf(b, `</%s>`, name)
		}
	}
	var documents []*document
	for range 60 {
		var b strings.Builder
		b.WriteString(`<ubl:Invoice xmlns:ubl="` + source.Prefixes["ubl"] + `" xmlns:cac="` + source.Prefixes["cac"] + `" xmlns:cbc="` + source.Prefixes["cbc"] + `" xmlns:my="urn:my">`)
		for range 6 {
			inside(&b, 0)
		}
		b.WriteString(`</ubl:Invoice>`)
		documents = append(documents, parseDocument(t, b.String()))
	}
	var dispatchers []*xpath.Dispatcher[int]
	for range 3 {
		d := xpath.NewDispatcher[int]()
		for i, c := range contextsOverSource {
			if random.IntN(3) > 0 {
				d.Add(i, contextPaths(t, c.context)...)
			}
		}
		dispatchers = append(dispatchers, d)
	}
	type visited struct {
		to int
		at source.Ref
	}
	walk := func(d *xpath.Dispatcher[int], e *xpath.Evaluation, tree *source.Tree) (all []visited) {
		e.Begin(tree, budget.New(context.Background(), limit))
		defer e.End()
		if err := d.Walk(e, func(to int, at source.Ref, err error) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, visited{to, at})
		}); err != nil {
			t.Fatal(err)
		}
		return all
	}
	kept, found := &xpath.Evaluation{}, 0
	for range 1000 {
		d, tree := dispatchers[random.IntN(len(dispatchers))], documents[random.IntN(len(documents))].tree
		got, want := walk(d, kept, tree), walk(d, &xpath.Evaluation{}, tree)
		if !slices.Equal(got, want) {
			t.Fatalf("%d nodes, want %d, in\n%s", len(got), len(want), tree.Data)
		}
		found += len(got)
	}
	if found == 0 {
		t.Error("nothing was found")
	}
}
