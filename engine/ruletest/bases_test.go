package ruletest_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/engine/ruletest"
	"einvoice/rulesets"
)

// Documents to begin with that cannot be read, or are not there, are told at their place.
func TestCheckBases(t *testing.T) {
	const rule = "ruleset: own\nversion: 1\nlayer: cius\nrules:\n  - {id: OWN-1, level: fatal, context: /invoice, assert: \"has(this.buyerReference)\", btCodes: [BT-10], message: Write it., text: There is one.,\n" +
		"     examples: [{base: mine, passes: {buyerReference: a}}, {base: nofile, fires: {buyerReference: null}}, {in: ubl, passes: {\"cbc:BuyerReference\": a}}, {in: cii, base: gone, passes: {\"ram:Name\": a}}]}\n"
	folder := fstest.MapFS{
		"own/1/a.yaml":                {Data: []byte(rule)},
		"examples/mine.yaml":          {Data: []byte("number: 1\n")},
		"examples/open.yaml":          {Data: []byte("number: 1\nlines: [\n")},
		"examples/misspelt.yaml":      {Data: []byte("number: 1\nissueDat: 2026-01-01\n")},
		"examples/containers/c.yaml":  {Data: []byte("number: 1\n")},
		"examples/batches/b.yaml":     {Data: []byte("nonsense: 1\n")},
		"examples/broken-ubl.xml":     {Data: []byte("<Invoice>\n<")},
		"examples/read-by-people.txt": {Data: []byte("[")},
	}
	l, err := engine.Open(engine.Layered(folder, rulesets.FS))
	if err != nil {
		t.Fatal(err)
	}
	mistakes, err := ruletest.CheckBases(l, read)
	if err != nil {
		t.Fatal(err)
	}
	var at []string
	for _, m := range mistakes {
		at = append(at, fmt.Sprintf("%s:%d", m.File, m.Line))
	}
	if want := []string{"examples/batches/b.yaml:1", "examples/broken-ubl.xml:2", "examples/containers/c.yaml:1", "examples/misspelt.yaml:2", "examples/open.yaml:2", "own/1/a.yaml:6", "own/1/a.yaml:6"}; !slices.Equal(at, want) {
		t.Errorf("got %v, want %v: %v", at, want, mistakes)
	}
}
