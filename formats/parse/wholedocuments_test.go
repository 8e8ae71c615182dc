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
	"einvoice/formats/parse/drawn"
	"einvoice/formats/pdf/text"
	"einvoice/model/problem"
	"einvoice/model/sampled"
)

var documentsFile = flag.String("documents", "testdata/documents.yaml", "the file of whole documents to score")

// A wholeDocument is a page as its sender writes it, with all its rows.
type wholeDocument struct {
	Kind, Language, Title string
	Rows                  []string // with their places, where there is no title
}

// wholeDocuments are those of the file.
func wholeDocuments(t *testing.T) (documents []wholeDocument) {
	t.Helper()
	data, err := os.ReadFile(*documentsFile)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(data, &documents); err != nil {
		t.Fatal(err)
	}
	return documents
}

// Whole documents that are not invoices, in all the words of their senders, are refused, and invoices
// among them are read.
func TestWholeDocuments(t *testing.T) {
	t.Parallel()
	documents := wholeDocuments(t)
	all, refused, sure := map[string]int{}, map[string]int{}, 0
	r := rand.New(rand.NewPCG(31, 4))
	titled := slices.DeleteFunc(slices.Clone(documents), func(d wholeDocument) bool { return d.Title == "" })
	for range sampled.Of(3, 3) { // a title stands at other places, in other letters
		documents = append(documents, titled...)
	}
	for i, d := range documents {
		sheet := pageOf
		if d.Title != "" {
			sheet = func(*testing.T, []string) text.Sheet { return drawnDocument(r, d.Title, d.Rows) }
		}
		found, err := parse.DocumentsOf(t.Context(), []text.Sheet{sheet(t, d.Rows)}, parse.Limits{})
		if d.Kind == "invoice" {
			if err != nil {
				t.Errorf("document %d, an invoice in %s: %v", i, d.Language, err)
			}
			continue
		}
		for _, of := range []string{"all", d.Kind, "in " + d.Language} {
			all[of]++
			if e, is := errors.AsType[*problem.Error](err); is && e.Code == parse.CodeNotInvoice {
				refused[of]++
			}
		}
		if err == nil && (found[0].Kind.Confidence >= 0.95 || found[0].Result.Decide(0.95).Accept) {
			sure++
		}
		if err == nil {
			t.Logf("document %d, %s in %s, is taken for %s", i, d.Kind, d.Language, kindsIn(found))
		}
	}
	for _, of := range slices.Sorted(maps.Keys(all)) {
		t.Logf("%-18s %3d of %3d refused", of, refused[of], all[of])
	}
	if sure > 0 || 100*refused["all"] < 98*all["all"] {
		t.Errorf("%d of %d documents are refused, %d taken for invoices for sure", refused["all"], all["all"], sure)
	}
}

// A value of the core that is sure must not become another sure value where a row goes that does not hold it, or
// where one of another document stands among the rows: what the value rests on is either there or it is not sure.
func TestRowsTakenAndAdded(t *testing.T) {
	t.Parallel()
	documents := slices.DeleteFunc(wholeDocuments(t), func(d wholeDocument) bool { return d.Title != "" }) // their rows have no places
	others := map[string][]string{}
	for _, d := range documents {
		others[d.Language] = append(others[d.Language], d.Rows[1:]...)
	}
	r := rand.New(rand.NewPCG(31, 6))
	values, wrong := 0, 0
	for i, d := range documents {
		if d.Kind != "invoice" {
			continue
		}
		before := sureValues(t, d.Rows)
		if before == nil {
			continue
		}
		for at := 1; at < len(d.Rows); at++ {
			if !sampled.Takes(i+at, 7) {
				continue
			}
			other := others[d.Language][r.IntN(len(others[d.Language]))]
			for _, rows := range [][]string{slices.Delete(slices.Clone(d.Rows), at, at+1), slices.Insert(slices.Clone(d.Rows), at, other)} {
				for pointer, value := range sureValues(t, rows) {
					values++
					if was := before[pointer]; was != "" && was != value {
						wrong++
						t.Logf("document %d, row %d %q, or with %q: %s is %q, not %q", i, at, d.Rows[at], other, pointer, value, was)
					}
				}
			}
		}
	}
	t.Logf("%d of %d sure values are others", wrong, values)
	one := 400 // in so many may be wrong
	if !sampled.Whole() {
		one = 200
	}
	if values == 0 || one*wrong > values {
		t.Errorf("%d of %d sure values are others", wrong, values)
	}
}

// sureValues are the values of the core of a page that have 0.95 and more; nil for a page that is refused, or
// that has no room for its rows.
func sureValues(t *testing.T, rows []string) map[string]string {
	page, err := placed(rows)
	if err != nil {
		return nil
	}
	found, err := parse.DocumentsOf(t.Context(), []text.Sheet{page}, parse.Limits{})
	if err != nil {
		return nil
	}
	sure := map[string]string{}
	for _, pointer := range []string{
		"/number", "/issueDate", "/seller/name", "/buyer/name", "/seller/vatIdentifier", "/buyer/vatIdentifier", "/totals/totalAmountWithoutVat", "/totals/taxTotalAmount",
		"/totals/totalAmountWithVat", "/totals/amountDueForPayment", "/paymentInstructions/means/0/creditTransfers/0/accountIdentifier",
	} {
		if f := found[0].Result.Fields[pointer]; f != nil && f.Confidence >= 0.95 {
			sure[pointer] = f.Value
		}
	}
	return sure
}

// pageOf draws rows that have their places.
func pageOf(t *testing.T, rows []string) text.Sheet {
	t.Helper()
	page, err := placed(rows)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// placed draws rows that have their places; an error where a page has no room for them.
func placed(rows []string) (text.Sheet, error) {
	page := drawn.NewPage()
	for _, row := range rows {
		if err := page.Add(row); err != nil {
			return text.Sheet{}, err
		}
	}
	return page.Sheet, nil
}
