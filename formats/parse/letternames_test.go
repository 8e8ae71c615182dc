package parse_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"einvoice/formats/parse"
	"einvoice/formats/parse/drawn"
	"einvoice/formats/pdf/text"
)

// isSurelyWrong reports whether a value was read for sure, and is none of those that are right.
func isSurelyWrong(r *parse.Result, pointer string, right ...string) bool {
	f := r.Fields[pointer]
	return f != nil && f.Confidence >= 0.95 && !slices.Contains(right, f.Value)
}

// A name that is set in several rows, wherever it is broken and whatever its letters' size, is read whole or is not sure.
func TestNamesOverSeveralRows(t *testing.T) {
	const seller, buyer = "/seller/name", "/buyer/name"
	whole := 0
	for _, name := range []string{"Nerea Iglesias Roig", "GROSSISTA ALIMENTARE ROMAGNA S.R.L.", "Café Zum Alten Hafen", "Hafen Papier GmbH", "Atelier du Bocage SARL"} {
		for _, rows := range broken(name) {
			for _, size := range []int{10, 12, 18} {
				r := readLetterhead(t, rows, size)
				if f := r.Fields[seller]; f != nil && f.Value == name {
					whole++
				}
				if isSurelyWrong(r, seller, name) {
					t.Errorf("%q: the seller is %s, for sure", rows, r.Fields[seller].Value)
				}
				if isSurelyWrong(r, buyer, "Blumen Arndt GmbH") {
					t.Errorf("%q: the buyer is %s, for sure", rows, r.Fields[buyer].Value)
				}
			}
		}
	}
	if whole == 0 {
		t.Error("no name was read whole")
	}
}

// inTwoRows are all ways to set a sentence in two rows, each with an empty row below.
func inTwoRows(sentence string) (all [][]string) {
	words := strings.Fields(sentence)
	for at := 1; at <= len(words); at++ {
		all = append(all, []string{strings.Join(words[:at], " "), strings.Join(words[at:], " "), ""})
	}
	return all
}

// broken are all ways to set the words of a name in several rows.
func broken(name string) (all [][]string) {
	words := strings.Fields(name)
	for breaks := 1; breaks < 1<<(len(words)-1); breaks++ {
		rows := []string{words[0]}
		for i, word := range words[1:] {
			if breaks>>i&1 == 1 {
				rows = append(rows, word)
			} else {
				rows[len(rows)-1] += " " + word
			}
		}
		all = append(all, rows)
	}
	return all
}

// readLetterhead reads an invoice that has rows of a size at the top, and the buyer at the right.
func readLetterhead(t *testing.T, rows []string, size int) *parse.Result {
	t.Helper()
	page := drawn.NewPage()
	add := func(row string) {
		if err := page.Add(row); err != nil {
			t.Fatal(err)
		}
	}
	add("40|300 Seite 1")
	for _, row := range rows {
		add(fmt.Sprintf("20|50@%d %s", size, row))
	}
	for _, row := range []string{
		"50 Kai 4", "50 20095 Hamburg", "50 post@hafen.example", "300 An", "300 Blumen Arndt GmbH", "300 Marktgasse 2", "300 04109 Leipzig",
		"50 Rechnung R-17", "50 Rechnungsdatum: 20.11.2026", "50 Netto|>520 100,00", "50 MwSt. 19 %|>520 19,00", "50 Gesamtbetrag|>520 119,00",
	} {
		add("14|" + row)
	}
	r, err := parse.Sheets(t.Context(), []text.Sheet{page.Sheet}, parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Titles in a row of their own are no name, what follows a comma may be none, and the full stop of a sentence is not a
// part of one.
func TestNamesWithOtherWords(t *testing.T) {
	totals := []string{"Invoice R-17", "Date: 20 November 2026", "Net\t100.00", "VAT 20 %\t20.00", "Total\t120.00"}
	letterhead := []string{"Reed Veterinary Clinic Ltd", "4 Mill Lane, Leeds LS1 4AP", ""}
	for _, titles := range []string{"Frau Dr.", "Herrn Prof. Dr.", "Mr", "Dott.ssa", "Mevr.", "Monsieur"} {
		r := readRows(t, slices.Concat(letterhead, []string{titles, "Silke Haber", "Uhlandstr. 70", "70182 Stuttgart", ""}, totals)...)
		if isSurelyWrong(r, "/buyer/name", "Silke Haber") {
			t.Errorf("%s: the buyer is %s, for sure", titles, r.Fields["/buyer/name"].Value)
		}
	}
	for _, row := range []string{"To: Mr Declan Furl, Oylegate, Co. Wexford", "Bill to: Declan Furl, Oylegate", "Kunde: Declan Furl, Oylegate 4"} {
		r := readRows(t, slices.Concat(letterhead, []string{row, ""}, totals)...)
		if isSurelyWrong(r, "/buyer/name", "Declan Furl", "Mr Declan Furl") {
			t.Errorf("%s: the buyer is %s, for sure", row, r.Fields["/buyer/name"].Value)
		}
	}
	r := readRows(t, slices.Concat([]string{"Invoice to:", "Mrs P. Okon", "14 Hare Avenue", "Leeds LS8 4EX", ""}, totals, []string{
		"Pay by bank transfer: Reed Heating Ltd, sort code 40-27-15, account 61038842.", "Reed Heating Ltd. Registered in England no. 07718256. Unit 3, Leeds LS7 3QF. VAT Reg No GB 317 4062 79",
	})...)
	if f := r.Fields["/seller/name"]; f == nil || f.Value != "Reed Heating Ltd" {
		t.Errorf("the seller is %+v", f)
	}
}

// The sign of a dollar behind letters is that of another currency.
func TestSignsOfDollars(t *testing.T) {
	for sign, code := range map[string]string{"R$": "BRL", "N$": "NAD", "MX$": "MXN", "NT$": "TWD", "C$": "CAD", "US$": "USD", "J$": "", "TT$": "", "$": ""} {
		for _, amount := range []string{sign + " %s", sign + "%s", "%s " + sign} {
			of := func(s string) string { return fmt.Sprintf(amount, s) }
			r := readRows(t, "Hafen Papier Ltda", "Invoice R-17", "Date: 20 November 2026", "Net\t"+of("100.00"), "VAT 20 %\t"+of("20.00"), "Total\t"+of("120.00"))
			f := r.Fields["/currencyCode"]
			if isSurelyWrong(r, "/currencyCode", code) || code != "" && (f == nil || f.Value != code) {
				t.Errorf("%s: the currency is %+v", of("120.00"), f)
			}
		}
	}
}

// An amount that contains VAT is not the VAT, whatever rate its label names, and no VAT is larger than a third of the net
// total.
func TestAmountsWithVat(t *testing.T) {
	for _, label := range []string{"Zwischensumme (inkl. 15 % VAT)", "Zwischensumme inkl. 15 % MwSt.", "Subtotal incl. 15 % VAT", "Subtotaal incl. 15 % btw", "Mellansumma inkl. 15 % moms", "Subtotal including 15.5 % VAT"} {
		r := readRows(t, "Hafen Gasthof GmbH", "Rechnung R-17", "Rechnungsdatum: 20.11.2026", label+"\t11.224,50", "Abgabe 2 % auf Nächte netto\t127,83", "Endbetrag\t11.352,33")
		for _, of := range []string{"/totals/taxTotalAmount", "/totals/totalAmountWithoutVat"} {
			if f := r.Fields[of]; isSurelyWrong(r, of) {
				t.Errorf("%s: %s is %s, for sure", label, of, f.Value)
			}
		}
	}
}

// A title may have more words in brackets.
func TestTitlesWithBrackets(t *testing.T) {
	for _, title := range []string{"3. Abschlagsrechnung AR 3 / 24-117 (kumuliert)", "Rechnung R-17 (Kopie für die Buchhaltung)", "Invoice R-17 (copy for your records)", "Rechnung über Entgelte für den gewerblichen Standplatz Wochenmarkt 2026"} {
		if _, err := tryRows(t, "Hafen Tiefbau GmbH", "Kai 4", "20095 Hamburg", "", "Blumen Arndt GmbH", "Marktgasse 2", "04109 Leipzig", "", title, "Datum: 20.11.2026", "Netto\t100,00", "MwSt. 19 %\t19,00", "Gesamtbetrag\t119,00"); err != nil {
			t.Errorf("%s: %v", title, err)
		}
	}
}

// The name of a company may have its mark before it in the same row, and a VAT identifier is no surer than whose it is.
func TestMarksBesideNames(t *testing.T) {
	r := readRows(t, "HU Hafen-Union Weser Handels-GmbH", "Kai 4 · 28309 Bremen", "", "Installationsbetrieb Arndt", "Marktgasse 2", "26826 Weener", "", "Rechnung R-17", "Datum: 20.11.2026", "Netto\t100,00", "MwSt. 19 %\t19,00", "Gesamtbetrag\t119,00", "Hafen-Union Weser Handels-GmbH\tRechnung R-17")
	if isSurelyWrong(r, "/seller/name", "Hafen-Union Weser Handels-GmbH") {
		t.Errorf("the seller is %s, for sure", r.Fields["/seller/name"].Value)
	}
	r = readRows(t, "HT Hafen Transporte", "Kai 4 · 28309 Bremen · Tel. 0421 555 01 77", "", "Blumen Arndt GmbH", "Marktgasse 2", "26826 Weener", "", "Rechnung R-17", "Datum: 20.11.2026", "Netto\t100,00", "MwSt. 19 %\t19,00", "Gesamtbetrag\t119,00")
	if isSurelyWrong(r, "/seller/name", "Hafen Transporte") {
		t.Errorf("the seller is %s, for sure", r.Fields["/seller/name"].Value)
	}
}

// A legal form may be set in two rows.
func TestFormsOverTwoRows(t *testing.T) {
	for _, rows := range [][]string{{"Événements du Port S.à", "r.l."}, {"Événements du Port", "S.à r.l."}, {"Événements du Port", "SARL"}} {
		r := readLetterhead(t, rows, 10)
		if want := strings.Join(rows, " "); r.Fields["/seller/name"] == nil || r.Fields["/seller/name"].Value != want {
			t.Errorf("%q: the seller is %+v", rows, r.Fields["/seller/name"])
		}
	}
}

// A tax on guests is not the VAT, and the total has it, which no sum of net total and VAT is then.
func TestTaxOnGuests(t *testing.T) {
	for _, label := range []string{"Taxe de séjour 3 nuits", "Taxe locale 3 nuits", "Kurtaxe 3 Nächte"} {
		r := readRows(t, "Hôtel du Port SARL", "Facture n° 17", "Date : 13/07/2026", label+"\t4,95", "TOTAL TTC EUR\t384,45", "Carte bancaire VISA\t-384,45", "RESTE DÛ\t0,00", "Dont TVA 10,00 %|200 base HT 345,00|320 TVA 34,50|420 TTC 379,50")
		for at, want := range map[string]string{"/totals/taxTotalAmount": "34.50", "/totals/totalAmountWithVat": "384.45"} {
			if isSurelyWrong(r, at, want) {
				t.Errorf("%s: %s is %s, for sure", label, at, r.Fields[at].Value)
			}
		}
	}
}

// A day among those of instalments is not surely that of the invoice.
func TestDaysOfInstalments(t *testing.T) {
	r := readRows(t, "Formation du Port SAS", "Paris, le 1er octobre", "Facture FAC-17", "HT\t4 350,00 €", "TVA 20 %\t870,00 €", "Total TTC\t5 220,00 €", "Échéance|200 Date|>520 Montant TTC", "1re|200 31/10/2026|>520 1 740,00 €", "2e|200 30/11/2026|>520 1 740,00 €", "3e|200 31/12/2026|>520 1 740,00 €")
	if isSurelyWrong(r, "/issueDate", "2026-10-01") {
		t.Errorf("the day is %s, for sure", r.Fields["/issueDate"].Value)
	}
}

// A document that is a receipt as well does not say that its total is to be paid.
func TestReceipts(t *testing.T) {
	for _, title := range []string{"Fatura-recibo R-17", "Factura-recibo R-17", "Fattura-ricevuta R-17", "Ricevuta-fattura R-17"} {
		r := readRows(t, "Hafen Atelier Lda", title, "Data: 20/11/2026", "Valor base\t1.752,00", "IVA 23%\t402,96", "IRS - retenção 25%\t438,00", "Importância recebida\t1.716,96", "Total do documento\t2.154,96")
		if isSurelyWrong(r, "/totals/amountDueForPayment", "0.00") {
			t.Errorf("%s: %s is due, for sure", title, r.Fields["/totals/amountDueForPayment"].Value)
		}
	}
}

// What a part of the total leaves, which nothing says was paid, is not sure to be due.
func TestRestOfATotal(t *testing.T) {
	for _, row := range []string{"Te storten op G-rekening: € 3.160,50. Restant € 9.481,50 op onze bankrekening.", "Auf das Sperrkonto: 3.160,50 EUR. Rest 9.481,50 EUR auf unser Konto."} {
		r := readRows(t, "Metselbedrijf Kuip B.V.", "Factuur R-17", "Factuurdatum: 20-11-2026", "Totaal exclusief btw\t12.642,00", "Btw verlegd\t0,00", "Factuurbedrag\t12.642,00", row)
		if isSurelyWrong(r, "/totals/amountDueForPayment", "12642.00") {
			t.Errorf("%s: %s is due, for sure", row, r.Fields["/totals/amountDueForPayment"].Value)
		}
	}
	for _, stamp := range []string{"BETAALD", "PAID", "Betaald via iDEAL op 26-08-2026, transactie 7719.", "Paid by card ending 4711"} {
		r := readRows(t, "Koffie Kuip B.V.", "Factuur R-17", "Factuurdatum: 27-08-2026", "Subtotaal\t70,17", "Btw 9%\t6,31", "Totaal\t76,48", stamp)
		if isSurelyWrong(r, "/totals/amountDueForPayment", "0.00") {
			t.Errorf("%s: %s is due, for sure", stamp, r.Fields["/totals/amountDueForPayment"].Value)
		}
	}
}

// An account that cannot be read, because it was recognised or printed wrong, does not vanish without a word.
func TestAccountsThatAreNone(t *testing.T) {
	for _, account := range []string{"DEO2 1203 0000 0000 2020 51", "D£02 1203 0000 0000 2020 51", "0E02120300000000202051"} {
		for _, label := range []string{"IBAN: ", "IBAN\t"} {
			r := readRows(t, "Hafen Papier GmbH", "Kai 4", "20095 Hamburg", "Rechnung R-17", "Datum: 20.11.2026", "Netto\t100,00", "MwSt. 19 %\t19,00", "Gesamtbetrag\t119,00", label+account)
			const at = "/paymentInstructions/means/0/creditTransfers/0/accountIdentifier"
			isTold := slices.ContainsFunc(r.Review, func(x parse.Review) bool { return slices.Contains(x.Fields, at) })
			if !isTold || isSurelyWrong(r, at) {
				t.Errorf("%s%s: %+v, %v", label, account, r.Fields[at], r.Review)
			}
		}
	}
}

// Letters address the buyer with a word in a row of its own, which is no name; and a name ends with its form, also where
// that has full stops.
func TestAddressed(t *testing.T) {
	for i, word := range []string{"Gentile", "Gent.le Sig.ra", "Egr. Sig.", "Spett.le", "Exmo.(a) Sr.(a)", "Exmo.(s) Sr.(s)", "Doit :", "Odběratel"} {
		for _, name := range []string{"Penzion U Dvou jelenů, a.s.", "Masseria Torre Bianca s.r.l.", "Ferme de la Touche Ronde SARL", "Panaderia del Sol y de la luna S.L."} {
			shift := []string{"", "|300 "}[i%2]
			rows := []string{"Atelier du Port SARL", "12 quai 1", "49000 Angers", "contact@atelier-port.example", "", shift + word, shift + name, shift + "Via Monginevro 203", shift + "10142 Torino", "", "Facture n° 17", "Date : 03/09/2026", "", "Total HT\t480,00", "TVA 20 %\t96,00", "Total TTC\t576,00"}
			if f := readRows(t, rows...).Fields["/buyer/name"]; f == nil || f.Value != name {
				t.Errorf("%s %s: the buyer is %+v", word, name, f)
			}
		}
	}
}
