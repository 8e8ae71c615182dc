package ruletest_test

import (
	"slices"
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/engine/ruletest"
)

const beforeRules = `
ruleset: own
version: 1
layer: cius
rules:
  - {id: SAME, level: fatal, context: /invoice, assert: filled(this.number), btCodes: [BT-1], message: m, text: t, examples: [{passes: base}, {fires: {number: null}}]}
  - {id: GONE, level: fatal, context: /invoice, assert: filled(this.number), btCodes: [], message: m, text: t}
  - {id: EDITED, level: fatal, context: /invoice, assert: filled(this.number), btCodes: [BT-1], fields: [number], message: m, text: t, examples: [{fires: {number: null}}],
     variants: {cii: {level: warning, reason: the artefact says so}}}
tables:
  - {kind: absent, on: ubl, level: warning, context: /*, rows: {ROW: cbc:UUID}}
`

const afterRules = `
ruleset: own
version: 2
layer: cius
rules:
  - id: SAME   # laid out anew, and nothing else
    level: fatal
    context: /invoice
    assert: filled(this.number)
    btCodes: [BT-1]
    message: m
    text: t
    examples:
      - passes: base # as before
      - {fires: {number: null}}
  - {id: EDITED, level: warning, context: /invoice/lines, assert: filled(this.id), btCodes: [BT-126], fields: [id], message: n, text: u, examples: [{passes: base}]}
  - {id: NEW, level: fatal, context: /invoice, assert: filled(this.number), btCodes: [], message: m, text: t}
tables:
  - {kind: atMostOnce, on: ubl, level: warning, context: /*, rows: {ROW: cbc:UUID}}
`

func TestCompare(t *testing.T) {
	l, err := engine.Open(fstest.MapFS{"own/1/own.yaml": {Data: []byte(beforeRules)}, "own/2/own.yaml": {Data: []byte(afterRules)}})
	if err != nil {
		t.Fatal(err)
	}
	before, err := l.Ruleset("own/1")
	if err != nil {
		t.Fatal(err)
	}
	after, err := l.Ruleset("own/2")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{
		"EDITED changed": {"level", "context", "assertion", "variant cii", "message", "text", "terms", "fields", "examples"},
		"NEW added":      nil,
		"ROW changed":    {"assertion", "message", "text"},
		"GONE removed":   nil,
	}
	got := ruletest.Compare(before, after)
	if len(got) != len(want) {
		t.Errorf("got %d changes, want %d: %v", len(got), len(want), got)
	}
	for _, c := range got {
		expected, ok := want[c.Rule+" "+c.Change]
		var parts []string
		for _, p := range c.Parts {
			parts = append(parts, p.Part)
		}
		if !ok || !slices.Equal(parts, expected) {
			t.Errorf("%s %s: %v, want %v", c.Rule, c.Change, parts, expected)
		}
	}
	if got := ruletest.Compare(before, before); len(got) != 0 {
		t.Errorf("a ruleset differs from itself: %v", got)
	}
	if got := ruletest.Compare(nil, after); len(got) != len(after.Rules) || got[0].Change != ruletest.Added {
		t.Errorf("compared with nothing: %v", got)
	}
}
