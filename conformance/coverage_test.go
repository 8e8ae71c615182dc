package conformance_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"einvoice/conformance"
	"einvoice/engine"
	"einvoice/engine/ruletest"
)

const coveredRules = `
ruleset: own
version: 1
layer: cius
rules:
  - {id: IN-SUITE, level: fatal, context: /invoice, assert: filled(this.number), btCodes: [], message: m, text: t}
  - {id: IN-EXAMPLE, level: fatal, context: /invoice/payee, assert: filled(this.name), btCodes: [], message: m, text: t, examples: [{passes: {payee.name: x}}, {fires: {payee.legalRegistration.identifier: x}}]}
  - {id: NOWHERE, level: fatal, context: /invoice/payee, assert: filled(this.name), btCodes: [], message: m, text: t, examples: [{passes: base}]}
  - {id: WRONG-EXAMPLE, level: fatal, context: /invoice/payee, assert: filled(this.name), btCodes: [], message: m, text: t, examples: [{passes: base}, {fires: base}]}
  - {id: ALWAYS, level: fatal, context: /invoice, assert: 'false', btCodes: [], message: m, text: t}
  - {id: SILENT, level: fatal, context: /invoice, assert: 'true', btCodes: [], message: m, text: t, neverFires: so it was published}
  - {id: NOT-SILENT, level: fatal, context: /invoice, assert: filled(this.number), btCodes: [], message: m, text: t, neverFires: so it is said}
tables:
  - {kind: absent, on: ubl, level: warning, context: /*, rows: {ROW: cbc:UUID}}
`

func TestCover(t *testing.T) {
	l, err := engine.Open(fstest.MapFS{
		"own/1/own.yaml":     {Data: []byte(coveredRules)},
		"examples/base.yaml": {Data: []byte("number: A1\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	suites, err := conformance.Collect(folder(t, map[string]string{"a.xml": numbered, "b.xml": unnumbered, "c.xml": "<other/>"}))
	if err != nil {
		t.Fatal(err)
	}
	none, err := conformance.Collect(folder(t, map[string]string{"c.xml": "<other/>"}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conformance.Cover(t.Context(), l, none); !errors.Is(err, conformance.ErrNothingCovered) {
		t.Errorf("a folder without invoices: %v", err)
	}
	r, err := conformance.Cover(t.Context(), l, suites)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"IN-SUITE": "", "IN-EXAMPLE": "", "SILENT": "", "ROW": "",
		"NOWHERE":       "never fired, in no suite and no example",
		"WRONG-EXAMPLE": "never fired, in no suite and no example",
		"ALWAYS":        "never passed, in no suite and no example",
		"NOT-SILENT":    "fired, but says that it never does",
	}
	if r.OK() || r.Documents != 2 || len(r.Rules) != len(want) {
		t.Errorf("OK %v, %d documents, %d rules; want false, 2, %d", r.OK(), r.Documents, len(r.Rules), len(want))
	}
	for _, c := range r.Rules {
		if c.Fault != want[c.Rule] {
			t.Errorf("%s: %q, want %q", c.Rule, c.Fault, want[c.Rule])
		}
		if c.Rule == "IN-SUITE" && (c.Seen != ruletest.Seen{Ran: 2, Fired: 1, Passed: 1}) {
			t.Errorf("%s: %+v", c.Rule, c.Seen)
		}
		if c.Rule == "ROW" && (c.FiresInExample != 1 || c.PassesInExample != 1 || !c.Row) {
			t.Errorf("%s: %+v", c.Rule, c)
		}
	}
	var text bytes.Buffer
	if err := r.WriteText(&text, false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"own/1: 8 rules; fired in a suite 2, only in an example 1, only on a row's smallest document 1; known never to fire 2\n",
		"8 rules over 2 documents: 4 without sufficient cover\n",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the text lacks %q:\n%s", want, &text)
		}
	}
}
