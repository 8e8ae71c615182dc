package parse_test

import (
	"slices"
	"strings"
	"testing"

	"einvoice/model/sampled"
)

// What a letter says of another invoice, whose number is N.
var aboutAnother = []string{
	"In der oben genannten Rechnung wurde irrtümlich der falsche Steuersatz ausgewiesen. Die Rechnung N über 571,20 € wird hiermit ungültig.",
	"Diese Rechnung ersetzt unsere Rechnung N vom 02.11.2026, die einen falschen Betrag auswies.",
	"By an oversight the wrong rate was charged to you last time. Invoice N for €571.20 is void, and this one takes its place.",
	"This document replaces our invoice N of 2 November 2026, which named the wrong order.",
	"Une erreur de taux s'est glissée dans notre envoi précédent. La facture N de 571,20 € est annulée par la présente.",
	"Annule et remplace la facture n° N du 02/11/2026, qui portait un montant erroné.",
	"Por error se aplicó un tipo incorrecto en el envío anterior. La factura N de 571,20 € queda anulada por la presente.",
	"Per errore era stata applicata un'aliquota sbagliata. La fattura N di 571,20 € è annullata e sostituita dalla presente.",
	"Door een vergissing is het verkeerde tarief berekend. Factuur N van € 571,20 komt hiermee te vervallen.",
	"Przez pomyłkę zastosowano błędną stawkę podatku. Faktura N na kwotę 571,20 EUR traci ważność z dniem dzisiejszym.",
}

// The number of another invoice, in a sentence that is broken at any word, is not that of this one, whatever the form
// of both, before the title and behind it.
func TestNumbersOfAnotherInvoice(t *testing.T) {
	totals := []string{"Leistung\t480,00", "Netto\t480,00", "USt 7 %\t33,60", "Gesamtbetrag\t513,60"}
	read := 0
	for k, about := range aboutAnother {
		for i, of := range [][2]string{{"2026-077", "2026-077-K1"}, {"2026-077", "2026-078"}, {"R 1188", "R 1192"}, {"77", "78"}} {
			for at, sentence := range inTwoRows(strings.ReplaceAll(about, "N ", of[0]+" ")) {
				if !sampled.Takes(k+i+at, 5) {
					continue
				}
				title := []string{"", "Korrigierte Rechnung Nr. " + of[1], "Datum: 19.11.2026", ""}
				rows := slices.Concat([]string{"Lektorat Hafen GmbH", "Kai 4", "20095 Hamburg"}, title, sentence, totals)
				if k%2 == 1 {
					rows = slices.Concat([]string{"Lektorat Hafen GmbH", "Kai 4", "20095 Hamburg", ""}, sentence, title, totals)
				}
				r := readRows(t, rows...)
				if isSurelyWrong(r, "/number", of[1]) {
					t.Errorf("%q, %s: the number is %s, for sure", sentence, of[1], r.Fields["/number"].Value)
				}
				if f := r.Fields["/number"]; f != nil && f.Value == of[1] {
					read++
				}
			}
		}
	}
	if read == 0 {
		t.Error("no number was read")
	}
}

// A number in groups is read whole, or is not sure.
func TestNumbersInGroups(t *testing.T) {
	for _, number := range []string{"Q091 7Y", "F26 1008 774", "402 202 877", "A7 2026 118", "2026 B 118", "RG 26 0417", "17/2026 K", "26.118 A", "INV 26/118 B2", "118 - 2026", "2026 / 118 / 7"} {
		for _, label := range []string{"Bill number ", "Invoice no.: ", "Rechnung Nr. ", "Rechnungsnummer\t", "Facture n° "} {
			r := readRows(t, "Larkline plc", "1 Exchange Quay", "Salford M5 3EA", "", label+number, "Datum: 03.09.2026", "", "Netto\t480,00", "USt 7 %\t33,60", "Gesamtbetrag\t513,60")
			if isSurelyWrong(r, "/number", number) {
				t.Errorf("%s%s: the number is %s, for sure", label, number, r.Fields["/number"].Value)
			}
		}
	}
}

// The groups of a number in a title go on to a dash.
func TestNumbersInGroupsToADash(t *testing.T) {
	for _, number := range []string{"FC 611 204", "FC 26 0417", "402 202 877", "F26 1008 774", "RG 118", "A7 2026 118", "17 4471"} {
		for _, title := range []string{"FACTURE ", "Facture n° ", "RECHNUNG ", "Rechnung Nr. ", "Invoice ", "Fattura n. "} {
			for _, dash := range []string{" — ", " – ", " - ", " · "} {
				r := readRows(t, "Comptoir du Port SAS", "12 quai 1", "49000 Angers", "", title+number+dash+"26/11/2026"+dash+"client 07741"+dash+"BL 884 120 du 25/11/2026", "", "Total HT\t480,00", "TVA 20 %\t96,00", "Total TTC\t576,00")
				if f := r.Fields["/number"]; f != nil && strings.HasPrefix(number, f.Value) && f.Value != number {
					t.Errorf("%s%s%s: the number is %s", title, number, dash, f.Value)
				}
			}
		}
	}
}

// The name of a bank below the number of a customer is not that of the customer.
func TestBanksBelowCustomers(t *testing.T) {
	for _, label := range []string{"Kunde 6620", "Kunde", "Kundennummer 6620", "Customer 662045", "Client 662045"} {
		for _, bank := range []string{"Sparkasse Mittelweser", "Volksbank Hafen eG", "Banque du Port", "Harbour Bank plc"} {
			r := readRows(t, "Henrike Wolters|400 Praxis am Tor", "Moorweg 21|400 Tor 3", "31582 Nienburg|400 31582 Nienburg", "|400 Rechnung Nr. 260418", "Rechnung|400 vom 13.03.2026", "|400 "+label, "", "|400 "+bank, "|400 DE37 2565 0020 3004 7182 90", "|400 BIC NOLADE21NIB", "", "Netto\t138,33", "MwSt 19 %\t26,28", "Gesamtbetrag\t164,61")
			if isSurelyWrong(r, "/buyer/name", "Henrike Wolters") {
				t.Errorf("%s above %s: the buyer is %s, for sure", label, bank, r.Fields["/buyer/name"].Value)
			}
		}
	}
}
