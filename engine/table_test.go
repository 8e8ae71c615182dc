package engine

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"einvoice/formats"
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
	b := smallest{row: r.row}
	violating, passing := b.documents()
	if b.err != nil {
		t.Fatalf("%s: %v", r.ID, b.err)
	}
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
	elsewhere := strings.Contains(r.Context+r.row.path, "=/") // a predicate asks for elements in another part
	for _, f := range fired {
		if elsewhere || r.row.kind == rowCode && strings.HasPrefix(f.Message, `"no code"`) {
			continue // a predicate asks for the same value at another place
		}
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
