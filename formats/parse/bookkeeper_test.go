package parse_test

import (
	"fmt"
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

// A percentage that leads from quantity times price to the amount is the discount, whatever its head is called.
func TestDiscountWithAnyHead(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 2))
	for range sampled.Of(60, 4) {
		head := anyOf(r, "Kort. %", "Kort.", "Less", "Concession", "Nachl.", "Erm.", "Off", "Bonus %")
		rows := []string{
			"40|50 Harbour Tools Ltd", "52|50 4 Mill Lane", "64|50 London E1 4AB", "90|50 Bill to: Oak Street Bakery Ltd", "102|50 7 High Street", "114|50 Leeds LS1 4AP",
			"140|50 Invoice", "154|50 Invoice number: INV-2611", "168|50 Invoice date: 20/11/2026", "182|50 Currency: EUR",
			"200|50 Description|>300 Qty|>390 Unit price|>450 " + head + "|>540 Amount",
		}
		var prices []int
		net := 0
		for i := range 2 + r.IntN(4) {
			quantity, percent := 2+r.IntN(9), 5*(1+r.IntN(6))
			price := 100 * (5 + r.IntN(90)) // whole, so that a part of it in percent is in cents
			amount := quantity * price * (100 - percent) / 100
			prices, net = append(prices, price*(100-percent)/100), net+amount
			rows = append(rows, fmt.Sprintf("%d|50 Steel bolts|>300 %d|>390 %s|>450 %d%%|>540 %s", 214+14*i, quantity, inCents(price), percent, inCents(amount)))
		}
		tax := (net*19 + 50) / 100
		read := readPage(t, append(rows, "300|330 Net total|>540 "+inCents(net), "314|330 VAT 19 %|>540 "+inCents(tax), "328|330 Invoice total|>540 "+inCents(net+tax)))
		for i, want := range prices {
			if got := valueOf(read, fmt.Sprintf("/lines/%d/price/netPrice", i)); got != inCents(want) && got+"0" != inCents(want) && got+".00" != inCents(want) {
				t.Errorf("%q: price %d is %s, want %s", head, i, got, inCents(want))
			}
		}
	}
}
