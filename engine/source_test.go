package engine_test

import (
	"context"
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/model"
)

// A report tells the newer version of an artefact once, of its ruleset. A finding tells it where
// its rule is taken over from another ruleset, of which the report says nothing.
func TestNewerVersionIsToldOnce(t *testing.T) {
	rules := func(family, id, keys string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("ruleset: " + family + "\nversion: 1\nlayer: cius\nsource:\n  artefact: of " + family + "\n  version: 1.0\n  newer: 1.1 of " + family + "\n  newerSince: 2026-01-01\n" + keys +
			"rules:\n  - {id: " + id + ", level: fatal, context: /invoice, assert: has(this.number), btCodes: [BT-1], message: m, text: t}\n")}
	}
	l, err := engine.Open(fstest.MapFS{
		"base/1/a.yaml": rules("base", "BASE", "  clauses: {BASE: clause 1}\n"),
		"own/1/a.yaml":  rules("own", "OWN", "  clauses: {OWN: clause 2}\nextends: base/1\n"),
	})
	if err != nil {
		t.Fatal(err)
	}
	for ruleset, want := range map[string]map[string]string{"base": {"BASE": ""}, "own": {"OWN": "", "BASE": "1.1 of base"}} {
		v, err := l.Validator(ruleset)
		if err != nil {
			t.Fatal(err)
		}
		report, err := v.Validate(context.Background(), &model.Document{Invoice: &model.Invoice{}})
		if err != nil {
			t.Fatal(err)
		}
		if len(report.Rulesets) != 1 || report.Rulesets[0].Newer != "1.1 of "+ruleset || report.Rulesets[0].NewerSince != "2026-01-01" {
			t.Errorf("%s: the report says %+v", ruleset, report.Rulesets)
		}
		if len(report.Findings) != len(want) {
			t.Errorf("%s: %d findings", ruleset, len(report.Findings))
		}
		for _, f := range report.Findings {
			if f.Source.Newer != want[f.Rule] || (f.Source.NewerSince == "") != (want[f.Rule] == "") || f.Source.Clause == "" {
				t.Errorf("%s: the finding of %s says %+v", ruleset, f.Rule, f.Source)
			}
		}
	}
}
