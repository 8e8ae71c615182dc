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

// A label above the address window is none of the buyer's name, though the title in large letters is right below the address.
func TestTitleBelowTheAddress(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 4))
	for range sampled.Of(60, 4) {
		label, title := anyOf(r, "Destinatario", "Fatturare a", "Cliente", "Intestatario"), anyOf(r, "Fattura", "FATTURA", "Abono")
		name := anyOf(r, "Weststrate Druckerei GmbH & Co. KG", "Bäckerei Anna Kranz", "Comune di Vercelli")
		rows := []string{"100|50 Ashdown S.r.l. · Corso Francia 3 · 10128 Torino", "120|50 " + label + "|330 Data|430 17-04-2026", "132|50 " + name + "|330 Fattura n.|430 RE388732", "144|50 Am Markt 3", "156|50 20457 Hamburg"}
		at := 168
		for range r.IntN(2) {
			rows, at = append(rows, fmt.Sprintf("%d|50 Deutschland", at)), at+12
		}
		read := readPage(t, append(rows, fmt.Sprintf("%d|50 %s", at+5, title), "230|50 Descrizione|>330 Quantità|>420 Prezzo|>540 Importo", "244|50 Montaggio|>330 2|>420 100,00|>540 200,00",
			"270|330 Imponibile|>540 200,00", "284|330 IVA 22 %|>540 44,00", "298|330 Totale fattura|>540 244,00 €"), title)
		if got := valueOf(read, "/buyer/name"); got != name {
			t.Errorf("%q: the buyer is %q", rows, got)
		}
	}
}

// A long name that comes near to the next column does not take in the name there.
func TestNamesOfNearColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 5))
	for range sampled.Of(40, 4) {
		seller := anyOf(r, "Nord Elektrotechnik GmbH & Co. KG", "Montrose Werkzeuge GmbH", "Halden Druckerei OHG")
		buyer := anyOf(r, "Quandt Brenner OHG", "Kvant Druckerei GmbH", "Zeller Gartenbau AG")
		next := 50 + 5*len(seller) + 4 + r.IntN(2)
		two := func(at int, left, right string) string { return fmt.Sprintf("%d|50 %s|%d %s", at, left, next, right) }
		read := readPage(t, []string{"50|50 Rechnung", two(80, "Lieferant:", "Empfänger:"), two(92, seller, buyer), two(104, "Am Markt 3", "Lindenallee 27"), two(116, "20457 Hamburg", "86150 Augsburg"),
			"180|50 Rechnungsnummer: R-7849", "194|50 Datum: 20.10.2026", "220|50 Bezeichnung|>330 Menge|>420 Preis|>540 Betrag",
			"234|50 Montage|>330 2|>420 100,00|>540 200,00", "260|330 Netto|>540 200,00", "274|330 USt. 19 %|>540 38,00", "288|330 Gesamtbetrag|>540 238,00 €"})
		if got := valueOf(read, "/seller/name"); got != seller {
			t.Errorf("%s beside %s: the seller is %s", seller, buyer, got)
		}
	}
}

// A number behind a reference of the customer may be that of the customer: it is no sure order.
func TestReferenceOfTheCustomer(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 6))
	for range sampled.Of(40, 4) {
		s := madeSum(r)
		s.head = fmt.Sprintf("182|330 %s: %d", anyOf(r, "Customer reference", "Customer ref", "Réf. client", "Référence client"), 10000+r.IntN(90000))
		if f := s.read(t).Fields["/purchaseOrderReference"]; f != nil && f.Confidence >= 0.95 {
			t.Errorf("%s: the order is %s, and %.2f sure", s.head, f.Value, f.Confidence)
		}
	}
}

// The name of a line may begin with the word for a unit.
func TestNamesThatBeginWithAUnit(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 7))
	for range sampled.Of(40, 4) {
		name := anyOf(r, "Hours of assembly", "Stunden Montage", "Ore di montaggio", "Heures de montage", "Box of screws", "Days on site")
		quantity, price := 2+r.IntN(8), 1000+r.IntN(9000)
		net := quantity * price
		tax := (net*19 + 50) / 100
		read := readPage(t, []string{
			"40|50 Harbour Tools Ltd", "52|50 4 Mill Lane", "64|50 London E1 4AB", "90|50 Bill to: Oak Street Bakery Ltd", "102|50 7 High Street", "114|50 Leeds LS1 4AP",
			"140|50 Invoice", "154|50 Invoice number: INV-2611", "168|50 Invoice date: 20/11/2026", "182|50 Currency: EUR",
			"200|>80 Qty|120 Description|330 Unit|>420 Unit price|>540 Amount", fmt.Sprintf("214|>80 %d|120 %s|330 hrs|>420 %s|>540 %s", quantity, name, inCents(price), inCents(net)),
			"300|330 Net total|>540 " + inCents(net), "314|330 VAT 19 %|>540 " + inCents(tax), "328|330 Invoice total|>540 " + inCents(net+tax),
		})
		if got := valueOf(read, "/lines/0/item/name"); got != name {
			t.Errorf("the name of the line is %q, want %q", got, name)
		}
	}
}

// A VAT of 0 does not make the sum of the lines the total, where an allowance or a charge is below it.
func TestUntaxedTotalBelowAnAllowance(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 8))
	for range sampled.Of(60, 4) {
		sum := 100 * (100 + r.IntN(900))
		off := sum * (1 + r.IntN(9)) / 100
		total, label := anyOf(r, "Credit total", "Sum to be credited", "What you get back", "Total credit"), anyOf(r, "Less discount", "Discount")
		read := readPage(t, []string{
			"40|50 Harbour Tools Ltd", "52|50 4 Market Lane", "64|50 D02 X285 Dublin", "90|50 Bill to: Delft Metallbau GmbH", "102|50 Am Markt 3", "114|50 99084 Erfurt",
			"140|50 Credit Note", "154|50 Document number: INV-2611", "168|50 Date of issue: 20/11/2026", "182|50 Currency: EUR",
			"200|50 Description|>330 Qty|>420 Unit price|>540 Amount", "214|50 Consulting|>330 1|>420 " + inCents(sum) + "|>540 " + inCents(sum),
			"240|330 Total of lines|>540 " + inCents(sum), "254|330 " + label + "|>540 -" + inCents(off), "268|330 VAT 0% on " + inCents(sum-off) + "|>540 0.00", "282|330 " + total + "|>540 " + inCents(sum-off),
			"310|50 Reverse charge: customer to account for VAT.",
		})
		for _, pointer := range []string{"/totals/totalAmountWithVat", "/totals/totalAmountWithoutVat", "/totals/amountDueForPayment"} {
			if isSurelyWrong(read, pointer, inCents(sum-off)) {
				t.Errorf("%s of %s: %s is %s, for sure", total, inCents(sum-off), pointer, valueOf(read, pointer))
			}
		}
	}
}

// Names of both parties beside each other are no name, and no place of one, wherever they stand below each other.
func TestNamesOfBothParties(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 9))
	for range sampled.Of(80, 8) {
		seller := anyOf(r, "Halden", "Taller Ñandú", "Atelier Brun & Fils", "Bäckerei 100 %", "Garten Öl-Mühle") + anyOf(r, "", " Nord", " & Söhne")
		buyer := anyOf(r, "Kvant Řízek", "Comune di Vercelli", "L'été", "Lager Süd 2", "Ekman")
		beside := 50 + 8*len(seller) + 40*r.IntN(4)
		rows := []string{"50|50 " + seller, "62|50 " + buyer, "74|50 Lindenallee 27", "86|50 86150 Augsburg", "110|50 Rechnungsnummer: R-7849", "124|50 Datum: 20.10.2026",
			"150|50 Bezeichnung|>330 Menge|>420 Preis|>540 Betrag", "164|50 Montage|>330 2|>420 100,00|>540 200,00", "190|330 Netto|>540 200,00", "204|330 USt. 19 %|>540 38,00", "218|330 Gesamtbetrag|>540 238,00 €",
			fmt.Sprintf("300|50 Verkäufer|%d Käufer", beside), fmt.Sprintf("312|50 %s|%d %s", seller, beside, buyer), "324|50 Am Markt 3|" + fmt.Sprint(beside) + " Lindenallee 27", "336|50 20457 Hamburg|" + fmt.Sprint(beside) + " 86150 Augsburg"}
		read := readPage(t, rows, []string{"", seller}[r.IntN(2)])
		for _, of := range []string{"/seller/name", "/buyer/name"} {
			if got := valueOf(read, of); strings.Contains(got, seller) && strings.Contains(got, buyer) {
				t.Errorf("%q: %s is %q", rows, of, got)
			}
		}
	}
}
