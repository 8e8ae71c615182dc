package expr_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"einvoice/engine/budget"
	"einvoice/engine/expr"
	"einvoice/engine/xpath"
	"einvoice/model/sampled"
)

// randomNested is a condition on elements of a document in loops, whose parts stay the same in none,
// some or all of them.
func randomNested(r *rand.Rand, variables []string, depth int) string {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	from := func() string { return variables[r.IntN(len(variables))] }
	path := func() string {
		return pick("*", ".//*", "../*", "cbc:ID", "cac:Item/*", ".//cbc:Percent", "/*/cac:InvoiceLine/cbc:ID", "..//cbc:ID", "cac:Price | cbc:ID")
	}
	if depth == 0 || r.IntN(4) == 0 {
		switch r.IntN(5) {
		case 0:
			return fmt.Sprintf("%s.count(%q) %s %s.count(%q)", from(), path(), pick("==", "<", ">="), from(), path())
		case 1:
			return fmt.Sprintf("%s.text(%q) == %s.texts(%q).firstOr(\"\")", from(), path(), from(), path())
		case 2:
			return fmt.Sprintf("%s.texts(%q).join().matches(%q)", from(), path(), pick("1.*9", "^[A-Z0-9. -]*$", "Z|S"))
		case 3:
			return fmt.Sprintf("%s.texts(%q).join(\"x\").splitMatches(\"[x1]\").size() %s %d", from(), path(), pick("<", ">"), r.IntN(9))
		}
		return fmt.Sprintf("%s.texts(%q).filter(q, decimal(q) > %s.count(%q)).size() > %d", from(), path(), from(), path(), r.IntN(3))
	}
	name := fmt.Sprint(pick("a", "b", "c"), depth)
	if r.IntN(4) == 0 {
		name = variables[len(variables)-1] // hides the one around it
	}
	inner := randomNested(r, append(slices.Clip(variables), name), depth-1)
	if r.IntN(2) == 0 {
		inner = fmt.Sprintf("(%s %s %s)", inner, pick("&&", "||"), randomNested(r, append(slices.Clip(variables), name), depth-1))
	}
	list := fmt.Sprintf("%s.elements(%q)", from(), pick("*", "../*", "cac:Item", "/*/cac:TaxTotal/*", "/*/cac:InvoiceLine[position() < 4]", ".//cac:ClassifiedTaxCategory"))
	switch r.IntN(4) {
	case 0:
		return fmt.Sprintf("%s.filter(%s, %s).size() > %d", list, name, inner, r.IntN(3))
	case 1:
		return fmt.Sprintf("%s.sum(%s, %s, 1.0) > %d", list, name, inner, r.IntN(3))
	}
	return fmt.Sprintf("%s.%s(%s, %s)", list, pick("all", "exists", "exists_one"), name, inner)
}

// What stays the same in a loop is evaluated once, and the values are those of evaluating it each time,
// whatever loops are in each other and from whichever elements they are evaluated in turn.
func TestRandomNestedLoops(t *testing.T) {
	v, o := judges(t, shippedLibrary(t))
	values, kept, saved := 0, 0, int64(0)
	for seed := range uint64(sampled.Of(900, 3)) {
		r := rand.New(rand.NewPCG(seed, 3))
		doc := manyLines(t, seed%7)
		from := slices.Concat(selectedBy(t, doc, "/*/cac:TaxTotal/cac:TaxSubtotal"), selectedBy(t, doc, "/*/cac:InvoiceLine")[:8])
		r.Shuffle(len(from), func(i, j int) { from[i], from[j] = from[j], from[i] })
		expression := randomNested(r, []string{"this"}, 1+r.IntN(3))
		evaluate := func(act *expr.Activation, i int) (any, int64, error) {
			b := budget.New(ctx, 3_000_000)
			act.Begin(doc, &xpath.Evaluation{Tree: doc.Source, Budget: b})
			act.SetElement(from[i])
			value, err := compiled(t, v, expression, doc.Source.Root()).Value(act)
			return value, b.Used(), err
		}
		again := new(expr.Activation)
		for i := range 6 {
			restore := expr.KeepFrom(1)
			got, few, err := evaluate(again, i)
			expr.KeepFrom(1 << 40)
			want, many, wantErr := evaluate(new(expr.Activation), i)
			restore()
			if budgetEnded(many, few) {
				continue
			}
			if (err == nil) != (wantErr == nil) || err == nil && !same(got, want) {
				t.Errorf("seed %d: %s\n  kept      %v %v\n  each time %v %v", seed, expression, got, err, want, wantErr)
			}
			if err == nil {
				values++
			}
			if saved += many - few; again.Kept() > 0 {
				kept++
			}
			if i == 0 && many < 50_000 {
				if difference := differ(v, o, expression, doc, from[i]); difference != "" {
					t.Error(difference)
				}
			}
		}
	}
	if t.Logf("%d values, %d with parts that were kept, which saved %d steps", values, kept, saved); values < sampled.Of(3000, 3) || kept < values/4 || saved <= 0 {
		t.Error("too little was tried")
	}
}

// budgetEnded reports whether steps ran out, where a value that takes more of them may lack one.
func budgetEnded(steps ...int64) bool { return slices.Max(steps) >= 3_000_000 }
