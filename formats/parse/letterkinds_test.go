package parse_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"einvoice/formats/parse"
	"einvoice/formats/parse/drawn"
	"einvoice/formats/parse/lexicon"
	"einvoice/formats/pdf/text"
	"einvoice/model/sampled"
)

// What invoices say besides, with words that other documents are known by.
var saidByInvoices = []string{
	"Le solde est à régler avant le 14/07/2026, par chèque ou par virement.",
	"Pour votre virement, rappelez le numéro de la facture. Le solde reste dû après cette date.",
	"Wij maken het bedrag graag aan u over als u te veel betaalt; u hoeft geen factuur te sturen.",
	"Die Ware haben wir am 12.06.2026 in einwandfreiem Zustand geliefert, der Empfang wurde mit Unterschrift bestätigt.",
	"Gemäß Ihrer Bestellung und unserer Auftragsbestätigung vom 02.06.2026 berechnen wir wie folgt.",
	"Wir bestätigen den Erhalt Ihrer Bestellung und liefern wie angeboten.",
	"Unser Angebot vom 12.05.2026 war bis zum 30.06.2026 gültig; Sie haben es rechtzeitig angenommen.",
	"Sollten Sie mit dieser Rechnung nicht einverstanden sein, widersprechen Sie binnen 14 Tagen.",
	"If you disagree with any item of this invoice, tell us within seven days of receipt.",
	"The goods were received in good condition and signed for by your warehouse.",
	"Our quotation of 12 May was valid for thirty days and was accepted in time.",
	"Thank you for your order, which was confirmed on 2 June 2026 and delivered as agreed.",
	"Con arreglo a su pedido y a nuestro presupuesto aceptado, le facturamos lo siguiente.",
	"In base al Vostro ordine e alla nostra offerta, accettata in data 2 giugno 2026, Vi addebitiamo quanto segue.",
	"De goederen zijn in goede staat ontvangen volgens de pakbon van 12 juni 2026.",
	"Zgodnie z Państwa zamówieniem i naszą ofertą wystawiamy niniejszą fakturę.",
	"Der Saldo Ihres Kontos ist nach Eingang dieser Zahlung ausgeglichen.",
	"Your account balance will be settled with this payment.",
}

// An invoice that a label calls one, and that prints its totals and the account to pay to, is not refused for what a
// sentence says, wherever it is broken.
func TestInvoicesWithOtherWords(t *testing.T) {
	for k, said := range saidByInvoices {
		for at, sentence := range inTwoRows(said) {
			head := []string{"Praxis am Hafen GmbH", "Kai 4", "20095 Hamburg", "", "Frau Ebru Arndt", "Marktgasse 2", "04109 Leipzig", "", []string{"Rechnung Nr. R-17 vom 14.06.2026", "Facture n° V260614-08", "Invoice number: 4711-A", "Dauerrechnung Nr. D-19/03 für die Zeit ab 01.01.2026"}[(k+at)%4], ""}
			totals := []string{"Leistung\t295,92", "Netto\t295,92", "USt 20 %\t59,18", "Gesamtbetrag\t355,10", "", "IBAN DE02 1203 0000 0000 2020 51", ""}
			rows := slices.Concat(head, totals, sentence)
			if k%2 == 1 {
				rows = slices.Concat(head, sentence, totals)
			}
			if _, err := tryRows(t, rows...); err != nil {
				t.Errorf("%q: %v", sentence, err)
			}
		}
	}
}

// A word that ends as those for an invoice names one, and no other does.
func TestJoinedTitles(t *testing.T) {
	totals := []string{"Leistung\t100,00", "Netto\t100,00", "MwSt. 19 %\t19,00", "Gesamtbetrag\t119,00", "IBAN DE02 1203 0000 0000 2020 51"}
	for _, first := range []string{"Dauer", "Wasser", "Miet", "Honorar", "Stand", "Reparatur", "Transport", "Jahres", "Kurs", "Werk", "Garten", "Vereins", "Tierarzt", "Maler", "Fracht"} {
		for _, behind := range []string{" Nr. R-17", " R-17", " Nr. R-17 für die Zeit ab 01.01.2026", ": R-17", "snummer: R-17"} {
			r, err := tryRows(t, slices.Concat([]string{"Praxis am Hafen GmbH", "Kai 4", "20095 Hamburg", "", first + "rechnung" + behind, "Datum: 20.11.2026", ""}, totals)...)
			switch {
			case err != nil:
				t.Errorf("%srechnung%s: %v", first, behind, err)
			case isSurelyWrong(r, "/number", "R-17"):
				t.Errorf("%srechnung%s: the number is %s, for sure", first, behind, r.Fields["/number"].Value)
			}
		}
	}
	for _, other := range []string{"Berechnung", "Nebenkostenabrechnung", "Hochrechnung", "Umrechnung"} {
		r, err := tryRows(t, slices.Concat([]string{"Praxis am Hafen GmbH", "Kai 4", "20095 Hamburg", "", "Rechnung R-17", other + " B-99", "Datum: 20.11.2026", ""}, totals)...)
		if err != nil || isSurelyWrong(r, "/number", "R-17") {
			t.Errorf("%s: %v", other, err)
		}
	}
}

// A page that goes on with the instalments before it, each with its number and its day, begins no invoice of its own.
func TestInstalmentsOnTheNextPage(t *testing.T) {
	place := func(rows []string) (placed []string) {
		for i, row := range rows {
			placed = append(placed, fmt.Sprintf("%d|50 %s", 60+14*i, row))
		}
		return placed
	}
	first := place([]string{"Hafen Tiefbau GmbH", "Kai 4", "20095 Hamburg", "", "Wohnbau Arndt eG", "Marktgasse 2", "04109 Leipzig", "", "Schlussrechnung Nr. 2026-0288", "Datum: 30.06.2026", "", "Erdarbeiten|>520 126.779,36", "Summe netto|>520 126.779,36", "zzgl. 19 % USt|>520 24.088,08", "Schlussrechnungssumme brutto|>520 150.867,44"})
	for _, heading := range []string{"B. Abzüglich bezahlter Abschlagsrechnungen", "Bisherige Rechnungen", "Abschläge", ""} {
		for _, head := range []string{"Rechnung|200 vom|>320 netto €|>420 USt 19 %|>520 brutto €", "Rechnungsnummer|200 Rechnungsdatum|>320 netto|>420 USt|>520 brutto", "Nr.|200 Datum|>320 Netto|>420 USt.|>520 Brutto"} {
			for _, row := range []string{"%d. Abschlagsrechnung 2026-%04d|200 %02d.03.2026", "Rechnung 2026-%[2]04d|200 %02[3]d.03.2026", "2026-%[2]04d|200 %02[3]d.03.2026"} {
				second := []string{heading, head}
				for i, amounts := range []string{"|>320 30.000,00|>420 5.700,00|>520 35.700,00", "|>320 45.000,00|>420 8.550,00|>520 53.550,00", "|>320 25.000,00|>420 4.750,00|>520 29.750,00"} {
					s := fmt.Sprintf(row, i+1, 117+i, 10+i)
					s, _, _ = strings.Cut(s, "%!")
					second = append(second, s+amounts)
				}
				second = append(second, "Summe Abschläge|>320 100.000,00|>420 19.000,00|>520 119.000,00", "", "Noch zu zahlen|>520 31.867,44", "", "IBAN DE02 1203 0000 0000 2020 51")
				found, err := parse.DocumentsOf(t.Context(), []text.Sheet{drawn.Sheet(first...), drawn.Sheet(place(second)...)}, parse.Limits{})
				if err != nil || len(found) != 1 {
					t.Errorf("%q: %d documents, %v", second[:3], len(found), err)
				}
			}
		}
	}
}

// A delivery note that says when the invoice comes is none.
func TestInvoicesThatFollow(t *testing.T) {
	for _, row := range []string{"Rechnung folgt separat", "Rechnung folgt", "Invoice to follow", "Invoice will follow by post", "Rechnung folgt mit getrennter Post"} {
		for _, title := range []string{"LIEFERSCHEIN 0614477", "Lieferschein Nr. 0614477", "Delivery note 0614477"} {
			_, err := tryRows(t, "Hafen Stahl KG|350 "+title, "Kai 4|350 Datum 04.11.2026", "20095 Hamburg|350 Seite 1", "", "Presswerk Arndt GmbH|350 Auftrag A-17", "Marktgasse 2|350 "+row, "04109 Leipzig", "", "Pos|80 Artikel|160 Bezeichnung|400 Menge|>520 Gewicht kg", "1|80 DC04-15|160 Feinblech DC04|400 60|>520 2.208,0", "2|80 DC01-20|160 Feinblech DC01|400 40|>520 1.256,0", "", "Gesamtgewicht brutto\t3.464,0", "Ware vollständig erhalten:")
			if err == nil {
				t.Errorf("%s, %s: it is read as an invoice", title, row)
			}
		}
	}
}

// A page that nothing names and that prints net total, VAT, their sum and an account is read as an invoice, of which it
// is not sure that it is one; what is named as another document is refused all the same.
func TestUntitledInvoices(t *testing.T) {
	head := []string{"Kratzbaum Design OG|380 UID ATU73235723", "Lendplatz 17", "8020 Graz", ""}
	totals := []string{"", "Messestand\t2.450,00", "Produktfolder\t1.680,00", "netto\t4.130,00", "20 % USt.\t826,00", "Gesamt in EUR\t4.956,00", "", "Bitte überweisen an IBAN AT61 1904 3002 3457 3201"}
	for _, title := range [][]string{nil, {"Rech", "nung"}, {"in", "voice"}, {"K-26/118"}, {"Danke!"}} {
		r, err := tryRows(t, slices.Concat(head, title, totals)...)
		if err != nil {
			t.Errorf("%q: %v", title, err)
			continue
		}
		if r.Kind.Confidence >= 0.95 {
			t.Errorf("%q: it is an invoice with %v", title, r.Kind.Confidence)
		}
	}
	for _, title := range []string{"Angebot", "Zahlungserinnerung", "Auftragsbestätigung", "Proforma-Rechnung", "Lieferschein", "Kontoauszug", "Bestellung", "Devis", "Rappel", "Pro forma invoice", "Order confirmation"} {
		if r, err := tryRows(t, slices.Concat(head, []string{title}, totals)...); err == nil {
			t.Errorf("%s is read as %+v", title, r.Kind)
		}
	}
}

// What other documents are known by does not make an invoice another document where it is in an address, in a line or
// among what was done. Whole sentences of a reminder do, wherever they stand.
func TestOtherWordsInPlaces(t *testing.T) {
	totals := []string{"Total HT\t100,00 €", "TVA 20 %\t20,00 €", "Total TTC\t120,00 €", "", "IBAN DE02 1203 0000 0000 2020 51"}
	number := []string{"Facture n° F2025-031", "Parcella n. 47/2025 del 18/06/2025", "Rechnung Nr. R-17 vom 14.06.2026"}
	tried := 0
	for _, of := range slices.Concat(lexicon.Words().TitleStems, lexicon.Words().SayStems) {
		if of.Kind == "" || of.Kind == "proforma" {
			continue
		}
		for k, parts := range of.Parts {
			word := strings.TrimPrefix(strings.Join(parts, " "), " ")
			if slices.Contains([]string{"nog niet betaald", "remains unpaid", "sigue pendiente"}, word) || !sampled.Takes(k, 19) {
				continue
			}
			word = strings.ToUpper(word[:1]) + word[1:]
			head := []string{"Maud Kervella", "14 rue des Voiliers", "29900 Concarneau", "", number[k%len(number)] + "\tConcarneau, le 3 mars 2025", ""}
			for _, row := range []string{word + " – 29900 Concarneau", word + ", London SW1A 1AA", word + " · Scranton PA 18503", word + "\t4\t25,00 €\t100,00 €", "Oggetto: assistenza – " + word + " presso il cliente"} {
				tried++
				if _, err := tryRows(t, slices.Concat(head, []string{row, ""}, totals)...); err != nil {
					t.Errorf("%s: %v", row, err)
				}
			}
		}
	}
	t.Logf("%d rows with words of other documents", tried)
}
