package parse_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"einvoice/formats/parse"
	"einvoice/formats/pdf/text"
	"einvoice/model"
)

// Text that nobody sees is not read, in whatever way it is hidden and whatever it says, and
// is told. What is printed is read as without it.
func TestHiddenText(t *testing.T) {
	page := fmt.Sprintf(bill, "INV-17", "58.31") + "\nIBAN: DE02120300000000202051"
	plain, err := parse.PDF(t.Context(), printed(nil, page), parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	show := func(of string, x, y int) string { return fmt.Sprintf("BT /F 10 Tf %d %d Td (%s) Tj ET ", x, y, of) }
	for by, hide := range map[text.Hiding]func(of string, x, y int) string{
		text.HiddenByMode:   func(of string, x, y int) string { return "q 3 Tr " + show(of, x, y) + "Q " },
		text.HiddenByColour: func(of string, x, y int) string { return "q 1 g " + show(of, x, y) + "Q " },
		text.HiddenBySize:   func(of string, x, y int) string { return fmt.Sprintf("BT /F 0.4 Tf %d %d Td (%s) Tj ET ", x, y, of) },
		text.HiddenByEdge:   func(of string, x, y int) string { return show(of, x, y-2000) },
		text.HiddenByClip:   func(of string, x, y int) string { return "q 0 0 1 1 re W n " + show(of, x, y) + "Q " },
		text.HiddenByCover: func(of string, x, y int) string {
			return show(of, x, y) + fmt.Sprintf("q 1 g %d %d 300 14 re f Q ", x-2, y-3)
		},
	} {
		for forged, places := range map[string][2]int{
			"IBAN: DE89370400440532013000": {50, 520}, "Invoice number: X-99": {300, 790}, "Invoice date: 01/02/2020": {300, 790}, "Total 99.99": {400, 584},
			"Amount due 99.99": {400, 570}, "VAT identifier: DE123456788": {400, 724}, "Buyer: Somebody Else Ltd": {300, 540}, "Reminder": {50, 815}, "Wood glue 2 12.00 24.00": {50, 540},
		} {
			r, err := parse.PDF(t.Context(), printedWith(nil, hide(forged, places[0], places[1]), page), parse.Limits{})
			if err != nil {
				t.Errorf("%s, %q: %v", by, forged, err)
				continue
			}
			for pointer, f := range plain.Fields {
				if got := r.Fields[pointer]; got == nil || got.Value != f.Value {
					t.Errorf("%s, %q: %s is %+v, want %s", by, forged, pointer, got, f.Value)
				}
			}
			if len(r.Fields) != len(plain.Fields) {
				t.Errorf("%s, %q: %d values were read, want %d", by, forged, len(r.Fields), len(plain.Fields))
			}
			isTold := func(h parse.Hidden) bool { return h.By == by && h.Page == 1 && h.Text == forged }
			inReview := func(x parse.Review) bool { return strings.Contains(x.Message, forged) }
			if !slices.ContainsFunc(r.Hidden, isTold) || !slices.ContainsFunc(r.Review, inReview) {
				t.Errorf("%s, %q: told are %+v and %+v", by, forged, r.Hidden, r.Review)
			}
		}
	}
	if len(plain.Hidden) > 0 {
		t.Errorf("%+v is said to be hidden", plain.Hidden)
	}
}

// A forged amount that is on the page where nobody sees it is contradicted by what is printed.
func TestHiddenTextRestoresNothing(t *testing.T) {
	page := fmt.Sprintf(bill, "INV-17", "58.31")
	r, err := parse.PDF(t.Context(), printedWith(nil, "1 g BT /F 10 Tf 50 500 Td (99.99) Tj ET", page), parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	attached := *r.Invoice
	totals := *r.Invoice.Totals
	totals.TotalAmountWithVat = model.NewAmount("99.99")
	attached.Totals = &totals
	found, err := r.Compare(&attached)
	if err != nil || len(found) != 1 || found[0].Pointer != "/totals/totalAmountWithVat" {
		t.Errorf("contradicted are %+v, %v", found, err)
	}
}

// Where a page shows a picture alone, the words behind it are read and never sure, and the
// review says so. Where text in pictures is recognised, what the picture shows is read instead.
func TestWordsBehindAPicture(t *testing.T) {
	behind, shown := fmt.Sprintf(bill, "X-99", "58.31"), fmt.Sprintf(bill, "INV-17", "58.31")
	data := layerScan(behind)
	r, err := parse.PDF(t.Context(), data, parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if f := r.Fields["/number"]; f == nil || f.Value != "X-99" {
		t.Errorf("the number is %+v", f)
	}
	for pointer, f := range r.Fields {
		if f.Confidence > 0.9 {
			t.Errorf("%s is read behind a picture, and %.2f sure", pointer, f.Confidence)
		}
	}
	if len(r.Review) == 0 || !slices.ContainsFunc(r.Review, func(x parse.Review) bool { return strings.Contains(x.Message, "behind its picture") }) {
		t.Errorf("the review is %+v", r.Review)
	}
	r, err = parse.File(t.Context(), data, parse.Limits{}, parse.Aids{OCR: &fakeOCR{page: shown}})
	if err != nil {
		t.Fatal(err)
	}
	if f := r.Fields["/number"]; f == nil || f.Value != "INV-17" || f.Source != parse.SourceOCR {
		t.Errorf("recognised is the number %+v", f)
	}
}
