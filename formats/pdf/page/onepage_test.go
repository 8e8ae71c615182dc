package page_test

import (
	"path/filepath"
	"strings"
	"testing"

	"einvoice/formats/pdf/page"
	"einvoice/model"
)

// readersTexts are texts of an invoice that readers read: all but electronic addresses, what only
// programs need, and what the foot has.
func readersTexts(inv *model.Invoice) []string {
	texts := []string{inv.Buyer.Name.Raw, inv.Number.Raw, inv.PaymentTerms.Raw}
	inv.EachLine(func(l, _ *model.Line) {
		texts = append(texts, l.Item.Name.Raw, l.Item.Description.Raw, l.Note.Raw, l.Item.SellerIdentifier.Raw)
		for _, a := range l.Allowances {
			texts = append(texts, a.Reason.Raw)
		}
	})
	for _, n := range inv.Notes {
		texts = append(texts, n.Text.Raw)
	}
	for _, v := range inv.VatBreakdowns {
		texts = append(texts, v.ExemptionReasonText.Raw)
	}
	for _, d := range inv.SupportingDocuments {
		texts = append(texts, d.Description.Raw)
	}
	return texts
}

// At least thirty of the forty letters of the XRechnung test suite are on one page, in type that
// is no smaller than 9 points where readers read, and 8 in small print.
func TestOnePage(t *testing.T) {
	letters, single := 0, 0
	for _, file := range suite(t, "xrechnung-testsuite") {
		name := filepath.Base(file)
		if !strings.HasSuffix(name, "ubl.xml") || strings.Contains(name, "comprehensive") || strings.Contains(name, "cvd") {
			continue // a letter each, without those that have every term
		}
		letters++
		inv := read(t, file)
		made := printed(t, inv, page.Options{Language: "de"})
		body := map[string]bool{} // words that are set as readers read
		if made.Pages == 1 {
			single++
		}
		for _, rows := range rowsOf(t, made.Data) {
			for _, r := range rows {
				for _, w := range r {
					body[w.Text] = body[w.Text] || w.Size > 8.99
					if w.Size < 7.99 {
						t.Fatalf("%s: %q is set in %.1f points", name, w.Text, w.Size)
					}
					if germanAmount.MatchString(w.Text) && w.Bold && w.Size < 8.99 {
						t.Errorf("%s: the sum %q is set in %.1f points", name, w.Text, w.Size)
					}
				}
			}
		}
		for _, text := range readersTexts(inv) {
			for _, word := range strings.Fields(text) {
				if set, is := body[word]; is && !set { // a long one may be broken
					t.Errorf("%s: %q of %q is set in less than 9 points", name, word, text)
				}
			}
		}
	}
	if letters == 0 {
		t.Skip("skipped: ../shared/suites is not there, so there are no letters to count the pages of")
	}
	if t.Logf("%d of %d letters are on one page", single, letters); letters != 40 || single < 30 {
		t.Errorf("%d of %d letters are on one page, want 30 of 40", single, letters)
	}
}
