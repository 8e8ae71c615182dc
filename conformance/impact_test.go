package conformance_test

import (
	"reflect"
	"testing"
	"testing/fstest"

	"einvoice/conformance"
	"einvoice/engine"
	"einvoice/engine/ruletest"
)

func TestImpact(t *testing.T) {
	version := func(rule string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(`{ruleset: own, version: 1, layer: cius, rules: [{context: /invoice, btCodes: [], message: m, text: t, ` + rule + `}]}`)}
	}
	open := func(rule string) ruletest.Side {
		l, err := engine.Open(fstest.MapFS{"own/1/own.yaml": version(rule)})
		if err != nil {
			t.Fatal(err)
		}
		return ruletest.Side{Library: l, Ref: "own/1"}
	}
	suites, err := conformance.Collect(folder(t, map[string]string{"a.xml": numbered, "b.xml": unnumbered, "c.xml": "<other/>"}))
	if err != nil {
		t.Fatal(err)
	}
	before := open(`id: R, level: warning, assert: filled(this.number)`)
	for name, test := range map[string]struct {
		after ruletest.Side
		want  []conformance.VerdictChange
	}{
		"the same": {before, []conformance.VerdictChange{}},
		"heavier": {open(`id: R, level: fatal, assert: filled(this.number)`), []conformance.VerdictChange{{
			Suite: "own", Document: "b.xml", Verdict: ruletest.Verdict{
				ValidBefore: true, ValidAfter: false,
				Gone: []ruletest.FiredRule{{Rule: "R", Level: engine.Warning}}, New: []ruletest.FiredRule{{Rule: "R", Level: engine.Fatal}},
			},
		}}},
		"another rule": {open(`id: S, level: warning, assert: '!filled(this.number)'`), []conformance.VerdictChange{
			{Suite: "own", Document: "a.xml", Verdict: ruletest.Verdict{ValidBefore: true, ValidAfter: true, Gone: []ruletest.FiredRule{}, New: []ruletest.FiredRule{{Rule: "S", Level: engine.Warning}}}},
			{Suite: "own", Document: "b.xml", Verdict: ruletest.Verdict{ValidBefore: true, ValidAfter: true, Gone: []ruletest.FiredRule{{Rule: "R", Level: engine.Warning}}, New: []ruletest.FiredRule{}}},
		}},
		"no rules": {ruletest.Side{}, []conformance.VerdictChange{
			{Suite: "own", Document: "b.xml", Verdict: ruletest.Verdict{ValidBefore: true, ValidAfter: true, Gone: []ruletest.FiredRule{{Rule: "R", Level: engine.Warning}}, New: []ruletest.FiredRule{}}},
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
