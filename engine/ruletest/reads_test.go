package ruletest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/engine/ruletest"
	"einvoice/formats"
	"einvoice/rulesets"
)

// On a document that has none of the terms that a rule reads, the rule decides as it does on
// an empty invoice: that is what lets results be taken from before the rule was changed.
func TestReadsAreAllThatDecides(t *testing.T) {
	suites := filepath.Join("..", "..", "..", "shared", "suites")
	if _, err := os.Stat(suites); err != nil {
		t.Skip("skipped: ../shared/suites is not there, so there are no documents to try the rules on")
	}
	library, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	set, err := library.Ruleset("en16931")
	if err != nil {
		t.Fatal(err)
	}
	validator, err := library.Validator("en16931")
	if err != nil {
		t.Fatal(err)
	}
	reads := map[string]*ruletest.Reads{}
	for _, r := range set.Rules {
		known, err := ruletest.ReadsOf(t.Context(), library, r)
		if err != nil {
			t.Fatal(err)
		}
		if known.Terms != nil && known.Otherwise == "" {
			reads[r.ID] = known
		}
	}
	untouched, documents := 0, 0
	err = filepath.WalkDir(suites, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".xml") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		doc, err := formats.Read(data, formats.Options{})
		if err != nil {
			return nil // it is not an invoice
		}
		documents++
		report, err := validator.Validate(t.Context(), doc)
		if err != nil {
			return err
		}
		fired := map[string]bool{}
		for i := range report.Findings {
			fired[report.Findings[i].Rule] = true
		}
		terms := ruletest.TermsOf(doc.Invoice)
		for id, known := range reads {
			if !known.Terms.Meets(terms) {
				untouched++
				if fired[id] {
					t.Errorf("%s: %s fires, and the document has none of its terms", path, id)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(reads) < 5 || documents < 1000 || untouched < 10_000 {
		t.Errorf("only %d rules, %d documents and %d times that a rule cannot touch a document", len(reads), documents, untouched)
	}
	t.Logf("%d rules, %d documents; %d times a rule cannot touch a document", len(reads), documents, untouched)
}
