package parse_test

import (
	"errors"
	"flag"
	"maps"
	"os"
	"slices"
	"testing"

	"gopkg.in/yaml.v3"

	"einvoice/formats/parse"
	"einvoice/formats/parse/drawn"
	"einvoice/formats/pdf/text"
	"einvoice/model/problem"
)

var documentsFile = flag.String("documents", "testdata/documents.yaml", "the file of whole documents to score")

// A wholeDocument is a page as its sender writes it, with all its rows.
type wholeDocument struct {
	Kind, Language string
	Rows           []string
	// Part is score where nobody looks at what is missed.
	Part string
}

// Whole documents that are not invoices, by a person who never saw the lexicon, in all their words, are
// refused.
func TestWholeDocuments(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(*documentsFile)
	if err != nil {
		t.Fatal(err)
	}
	var documents []wholeDocument
	if err := yaml.Unmarshal(data, &documents); err != nil {
		t.Fatal(err)
	}
	all, refused, sure := map[string]int{}, map[string]int{}, 0
	for i, d := range documents {
		page := drawn.NewPage()
		for _, row := range d.Rows {
			if err := page.Add(row); err != nil {
				t.Fatalf("document %d, %s in %s: %v", i, d.Kind, d.Language, err)
			}
		}
		found, err := parse.DocumentsOf(t.Context(), []text.Sheet{page.Sheet}, parse.Limits{})
		for _, of := range []string{d.Kind, "in " + d.Language, "part " + d.Part} {
			all[of]++
			if e, is := errors.AsType[*problem.Error](err); is && e.Code == parse.CodeNotInvoice {
				refused[of]++
			}
		}
		if err == nil && (found[0].Kind.Confidence >= 0.95 || found[0].Result.Decide(0.95).Accept) {
			sure++
		}
		if d.Part != "score" && err == nil {
			t.Logf("document %d, %s in %s, is taken for %s", i, d.Kind, d.Language, kindsIn(found))
		}
	}
	for _, of := range slices.Sorted(maps.Keys(all)) {
		t.Logf("%-18s %3d of %3d refused", of, refused[of], all[of])
	}
	if sure > 0 {
		t.Errorf("%d of %d documents are taken for invoices for sure", sure, len(documents))
	}
}
