package ruletest_test

import (
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/engine/ruletest"
	"einvoice/formats"
	"einvoice/model"
)

const observed = `
ruleset: own
version: 1
layer: cius
rules:
  - {id: FIRES, level: fatal, context: /invoice, assert: filled(this.buyerReference), btCodes: [], message: m, text: t}
  - {id: PASSES, level: fatal, context: /invoice, assert: filled(this.number), btCodes: [], message: m, text: t}
  - {id: HALF, level: fatal, context: /invoice/lines, assert: 'is(this.id, "1")', btCodes: [], message: m, text: t}
  - {id: NOWHERE, level: fatal, context: /invoice/payee, assert: filled(this.name), btCodes: [], message: m, text: t}
  - {id: ELSEWHERE, on: cii, level: fatal, context: /invoice, assert: 'true', btCodes: [], message: m, text: t}
tables:
  - {kind: absent, on: ubl, level: warning, context: /*, rows: {MET: cbc:UUID, UNMET: cbc:Note}}
`

const twoLines = `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
 xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
 xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
 <cbc:ID>1</cbc:ID><cbc:UUID>x</cbc:UUID>
 <cac:InvoiceLine><cbc:ID>1</cbc:ID></cac:InvoiceLine><cac:InvoiceLine><cbc:ID>2</cbc:ID></cac:InvoiceLine>
</Invoice>`

func TestCoverageCountsDocuments(t *testing.T) {
	l, err := engine.Open(fstest.MapFS{"own/1/own.yaml": {Data: []byte(observed)}})
	if err != nil {
		t.Fatal(err)
	}
	v, err := l.Validator("own")
	if err != nil {
		t.Fatal(err)
	}
	var c ruletest.Coverage
	c.Observe(v)
	doc, err := formats.Read([]byte(twoLines), formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := v.Validate(t.Context(), doc); err != nil {
			t.Fatal(err)
		}
	}
	s, err := l.Ruleset("own")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]ruletest.Seen{
		"FIRES":     {Ran: 2, Fired: 2},
		"PASSES":    {Ran: 2, Passed: 2},
		"HALF":      {Ran: 2, Fired: 2}, // one line is right, one is not
		"NOWHERE":   {Ran: 2},
		"ELSEWHERE": {},
		"MET":       {Ran: 2, Fired: 2},
		"UNMET":     {Ran: 2, Passed: 2},
	}
	for _, r := range s.Rules {
		if got := c.Of(r); got != want[r.ID] {
			t.Errorf("%s: got %+v, want %+v", r.ID, got, want[r.ID])
		}
	}
}

func TestRowsAreTried(t *testing.T) {
	l, err := engine.Open(fstest.MapFS{"own/1/own.yaml": {Data: []byte(`
ruleset: own
version: 1
layer: cius
tables:
  - {kind: atMostOnce, on: ubl, level: warning, context: /*, rows: {ONCE: cbc:UUID}}
  - {kind: absent, on: ubl, level: warning, context: '/ubl:Invoice[cbc:ID=''1'' and cbc:ID=''2'']', rows: {UNREACHED: 'cbc:UUID[starts-with(., ''y'')]'}}
  - {kind: absent, on: ubl, level: warning, context: /*, neverFires: so it is, rows: {SILENT: cbc:Note}}
`)}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := l.Ruleset("own")
	if err != nil {
		t.Fatal(err)
	}
	read := func(data []byte) (*model.Document, error) { return formats.Read(data, formats.Options{}) }
	type outcome struct {
		rule      string
		fires, ok bool
	}
	var got []outcome
	for _, r := range ruletest.Rows(l, s, read) {
		got = append(got, outcome{r.Rule, r.Fires, r.OK()})
	}
	want := []outcome{{"ONCE", true, true}, {"ONCE", false, true}, {"UNREACHED", true, false}, {"UNREACHED", false, true}}
	if len(got) != len(want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %v, want %v", got[i], want[i])
		}
	}
}
