package engine_test

import (
	"context"
	"io/fs"
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/engine/lint"
	"einvoice/rulesets"
)

// FuzzRuleFile feeds the loader whatever a text editor can produce. It may
// refuse everything, but must not panic; what it accepts must run.
func FuzzRuleFile(f *testing.F) {
	files, err := fs.Glob(rulesets.FS, "*/*/*.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := fs.ReadFile(rulesets.FS, file)
		if err != nil {
			f.Fatal(err)
		}
		if len(data) < 8000 { // long seeds only slow the fuzzer down
			f.Add(data)
		}
	}
	f.Add([]byte("ruleset: r\nversion: 1\nlayer: cius\nrules:\n" + one("/invoice/lines[vat/categoryCode='E']", "this.netAmount > 0.5")))
	f.Add([]byte("ruleset: r\nversion: 1\nlayer: cius\ntables:\n  - {kind: atMostOnce, on: ubl, level: fatal, context: /*, rows: {A: 'cac:B[cbc:C = 1]/@d'}}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := engine.Open(fstest.MapFS{"r/1/rules.yaml": {Data: data}})
		if err != nil {
			t.Fatal(err)
		}
		if lint.Check(l, false) != nil {
			return
		}
		v, err := l.Validator("r")
		if err != nil {
			return
		}
		doc, err := fs.ReadFile(rulesets.FS, "examples/base-ubl.xml")
		if err != nil {
			t.Fatal(err)
		}
		read, err := read(doc)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = v.Validate(context.Background(), read) // no rule may apply
	})
}
