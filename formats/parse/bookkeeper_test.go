package parse_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
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

// Of two addresses beside each other, of which at most one has a label, neither is surely given to the other party.
func TestAddressesOfParties(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 3))
	for range sampled.Of(80, 4) {
		label := [2]string{}
		at := r.IntN(2) // the column of the seller
		if r.IntN(4) > 0 {
			label[at] = anyOf(r, "Proveedor", "Vendedor:", "Emisor:")
		} else {
			label[1-at] = anyOf(r, "Cliente", "Facturar a:")
		}
		name, street, city := [2]string{}, [2]string{}, [2]string{}
		name[at], street[at], city[at] = "Orsini Herramientas S.L.", "Plaza Nueva 27", "41004 Sevilla"
		name[1-at], street[1-at], city[1-at] = anyOf(r, "Ayuntamiento de Lugo", "Ruiz Imprenta S.A.", "Colegio San José"), "Calle Mayor 14", anyOf(r, "46002 Valencia", "41004 Sevilla")
		rows, row := []string{"50|50 Factura"}, 80
		cells := [2][]string{}
		for i := range 2 {
			cells[i] = []string{label[i], name[i], street[i], city[i]}
			if label[i] == "" && r.IntN(2) == 0 { // the other column begins with its name
				cells[i] = append(cells[i][1:], "")
			}
		}
		for i := range cells[0] {
			if line := strings.Trim(strings.Join([]string{pageCell(50, cells[0][i]), pageCell(330, cells[1][i])}, "|"), "|"); line != "" {
				rows = append(rows, fmt.Sprintf("%d|%s", row, line))
			}
			row += 12
		}
		read := readPage(t, append(rows, "180|50 Número de factura: R-7849", "194|50 Fecha: 20/10/2026", "220|50 Concepto|>330 Cantidad|>420 Precio|>540 Importe",
			"234|50 Montaje|>330 2|>420 100,00|>540 200,00", "260|330 Base imponible|>540 200,00", "274|330 IVA 21 %|>540 42,00", "288|330 Total factura|>540 242,00 €",
			"760|50 "+name[at]+"|330 NIF ESB59461416", "772|50 "+street[at]+"|330 IBAN ES9121000418450200051332", "784|50 "+city[at]))
		for _, of := range []struct {
			role string
			at   int
		}{{"seller", at}, {"buyer", 1 - at}} {
			code, town, _ := strings.Cut(city[of.at], " ")
			for pointer, want := range map[string]string{"name": name[of.at], "postalAddress/line1": street[of.at], "postalAddress/city": town, "postalAddress/postCode": code} {
				if pointer = "/" + of.role + "/" + pointer; isSurelyWrong(read, pointer, want) {
					t.Errorf("%q: %s is %s, for sure", rows, pointer, valueOf(read, pointer))
				}
			}
		}
	}
}

// pageCell is a text at a place; nothing where the text is empty.
func pageCell(at int, s string) string {
	if s == "" {
		return ""
	}
	return fmt.Sprintf("%d %s", at, s)
}
