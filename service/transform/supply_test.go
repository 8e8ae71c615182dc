package transform_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/formats/binding"
	"einvoice/model/problem"
	"einvoice/service/create"
	"einvoice/service/internal/kittest"
	"einvoice/service/operation"
	"einvoice/service/transform"
	"einvoice/service/validate"
	"einvoice/service/write"
)

// likely are values for terms, by the end of their paths.
var likely = []struct{ end, value string }{
	{"buyerReference", "04011000-12345-03"},
	{"contact.name", "Ida Lindner"}, {"contact.phone", "+49 3641 1234"}, {"contact.email", "ida@lindner.example"},
	{"electronicAddress.identifier", "eingang@lindner.example"}, {"electronicAddress.schemeId", "EM"},
	{"city", "Jena"}, {"postCode", "07743"}, {"countryCode", "DE"},
	{"means[0].typeCode", "58"}, {"accountIdentifier", "DE02120300000000202051"},
	{"actualDeliveryDate", "2026-11-18"}, {"startDate", "2026-11-01"}, {"endDate", "2026-11-30"},
	{"item.name", "Ware"}, {"invoicedQuantity", "1"}, {"invoicedQuantityUnitCode", "C62"}, {"netPrice", "10"}, {"categoryCode", "S"}, {"rate", "19"},
	{"reference", "R-1"}, {"text", "-"},
}

// TestSupplyCorpus makes each format of every PDF of the corpus. What the first answer
// says is missing is supplied, and the second one names nothing more that is missing: it
// is there, or what it refuses are values that the document has.
func TestSupplyCorpus(t *testing.T) {
	pdfs, err := filepath.Glob("../../../shared/suites/zugferd-corpus/pdf/*.pdf")
	if err != nil || pdfs == nil {
		t.Skip("../shared/suites/zugferd-corpus/pdf is not there, so nothing was transformed")
	}
	for _, format := range []string{"xrechnung", "ubl", "cii", "facturx"} {
		t.Run(format, func(t *testing.T) { supplyAll(t, format, pdfs) })
	}
}

func supplyAll(t *testing.T, format string, pdfs []string) {
	s := kittest.Kit(t)
	delivered := 0
	for _, path := range pdfs {
		first, missing := transformWith(t, s, format, path, nil)
		supply := transform.Supply{}
		for _, m := range missing {
			if i := slices.IndexFunc(likely, func(l struct{ end, value string }) bool { return strings.HasSuffix(m.Option, l.end) }); i >= 0 {
				supply[m.Option] = likely[i].value
			}
		}
		second, still := transformWith(t, s, format, path, supply)
		outcome := "delivered"
		if second.Report.Valid {
			delivered++
		} else {
			outcome = "refused for " + strings.Join(fatal(second.Report), " ")
		}
		for _, m := range still {
			if _, given := supply[m.Option]; given {
				t.Errorf("%s: %s was supplied and is missing still", path, m.Option)
			} else if !slices.ContainsFunc(missing, func(before transform.MissingTerm) bool { return before.Option == m.Option }) {
				t.Errorf("%s: %s (%v) is named only when others are supplied", path, m.Option, m.Rules)
			}
		}
		t.Logf("%-90s %2d violations, %2d terms supplied: %s", filepath.Base(path), first.Report.Counts.Fatal, len(supply), outcome)
	}
	t.Logf("%d of %d delivered", delivered, len(pdfs))
	if delivered < 20 {
		t.Errorf("only %d of %d are delivered", delivered, len(pdfs))
	}
}

func transformWith(t *testing.T, s *operation.Kit, format, path string, supply transform.Supply) (*write.Made, []transform.MissingTerm) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := s.Read(context.Background(), data, validate.Accept{PDF: true, Legacy: true})
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	made, err := transform.Document(context.Background(), s.Pages, format, doc, transform.Options{Supply: supply})
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return made, transform.Missing(made.Report, doc.Invoice)
}

func fatal(r *engine.Report) (rules []string) {
	for _, f := range r.Findings {
		if f.Level == engine.Fatal && !slices.Contains(rules, f.Rule) {
			rules = append(rules, f.Rule)
		}
	}
	return rules
}

// What is supplied has to be a term that the document lacks, of a value that it can have;
// all mistakes are told at once.
func TestSupplyMistakes(t *testing.T) {
	wrong := transform.Supply{
		"seller": "x", "buyer.contact.nam": "x", "lines[0]": "x", "lines[100].note": "x", "paymentDueDate": "soon", "totals.paidAmount": "much", "notes.text": "x", "seller contact": "x",
	}.Check()
	for field, says := range map[string]string{
		"seller": "write an object", "buyer.contact.nam": `did you mean "name"`, "lines[0]": "is a group", "lines[100].note": "not a path", "paymentDueDate": "not a date",
		"totals.paidAmount": "not a decimal number", "notes": "write an array", "seller contact": "not a path",
	} {
		if !slices.ContainsFunc(wrong, func(e *problem.Error) bool { return e.Field == field && strings.Contains(e.Message, says) }) {
			t.Errorf("%s: %q is not told in %v", field, says, wrong)
		}
	}
	if len(wrong) != 8 {
		t.Errorf("got %d mistakes", len(wrong))
	}
	many := transform.Supply{}
	for i := range 20 {
		many[strings.Repeat("lines[99].subLines[99].", i+1)+"note"] = "x" // 100 entries at each step
	}
	if wrong := many.Check(); len(wrong) < 10 || !strings.Contains(wrong[len(wrong)-1].Message, "200 in all") {
		t.Errorf("got %v", wrong)
	}
}

// A term that the document has is not replaced, but by the option of its own, which is told.
func TestSupplyOfWhatIsThere(t *testing.T) {
	s := kittest.Kit(t)
	r, err := create.ReadRequest(t.Context(), create.Example)
	if err != nil {
		t.Fatal(err)
	}
	made, err := create.Document(context.Background(), s.Pages, "ubl", r)
	if err != nil {
		t.Fatal(err)
	}
	transformed := func(data []byte, asked transform.Options) (*write.Made, error) {
		doc, err := s.Read(context.Background(), data, validate.Accept{})
		if err != nil {
			t.Fatal(err)
		}
		return transform.Document(context.Background(), s.Pages, "xrechnung", doc, asked)
	}
	_, err = transformed(made.Data, transform.Options{Supply: transform.Supply{"seller.name": "Y", "lines[3].note": "x", "lines[0].note": "n"}})
	wrong, ok := errors.AsType[*problem.WrongOptions](err)
	if !ok || len(wrong.Wrong) != 2 || !strings.Contains(err.Error(), "already") || !strings.Contains(err.Error(), "there is no lines[1]") {
		t.Errorf("got %v", err)
	}
	again, err := transformed(made.Data, transform.Options{BuyerReference: "B", Supply: transform.Supply{"lines[0].note": "n", "notes[0].text": "all"}})
	if err != nil || !again.Report.Valid || !strings.Contains(string(again.Data), "<cbc:Note>n</cbc:Note>") || !strings.Contains(string(again.Data), "<cbc:Note>all</cbc:Note>") {
		t.Errorf("got %v, %+v", err, again)
	}
	// An element that says nothing is left out, which is told.
	empty := regexp.MustCompile(`<cbc:BuyerReference>[^<]*`).ReplaceAll(made.Data, []byte("<cbc:BuyerReference> "))
	again, err = transformed(empty, transform.Options{Supply: transform.Supply{"buyerReference": "C"}})
	if err != nil || !again.Report.Valid || len(again.Losses) == 0 {
		t.Fatalf("got %v, %+v", err, again)
	}
	if l := again.Losses[len(again.Losses)-1]; l.Field != "buyerReference" || l.Kind != binding.Changed || l.Line == 0 {
		t.Errorf("got %s", fmt.Sprint(again.Losses))
	}
}
