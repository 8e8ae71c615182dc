package authoring_test

import (
	"testing"
	"testing/fstest"

	"einvoice/rulesets"
	"einvoice/service/authoring"
)

// Examples run above each rule: those of rulesets, and those that overlays add.
func TestRunExamples(t *testing.T) {
	own := fstest.MapFS{}
	for name, text := range renamedFiles {
		own[name] = &fstest.MapFile{Data: []byte(text)}
	}
	w := authoring.Open(own, rulesets.FS)
	for _, c := range []struct {
		file        string
		first, last int
		want        int
	}{
		{"company/1/orders.yaml", 1, 0, 4},
		{"overlays/acme.yaml", 1, 0, 2},
		{"overlays/branch.yaml", 1, 0, 4},
		{"overlays/branch.yaml", 9, 9, 2},
		{"company/2/orders.yaml", 1, 0, 0},
		{"codelists/nothing.yaml", 1, 0, 0},
	} {
		results, err := w.RunExamples(c.file, c.first, c.last)
		if err != nil {
			t.Fatalf("%s: %v", c.file, err)
		}
		if len(results) != c.want {
			t.Errorf("%s from %d to %d: %d examples, want %d", c.file, c.first, c.last, len(results), c.want)
		}
		for _, r := range results {
			if !r.OK() {
				t.Errorf("%s:%d: %s", r.File, r.Line, r.Error)
			}
		}
	}
}
