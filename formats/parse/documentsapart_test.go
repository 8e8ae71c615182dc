package parse_test

import (
	"errors"
	"flag"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"gopkg.in/yaml.v3"

	"einvoice/formats/parse"
	"einvoice/formats/pdf/text"
	"einvoice/model/problem"
)

var documentsFile = flag.String("documents", "testdata/documents.yaml", "the file of whole documents to score")

// A wholeDocument is a page as its sender writes it, with all its rows.
type wholeDocument struct {
	Kind, Language, Title string
	Rows                  []string
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
	r := rand.New(rand.NewPCG(31, 4))
	for i, d := range slices.Repeat(documents, 4) { // each with its title at other places, in other letters
		found, err := parse.DocumentsOf(t.Context(), []text.Sheet{drawnDocument(r, d.Title, d.Rows)}, parse.Limits{})
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
		t.Errorf("%d of %d documents are taken for invoices for sure", sure, 4*len(documents))
	}
}
