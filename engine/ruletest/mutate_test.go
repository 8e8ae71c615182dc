package ruletest_test

import (
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/engine/ruletest"
)

// A rule that two versions have is written once, and so is each change of it, whatever
// constants the versions have. The constants of the versions are changes of their own.
func TestMutantsCountOnce(t *testing.T) {
	library, err := engine.Open(fstest.MapFS{
		"company/1/a.yaml": {Data: []byte(`ruleset: company
version: 1
layer: cius
constants: {least: "2"}
rules:
  - id: CO-1
    level: fatal
    context: /invoice
    assert: filled(this.number) && this.number.size() >= ${least}
    btCodes: [BT-1]
    message: Write a longer number.
    text: The number is long.
    examples: [{passes: {number: "12345678"}}, {fires: {number: "1"}}]
`)},
		"company/2/a.yaml": {Data: []byte(`ruleset: company
version: 2
layer: cius
extends: company/1
constants: {least: "3"}
`)},
		"examples/base.yaml": {Data: []byte("number: \"12345678\"\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	sets, err := library.OwnRulesets()
	if err != nil {
		t.Fatal(err)
	}
	var rules []*engine.Rule
	for _, s := range sets {
		rules = append(rules, library.OwnRules(s)...)
	}
	if len(rules) != 2 {
		t.Fatalf("%d rules, not one of each version", len(rules))
	}
	mutants, err := ruletest.Mutants(t.Context(), library, rules, nil)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, m := range mutants {
		counts[m.What]++
	}
	for _, what := range []string{"&& to ||", ">= to >", "the number 2 to 12", "the number 3 to 13"} {
		if counts[what] != 1 {
			t.Errorf("%q is counted %d times: %v", what, counts[what], counts)
		}
	}
	for _, m := range mutants {
		if m.What == "the number 3 to 13" && !m.Killed {
			t.Error("the example that passes does not notice the constant of the second version")
		}
	}
}
