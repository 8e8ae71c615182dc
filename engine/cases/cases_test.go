package cases

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// A table is conditions over two or three terms, made of a whole one of which cells were taken.
type table struct {
	terms      Terms
	values     map[string][]Value // in which the documents of the test differ
	conditions []*Condition
	// edges reports whether each entry of each term is in a cell that is left: otherwise the table
	// may be meant to end before it.
	edges bool
}

// entries divide the documents among them: each is in one of a term's.
var entries = []struct {
	term   string
	parts  []*Condition
	values []Value
}{
	{"currencyCode", []*Condition{Is("currencyCode", "EUR"), IsOther("currencyCode", "EUR"), Not(Has("currencyCode"))}, []Value{{Text: "EUR"}, {Text: "USD"}, {Absent: true}}},
	{"typeCode", []*Condition{Is("typeCode", "380", "384"), All(IsOther("typeCode", "380"), IsOther("typeCode", "384")), Not(Has("typeCode"))}, []Value{{Text: "380"}, {Text: "384"}, {Text: "x"}, {Absent: true}}},
	{"root", []*Condition{Is("root", "i"), Is("root", "c"), Is("root", "x")}, []Value{{Text: "i"}, {Text: "c"}, {Text: "x"}}},
	{Day(""), []*Condition{Within(Day(""), "", "2026-06-30"), Within(Day(""), "2026-07-01", "2026-12-31"), Within(Day(""), "2027-01-01", "")}, []Value{{Text: "2026-06-30"}, {Text: "2026-07-01"}, {Text: "2026-12-31"}, {Text: "2027-01-01"}}},
	{"amount", []*Condition{
		Compared("amount", "100", func(s int) bool { return s < 0 }), Compared("amount", "100", func(s int) bool { return s == 0 }), Compared("amount", "100", func(s int) bool { return s > 0 }),
	}, []Value{{Text: "99"}, {Text: "100"}, {Text: "101"}}},
}

func randomTable(r *rand.Rand) table {
	t := table{values: map[string][]Value{}, terms: Terms{Closed: map[string][]string{"root": {"i", "c", "x"}}, Always: func(term string) bool { return term == "amount" }}}
	cells, used := []*Condition{All()}, map[*Condition]bool{}
	for _, i := range r.Perm(len(entries))[:1+r.IntN(3)] {
		e := entries[i]
		t.values[e.term] = e.values
		var next []*Condition
		for _, cell := range cells {
			for _, p := range e.parts {
				next = append(next, All(cell, p))
			}
		}
		cells = next
	}
	r.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
	for _, cell := range cells[r.IntN((len(cells)+1)/2):] {
		for c := cell; len(c.parts) == 2; c = c.parts[0] {
			used[c.parts[1]] = true
		}
		if r.IntN(3) == 0 && len(t.conditions) > 0 { // several cells of one condition
			last := len(t.conditions) - 1
			t.conditions[last] = Any(t.conditions[last], cell)
			continue
		}
		t.conditions = append(t.conditions, cell)
	}
	t.edges = true
	for _, e := range entries {
		if t.values[e.term] != nil {
			t.edges = t.edges && !slices.ContainsFunc(e.parts, func(p *Condition) bool { return !used[p] })
		}
	}
	return t
}

// meets asks a condition of a document, without looking at cases.
func (c *Condition) meets(document Case) bool {
	one := func(p *Condition) bool { return p.meets(document) }
	switch c.op {
	case part:
		return c.holds(document[c.term])
	case not:
		return !one(c.parts[0])
	case any:
		return slices.ContainsFunc(c.parts, one)
	}
	return !slices.ContainsFunc(c.parts, func(p *Condition) bool { return !one(p) })
}

// documents are all that differ in the values of some terms.
func documents(values map[string][]Value, visit func(Case)) {
	all := []Case{{}}
	for term, of := range values {
		var next []Case
		for _, document := range all {
			for _, v := range of {
				d := Case{term: v}
				for k, have := range document {
					d[k] = have
				}
				next = append(next, d)
			}
		}
		all = next
	}
	for _, document := range all {
		visit(document)
	}
}

// TestGaps takes cells out of whole tables, fewer than half: a gap is told if and only if there
// is a document within the table that no condition is for, and none is for the documents of the
// gap.
func TestGaps(t *testing.T) {
	told, whole := 0, 0
	for n := range 2000 {
		r := rand.New(rand.NewPCG(30, uint64(n))) //nolint:gosec // the same tables in every run
		table := randomTable(r)
		if len(table.conditions) < 2 {
			continue
		}
		gaps := table.terms.Gaps(table.conditions...)
		left := 0
		documents(table.values, func(d Case) {
			if !slices.ContainsFunc(table.conditions, func(c *Condition) bool { return c.meets(d) }) {
				left++
			}
		})
		if left == 0 && len(gaps) > 0 || left > 0 && len(gaps) == 0 && table.edges {
			t.Errorf("table %d: %d documents are left and the gaps are %v", n, left, gaps)
		}
		for _, gap := range gaps {
			documents(table.values, func(d Case) {
				for term, v := range gap {
					d[term] = v
				}
				if slices.ContainsFunc(table.conditions, func(c *Condition) bool { return c.meets(d) }) {
					t.Errorf("table %d: the gap %s is none: %v", n, gap, d)
				}
			})
		}
		if len(gaps) > 0 {
			told++
		} else {
			whole++
		}
	}
	t.Logf("%d tables have gaps, %d are whole", told, whole)
	if told < 100 || whole < 100 {
		t.Error("too few of a kind to say anything")
	}
}

// TestGapOfTheOthers has conditions for all roots, and one for one root alone that fills the gap
// there: it is a gap for the others.
func TestGapOfTheOthers(t *testing.T) {
	terms := Terms{Closed: map[string][]string{"root": {"i", "c", "x"}}}
	gaps := terms.Gaps(Is("reference", "A"), IsOther("reference", "A"), Is("root", "i"))
	if len(gaps) != 1 || fmt.Sprint(gaps[0]) != "no reference, root c" {
		t.Errorf("told %v", fmt.Sprint(gaps))
	}
}

// TestNoGaps has conditions that are for some documents, and do not look like all.
func TestNoGaps(t *testing.T) {
	terms := Terms{Closed: map[string][]string{"root": {"i", "c", "x"}}}
	for _, conditions := range [][]*Condition{
		{Is("seller", "DE1"), Is("seller", "FR1")},
		{Is("root", "i"), All(Is("root", "i"), Is("seller", "FR1"))},
		{Is("root", "i"), Is("seller", "FR1")},
		{Is("root", "i"), Is("root", "c"), Is("seller", "FR1")},
		{All(Is("seller", "DE1"), Is("currencyCode", "EUR")), All(Is("seller", "FR1"), Is("currencyCode", "USD"))},
		{Within(Day(""), "2026-01-01", ""), Within(Day(""), "2026-07-01", "")},
		{Is("typeCode", "380"), Is("typeCode", "384")},
		{All()},
	} {
		if gaps := terms.Gaps(conditions...); gaps != nil {
			t.Errorf("told %v", fmt.Sprint(gaps))
		}
	}
}
