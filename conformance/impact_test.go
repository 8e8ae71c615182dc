package conformance_test

import (
	"reflect"
	"testing"
	"testing/fstest"

	"einvoice/conformance"
	"einvoice/engine"
)

func TestImpact(t *testing.T) {
	version := func(rule string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(`{ruleset: own, version: 1, layer: cius, rules: [{context: /invoice, btCodes: [], message: m, text: t, ` + rule + `}]}`)}
	}
	open := func(rule string) conformance.RulesetRef {
		l, err := engine.Open(fstest.MapFS{"own/1/own.yaml": version(rule)})
		if err != nil {
			t.Fatal(err)
		}
		return conformance.RulesetRef{Library: l, Ref: "own/1"}
	}
	suites, err := conformance.Collect(folder(t, map[string]string{"a.xml": numbered, "b.xml": unnumbered, "c.xml": "<other/>"}))
	if err != nil {
		t.Fatal(err)
	}
	before := open(`id: R, level: warning, assert: filled(this.number)`)
	for name, test := range map[string]struct {
		after conformance.RulesetRef
		want  []conformance.VerdictChange
	}{
		"the same": {before, []conformance.VerdictChange{}},
		"heavier": {open(`id: R, level: fatal, assert: filled(this.number)`), []conformance.VerdictChange{{
			Suite: "own", Document: "b.xml", ValidBefore: true, ValidAfter: false,
			Gone: []conformance.FiredRule{{Rule: "R", Level: engine.Warning}}, New: []conformance.FiredRule{{Rule: "R", Level: engine.Fatal}},
		}}},
		"another rule": {open(`id: S, level: warning, assert: '!filled(this.number)'`), []conformance.VerdictChange{
			{Suite: "own", Document: "a.xml", ValidBefore: true, ValidAfter: true, Gone: []conformance.FiredRule{}, New: []conformance.FiredRule{{Rule: "S", Level: engine.Warning}}},
			{Suite: "own", Document: "b.xml", ValidBefore: true, ValidAfter: true, Gone: []conformance.FiredRule{{Rule: "R", Level: engine.Warning}}, New: []conformance.FiredRule{}},
		}},
		"no rules": {conformance.RulesetRef{}, []conformance.VerdictChange{
			{Suite: "own", Document: "b.xml", ValidBefore: true, ValidAfter: true, Gone: []conformance.FiredRule{{Rule: "R", Level: engine.Warning}}, New: []conformance.FiredRule{}},
		}},
	} {
		got, documents, err := conformance.Impact(t.Context(), before, test.after, suites)
		if err != nil || documents != 2 {
			t.Fatalf("%s: %d documents, %v", name, documents, err)
		}
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got %+v, want %+v", name, got, test.want)
		}
	}
}
