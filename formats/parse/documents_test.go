package parse_test

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"einvoice/formats/parse"
	"einvoice/formats/pdf/text"
	"einvoice/model/problem"
	"einvoice/model/sampled"
)

// A stapled is what is put into a file: pages, and what they are.
type stapled struct {
	name   string
	kind   string
	sheets []text.Sheet
}

// others are pages that are not invoices, in the words of no document of the other tests.
var others = map[string]string{
	"orderConfirmation": "Harbour Tools Ltd\n4 Mill Lane\nLondon\n\nOrder confirmation AB-4417\nDate: 02/11/2026\nThank you for your order. We confirm it as follows.\n\nArticle\tQty\tPrice\tAmount\nBolts\t10\t2.50\t25.00\nGlue\t2\t12.00\t24.00\n\n\tNet total\t49.00\n\tVAT 19 %\t9.31\n\tTotal\t58.31",
	"deliveryNote":      "Hafen Werkzeuge GmbH\nUferweg 4\n20095 Hamburg\n\nLieferschein Nr. L-881\nDatum: 03.11.2026\n\nArtikel\tMenge\nSchrauben\t10 Stk\nLeim\t2 Stk",
	"reminder":          "Papeterie du Quai\n4 quai Sud\n75001 Paris\n\nRelance n° 2\nLe 20/11/2026\nNotre facture F-99 du 20/09/2026 reste impayée.\nMontant restant : 118,00 EUR",
	"offer":             "Harbour Tools Ltd\n4 Mill Lane\n\nQuotation Q-55\nDate: 02/10/2026\nThis quotation is valid until 30/11/2026.\n\nArticle\tQty\tPrice\tAmount\nBolts\t10\t2.50\t25.00\n\n\tTotal\t25.00",
}

// toStaple are invoices of every family of the made pages, and other documents.
func toStaple(t *testing.T) (all []stapled) {
	t.Helper()
	for i, f := range Families() {
		for _, lang := range languagesOf(i, 2) {
			made, err := Make(f, lang, uint64(500+i))
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, stapled{fmt.Sprintf("%s %s", f.Name, lang), "invoice", wordsOf(t, made.PDF)})
		}
	}
	if *layouts != "" {
		files, _ := filepath.Glob(filepath.Join(*layouts, cmp.Or(*layoutPart, "train"), "*-1.pdf"))
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, stapled{filepath.Base(file), "invoice", wordsOf(t, data)})
		}
	}
	for kind, page := range others {
		all = append(all, stapled{kind, kind, wordsOf(t, printed(nil, strings.NewReplacer("é", "\\351", "°", "\\260").Replace(page)))})
	}
	return all
}

// Whatever documents are put into one file, each is read as it is alone: nothing of one gets into
// another, and none is lost. Pages that follow the first one of a document belong to it.
func TestStapledDocuments(t *testing.T) {
	t.Parallel()
	all := toStaple(t)
	alone := map[string]*parse.Result{}
	for _, s := range all {
		if s.kind != "invoice" {
			continue
		}
		found, err := parse.DocumentsOf(t.Context(), s.sheets, parse.Limits{})
		if err != nil {
			continue // a page that is not read at all
		}
		if len(found) != 1 {
			t.Errorf("%s alone is taken for %d documents", s.name, len(found))
			continue
		}
		alone[s.name] = found[0].Result
	}
	r := rand.New(rand.NewPCG(31, 7))
	files, wrong := sampled.Of(60, 6), 0
	if *whole {
		files = 600
	}
	for range files {
		var sheets []text.Sheet
		var in []stapled
		for range 2 + r.IntN(3) {
			s := all[r.IntN(len(all))]
			if r.IntN(4) == 0 {
				s = all[len(all)-1-r.IntN(len(others))]
			}
			known := alone[s.name] != nil || s.kind != "invoice"
			if twice := slices.ContainsFunc(in, func(o stapled) bool { return o.name == s.name }); known && !twice {
				in, sheets = append(in, s), append(sheets, s.sheets...)
			}
		}
		if !slices.ContainsFunc(in, func(s stapled) bool { return s.kind == "invoice" }) {
			continue
		}
		found, err := parse.DocumentsOf(t.Context(), sheets, parse.Limits{Pages: 100})
		if err != nil {
			t.Errorf("%s: %v", namesOf(in), err)
			continue
		}
		if told := differs(in, found, alone); told != "" {
			wrong++
			t.Logf("%s: %s", namesOf(in), told)
		}
	}
	if 50*wrong > files {
		t.Errorf("%d of %d files are not read as their documents alone", wrong, files)
	}
}

func namesOf(in []stapled) string {
	var names []string
	for _, s := range in {
		names = append(names, s.name)
	}
	return strings.Join(names, " + ")
}

// differs says how the documents of a file are read otherwise than alone.
func differs(in []stapled, found []parse.Document, alone map[string]*parse.Result) string {
	if len(found) != len(in) {
		return fmt.Sprintf("%d documents", len(found))
	}
	first := 1
	for i, s := range in {
		d := &found[i]
		if d.First != first || d.Last != first+len(s.sheets)-1 {
			return fmt.Sprintf("%s is on the pages %d to %d", s.name, d.First, d.Last)
		}
		first = d.Last + 1
		if s.kind != "invoice" {
			if d.Kind.Name != s.kind || d.Result != nil {
				return fmt.Sprintf("%s is taken for %+v", s.name, d.Kind)
			}
			continue
		}
		if d.Result == nil {
			return fmt.Sprintf("%s is taken for %+v", s.name, d.Kind)
		}
		want := alone[s.name]
		for pointer, f := range want.Fields {
			got := d.Result.Fields[pointer]
			if got == nil || got.Value != f.Value || got.Confidence != f.Confidence || f.Page > 0 && got.Page != f.Page+d.First-1 {
				return fmt.Sprintf("%s: %s is %+v, alone %+v", s.name, pointer, got, f)
			}
		}
		if len(want.Fields) != len(d.Result.Fields) {
			return fmt.Sprintf("%s: %d fields, alone %d", s.name, len(d.Result.Fields), len(want.Fields))
		}
	}
	return ""
}

// A copy of an invoice is one document that is not read, so that nothing is posted twice.
func TestCopies(t *testing.T) {
	page := fmt.Sprintf(bill, "INV-17", "58.31")
	found, err := parse.Documents(t.Context(), printed(nil, page, page+"\nCopy", fmt.Sprintf(bill, "INV-18", "58.31")), parse.Limits{}, parse.Aids{})
	if err != nil || len(found) != 3 || found[1].CopyOf != 1 || found[1].Result != nil || found[0].Result == nil || found[2].Result == nil {
		t.Fatalf("got %+v, %v", found, err)
	}
	told := slices.ContainsFunc(found[0].Result.Review, func(r parse.Review) bool { return strings.Contains(r.Message, "copy") })
	if !told || len(found[0].Result.Invoice.Lines) != len(found[2].Result.Invoice.Lines) {
		t.Errorf("the first one is %+v", found[0].Result.Review)
	}
}

// What else is in the file stands in the review where its weight puts it: the worst is first.
func TestReviewOfSeveral(t *testing.T) {
	t.Parallel()
	page := fmt.Sprintf(bill, "INV-17", "58.31") + "\n\nPlease pay to IBAN DE02 1203 0000 0000 2020 51"
	found, err := parse.Documents(t.Context(), printed(nil, page, others["orderConfirmation"]), parse.Limits{}, parse.Aids{})
	if err != nil || len(found) != 2 || found[0].Result == nil {
		t.Fatalf("got %+v, %v", found, err)
	}
	review := found[0].Result.Review
	if len(review) < 2 || !slices.IsSortedFunc(review, func(x, y parse.Review) int { return cmp.Compare(y.Weight, x.Weight) }) {
		t.Errorf("the review is %+v", review)
	}
}

// A total whose label ends with the currency is one, too: what follows it may begin a document.
func TestTotalWithCurrency(t *testing.T) {
	t.Parallel()
	page := "Hafen Werkzeuge GmbH\nUferweg 4\n20095 Hamburg\nUSt-IdNr. DE811907980\n\nRechnung\nRechnungsnummer: 2026/4471\nRechnungsdatum: 03.11.2026\n\n" +
		"Artikel\tMenge\tPreis\tBetrag EUR\nSchrauben\t10\t2,50\t25,00\nLeim\t2\t12,00\t24,00\n\n\tNettobetrag\t49,00\n\tzzgl. 19 % USt.\t9,31\n\tGesamtbetrag EUR\t58,31"
	found, err := parse.Documents(t.Context(), printed(nil, page, page+"\nKopie", strings.Replace(others["deliveryNote"], "Datum: 03.11.2026\n", "", 1)), parse.Limits{}, parse.Aids{})
	if err != nil || len(found) != 3 || found[0].Result == nil || found[1].CopyOf != 1 || found[2].Kind.Name != "deliveryNote" {
		t.Errorf("got %+v, %v", found, err)
	}
}

// An invoice that is in a file twice is read once, on however many pages it is, and on whichever
// of them its total.
func TestTwice(t *testing.T) {
	t.Parallel()
	for i, s := range toStaple(t) {
		if s.kind != "invoice" || !sampled.Takes(i, 4) {
			continue
		}
		alone, err := parse.DocumentsOf(t.Context(), s.sheets, parse.Limits{})
		if err != nil || len(alone) != 1 {
			continue // told by TestStapledDocuments
		}
		found, err := parse.DocumentsOf(t.Context(), slices.Concat(s.sheets, s.sheets), parse.Limits{Pages: 100})
		if err != nil || len(found) != 2 || found[0].Result == nil || found[1].Result != nil || found[1].CopyOf != 1 {
			t.Errorf("%s, %d pages: %d documents, %v", s.name, len(s.sheets), len(found), err)
		}
	}
	head, tail, _ := strings.Cut(fmt.Sprintf(bill, "INV-17", "58.31"), "\n\n\t")
	pages := []string{head + "\n\nPage 1 of 2", "Page 2 of 2\n\n\t" + tail}
	found, err := parse.Documents(t.Context(), printed(nil, slices.Concat(pages, pages)...), parse.Limits{}, parse.Aids{})
	if err != nil || len(found) != 2 || found[1].CopyOf != 1 || found[1].First != 3 {
		t.Errorf("with the total on the second page: %+v, %v", found, err)
	}
}

// A file of other documents alone is refused, and the error names the first one.
func TestOtherDocumentsAlone(t *testing.T) {
	_, err := parse.Documents(t.Context(), printed(nil, others["offer"], others["orderConfirmation"]), parse.Limits{}, parse.Aids{})
	if e, ok := errors.AsType[*problem.Error](err); !ok || e.Code != parse.CodeNotInvoice || !strings.Contains(e.Message, "offer") {
		t.Errorf("got %v", err)
	}
}
