package page_test

import (
	"path/filepath"
	"strings"
	"testing"

	"einvoice/formats/pdf/page"
)

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
		texts := []string{inv.Buyer.Name.Raw, inv.Number.Raw}
		for _, l := range inv.Lines {
			texts = append(texts, l.Item.Name.Raw)
		}
		for _, n := range inv.Notes {
			texts = append(texts, n.Text.Raw)
		}
		for _, text := range texts {
			if words := strings.Fields(text); len(words) > 0 && !body[words[0]] {
				t.Errorf("%s: %q is set in less than 9 points", name, words[0])
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
