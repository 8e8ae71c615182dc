package ruletest

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/rulesets"
)

// For every row of every table the smallest document that violates it and the
// smallest that does not: exactly this row fires on the one and not on the
// other. Other rows may fire with it only for the same place or one around it,
// where the published tables overlap.
func TestRowsFireOnTheSmallestDocument(t *testing.T) {
	l, err := engine.Open(rulesets.FS)
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
			inTables := slices.DeleteFunc(slices.Clone(s.Rules), func(r *engine.Rule) bool { return r.Row == nil })
			v := l.ValidatorOf(inTables...)
			for _, r := range inTables {
				if r.NeverFires == "" {
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

func checkRow(t *testing.T, v *engine.Validator, r *engine.Rule) {
	t.Helper()
	violating, passing, err := smallestDocuments(r)
	if err != nil {
		t.Fatalf("%s: %v", r.ID, err)
	}
	fired := runRows(t, v, r, violating)
	var at string
	for _, f := range fired {
		if f.Rule == r.ID {
			at = f.Location
		}
	}
	if at == "" {
		t.Errorf("%s does not fire on %s", r.ID, violating.Write())
		return
	}
	elsewhere := strings.Contains(r.Context.Value+r.Row.Path, "=/") // a predicate asks for elements in another part
	for _, f := range fired {
		if elsewhere || r.Row.Kind == engine.RowCode && strings.HasPrefix(f.Message, `"no code"`) {
			continue // a predicate asks for the same value at another place
		}
		if f.Rule != r.ID && !strings.HasPrefix(position.ReplaceAllString(at, ""), position.ReplaceAllString(f.Location, "")) {
			t.Errorf("%s: %s fires as well, at %s and not at %s", r.ID, f.Rule, f.Location, at)
		}
	}
	for _, f := range runRows(t, v, r, passing) {
		if f.Rule == r.ID {
			t.Errorf("%s fires on %s", r.ID, passing.Write())
		}
	}
}

func runRows(t *testing.T, v *engine.Validator, r *engine.Rule, d *Draft) []engine.Finding {
	t.Helper()
	doc, err := formats.Read(d.Write(), formats.Options{})
	if err != nil {
		t.Fatalf("%s: %v\n%s", r.ID, err, d.Write())
	}
	report, err := v.Validate(context.Background(), doc)
	if err != nil {
		t.Fatal(err)
	}
	return report.Findings
}
