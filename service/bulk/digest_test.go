package bulk_test

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"einvoice/engine"
	"einvoice/formats/pdf"
	"einvoice/formats/pdf/verapdf"
	"einvoice/rulesets"
	"einvoice/service/bulk"
	"einvoice/service/operation"
	"einvoice/service/validate"
)

// The digest of a job is another for each thing that decides: files of rules of every kind, the
// options, the limits, and a further check of PDFs.
func TestDigestOfJobNamesWhatDecides(t *testing.T) {
	program := filepath.Join(t.TempDir(), "verapdf")
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	vera, err := verapdf.Find(program)
	if err != nil {
		t.Fatal(err)
	}
	with := func(name, text string) operation.Config {
		return operation.Config{Rulesets: engine.Layered(fstest.MapFS{name: {Data: []byte(text)}}, rulesets.FS)}
	}
	limited := operation.Config{}
	limited.Read.Limits.Bytes = 1 << 20
	seen := map[string]string{}
	for what, c := range map[string]struct {
		config operation.Config
		v      bulk.Validation
	}{
		"nothing":          {},
		"veraPDF":          {config: operation.Config{VeraPDF: vera}},
		"limits":           {config: limited},
		"limits of PDFs":   {config: operation.Config{PDF: pdf.Limits{Bytes: 1 << 20}}},
		"a code list":      {config: with("codelists/a.yaml", "list: a\ncodes: A\n")},
		"another of it":    {config: with("codelists/a.yaml", "list: a\ncodes: B\n")},
		"rows of a table":  {config: with("tables/a.csv", "a\n")},
		"findings":         {config: with("findings/a.yaml", "findings: []\n")},
		"phrases":          {config: with("languages/de/phrases/a.yaml", "a: b\n")},
		"an overlay":       {config: with("overlays/a.yaml", "overlay: a\n")},
		"a profile":        {v: bulk.Validation{Rules: validate.Rules{Profile: "en16931"}}},
		"a ruleset":        {v: bulk.Validation{Rules: validate.Rules{Rulesets: []string{"en16931"}}}},
		"a day":            {v: bulk.Validation{Rules: validate.Rules{At: "2026-01-01"}}},
		"a day of receipt": {v: bulk.Validation{Rules: validate.Rules{Received: "2026-01-01"}}},
		"a batch":          {v: bulk.Validation{Batch: []string{"batch"}}},
	} {
		if c.v.Service, err = operation.Open(c.config); err != nil {
			t.Fatal(err)
		}
		v, err := bulk.NewValidation(c.v)
		if err != nil {
			t.Fatal(what, err)
		}
		if other, same := seen[v.Digest()]; same {
			t.Errorf("%s and %s have one digest", what, other)
		}
		seen[v.Digest()] = what
	}
}
