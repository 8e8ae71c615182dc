package engine

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"einvoice/formats"
	"einvoice/model"
	"einvoice/model/source"
	"einvoice/rulesets"
)

// For every row of every table the smallest document that violates it and the
// smallest that does not: exactly this row fires on the one and not on the
// other. Other rows may fire with it only for the same place or one around it,
// where the published tables overlap.
func TestRowsFireOnTheSmallestDocument(t *testing.T) {
	l, err := Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	versions, err := l.Versions()
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for family, all := range versions {
		for _, version := range all {
			s, err := l.Ruleset(family + "/" + version)
			if err != nil {
				t.Fatal(err)
			}
			v := tablesOf(t, l, s)
			for _, r := range s.Rules {
				if r.row != nil && r.NeverFires == "" {
					rows++
					checkRow(t, v, r)
				}
			}
		}
	}
	if rows < 1000 {
		t.Errorf("only %d rows were tried", rows)
	}
}

// position is the number of an element among its siblings.
var position = regexp.MustCompile(`\[[0-9]+\]`)

// tablesOf is a validator of a ruleset's rows alone.
func tablesOf(t *testing.T, l *Library, s *Ruleset) *Validator {
	t.Helper()
	rows := &Ruleset{Name: s.Name, Version: s.Version}
	for _, r := range s.Rules {
		if r.row != nil {
			rows.Rules = append(rows.Rules, r)
		}
	}
	return newValidator(l, []*Ruleset{rows})
}

func checkRow(t *testing.T, v *Validator, r *Rule) {
	t.Helper()
	violating, passing := smallest(t, r)
	fired := runRows(t, v, r, violating)
	var at string
	for _, f := range fired {
		if f.Rule == r.ID {
			at = f.Location
		}
	}
	if at == "" {
		t.Errorf("%s does not fire on %s", r.ID, violating.write())
		return
	}
	for _, f := range fired {
		if f.Rule != r.ID && !strings.HasPrefix(position.ReplaceAllString(at, ""), position.ReplaceAllString(f.Location, "")) {
			t.Errorf("%s: %s fires as well, at %s and not at %s", r.ID, f.Rule, f.Location, at)
		}
	}
	for _, f := range runRows(t, v, r, passing) {
		if f.Rule == r.ID {
			t.Errorf("%s fires on %s", r.ID, passing.write())
		}
	}
}

func runRows(t *testing.T, v *Validator, r *Rule, d *draft) []Finding {
	t.Helper()
	doc, err := formats.Read(d.write(), formats.Options{})
	if err != nil {
		t.Fatalf("%s: %v\n%s", r.ID, err, d.write())
	}
	report, err := v.Validate(context.Background(), doc)
	if err != nil {
		t.Fatal(err)
	}
	return report.Findings
}

// smallest builds both documents out of the row's own paths.
func smallest(t *testing.T, r *Rule) (violating, passing *draft) {
	t.Helper()
	contexts, err := parseXPath(r.Context, true)
	if err != nil {
		t.Fatal(err)
	}
	paths, err := parseXPath(r.row.path, false)
	if err != nil {
		t.Fatal(err)
	}
	build := func(times int) *draft {
		root := &draft{name: rootOf(r)}
		at := root
		if !paths.paths[0].absolute {
			at = extend(t, root, contexts.paths[0].steps)
		}
		steps := paths.paths[0].steps
		for i := range times {
			// Only the last step is repeated, unless it stands in a repeated parent.
			from := at
			if i > 0 && len(steps) > 1 && !steps[len(steps)-1].attribute {
				from = at.children[len(at.children)-1]
				for range len(steps) - 2 {
					from = from.children[len(from.children)-1]
				}
				extend(t, from, steps[len(steps)-1:])
				continue
			}
			extend(t, from, steps)
		}
		return root
	}
	switch r.row.kind {
	case rowAbsent:
		return build(1), build(0)
	case rowAtMostOnce:
		return build(2), build(1)
	default:
		return build(0), build(1)
	}
}

func rootOf(r *Rule) source.QName {
	name := "ubl:Invoice"
	if r.On == model.CII {
		name = "rsm:CrossIndustryInvoice"
	}
	if strings.Contains(r.Context, "cn:CreditNote") && !strings.Contains(r.Context, "ubl:Invoice") {
		name = "cn:CreditNote"
	}
	q, _ := source.ParseQName(name)
	return q
}

// extend adds the elements of a path below d, each as its predicates ask, and
// returns the last.
func extend(t *testing.T, d *draft, steps []xpathStep) *draft {
	t.Helper()
	for i, step := range steps {
		if step.attribute {
			q, err := source.ParseQName(step.name)
			if err != nil {
				t.Fatal(err)
			}
			d.attrs = append(d.attrs, draftAttr{q, "x"})
			return d
		}
		if i == 0 && !step.descendant && (step.name == "*" || nameOf(t, step) == d.name) && isRoot(d) {
			continue // the document element itself
		}
		c := &draft{name: nameOf(t, step)}
		d.children = append(d.children, c)
		for _, p := range step.predicates {
			satisfy(t, c, p)
		}
		d = c
	}
	return d
}

func isRoot(d *draft) bool {
	switch d.name.Local {
	case "Invoice", "CreditNote", "CrossIndustryInvoice":
		return true
	}
	return false
}

func nameOf(t *testing.T, step xpathStep) source.QName {
	t.Helper()
	name := step.name
	if strings.HasSuffix(name, "*") {
		prefix, suffix := strings.TrimSuffix(name, "*"), "X"
		if prefix == "" {
			prefix = "cbc:"
		}
		for _, p := range step.predicates {
			if p.name == "ends-with" {
				suffix = p.args[1].value
			}
		}
		name = prefix + suffix
	}
	q, err := source.ParseQName(name)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// satisfy makes a predicate true.
func satisfy(t *testing.T, d *draft, e xpathExpr) {
	t.Helper()
	switch e.op {
	case "and":
		satisfy(t, d, e.args[0])
		satisfy(t, d, e.args[1])
	case "or":
		satisfy(t, d, e.args[0])
	case "path":
		extend(t, d, e.path.steps)
	case "=", "!=":
		left, value := e.args[0], e.args[1].value
		if e.args[1].op == "call" {
			value = e.args[1].name // true() or false()
		}
		for left.op == "call" && len(left.args) == 1 {
			left = left.args[0]
		}
		if left.op != "path" {
			return // about the name, which is chosen already
		}
		if e.op == "!=" {
			value = "other"
		}
		end := extend(t, d, left.path.steps)
		if last := left.path.steps[len(left.path.steps)-1]; last.attribute {
			end.attrs[len(end.attrs)-1].value = value
		} else {
			end.text = value
		}
	}
}
