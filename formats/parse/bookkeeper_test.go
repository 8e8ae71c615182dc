package parse_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"einvoice/formats/parse"
	"einvoice/formats/parse/drawn"
	"einvoice/formats/pdf/text"
	"einvoice/model/sampled"
)

// readPage reads the invoice off a page of rows; those whose text is one of titles are set in larger letters.
func readPage(t *testing.T, rows []string, titles ...string) *parse.Result {
	t.Helper()
	sheet := drawn.Sheet(rows...)
	for i := range sheet.Words {
		if w := &sheet.Words[i]; slices.Contains(titles, w.Text) {
			w.Size, w.Box.Top = 15, w.Box.Top-4
		}
	}
	read, err := parse.Sheets(t.Context(), []text.Sheet{sheet}, parse.Limits{})
	if err != nil {
		t.Fatal(err, rows)
	}
	return read
}

// anyOf is one of some texts.
func anyOf(r *rand.Rand, of ...string) string { return of[r.IntN(len(of))] }

func valueOf(r *parse.Result, pointer string) string {
	if f := r.Fields[pointer]; f != nil {
		return f.Value
	}
	return ""
}

// The words of a legal form and of a name are no currency, however often they are printed.
func TestCurrencyInNames(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 1))
	for range sampled.Of(40, 4) {
		code := anyOf(r, "PLN", "CHF", "SEK", "GBP", "CZK")
		seller := anyOf(r, "Morel", "Dupuis", "Lacroix") + anyOf(r, " Conseil EURL", " et Fils EURL", " SEKTOR SARL", " CHFORM SAS")
		if r.IntN(3) == 0 {
			seller = "Euro " + anyOf(r, "Freight", "Transit", "Papier") + anyOf(r, " SARL", " Ltd", " GmbH")
		}
		amount := 10000 + r.IntN(90000)
		read := readPage(t, []string{
			"40|50 " + seller, "52|50 4 rue Haute", "64|50 69002 Lyon", "90|50 Client : Atelier Petit SAS", "102|50 7 rue Basse", "114|50 33000 Bordeaux",
			"140|50 Facture", "154|50 Facture n° : 2026-114", "168|50 Date : 20/11/2026", "200|50 Description|>330 Quantité|>420 Prix unitaire|>540 Montant",
			"214|50 Conseil|>330 1|>420 " + inCents(amount) + "|>540 " + inCents(amount), "240|330 Total HT|>540 " + inCents(amount),
			"254|330 TVA 20 %|>540 " + inCents((amount+2)/5), "268|330 Total TTC|>540 " + inCents(amount+(amount+2)/5), "290|50 Tous nos prix s’entendent en " + code,
			"760|50 " + seller, "772|50 " + seller + ", 4 rue Haute, 69002 Lyon",
		})
		if got := valueOf(read, "/currencyCode"); got != code {
			t.Errorf("%s, amounts in %s: the currency is %q", seller, code, got)
		}
	}
}
