package parse_test

import (
	"slices"
	"strings"
	"testing"

	"einvoice/model/sampled"
)

// What a letter says of other days, DAY.
var aboutOtherDays = []string{
	"Auf Grundlage Ihres Auftrags vom DAY berechnen wir Ihnen die folgenden Arbeiten und danken für Ihr Vertrauen.",
	"Gemäß Angebot A-118 vom DAY und unserer Vereinbarung vom 01.08.2026 stellen wir in Rechnung:",
	"Die Arbeiten wurden am DAY begonnen und mit Protokoll vom 30.10.2026 abgenommen.",
	"Stand unserer Allgemeinen Geschäftsbedingungen: DAY. Sie gelten für alle Verträge.",
	"Unser Büro bleibt vom DAY bis zum 06.01.2027 geschlossen. Wir wünschen frohe Feiertage.",
	"With reference to your purchase order 4711 dated DAY we invoice the works below as agreed.",
	"The works were signed off on DAY by your site manager, who holds a copy of the report.",
	"Selon votre commande n° 118 du DAY et notre devis accepté, nous vous facturons les travaux suivants.",
	"Conforme a su pedido 118 de fecha DAY le facturamos los trabajos siguientes según lo acordado.",
	"Come da ordine n. 118 del DAY Vi fatturiamo i seguenti lavori eseguiti presso la Vostra sede.",
	"Volgens uw opdracht d.d. DAY brengen wij u de volgende werkzaamheden in rekening.",
	"Zgodnie z umową nr 118 z dnia DAY wystawiamy fakturę za następujące prace wykonane u Państwa.",
}

// A day in a sentence about something else, which is broken at any word, above the day of the invoice and below it, is
// neither the day of the invoice nor the day to pay by.
func TestDaysOfOthers(t *testing.T) {
	totals := []string{"Leistung\t480,00", "Netto\t480,00", "USt 7 %\t33,60", "Gesamtbetrag\t513,60"}
	read := 0
	for k, about := range aboutOtherDays {
		for l, own := range []string{"Rechnungsdatum: 19.11.2026", "Datum: 19.11.2026", "Hamburg, den 19.11.2026", "19.11.2026", "Hamburg, 19. November 2026"} {
			for at, sentence := range inTwoRows(strings.ReplaceAll(about, "DAY", "14.09.2026")) {
				if !sampled.Takes(k+l+at, 7) {
					continue
				}
				head := []string{"Lektorat Hafen GmbH", "Kai 4", "20095 Hamburg", "", "Blumen Arndt GmbH", "Marktgasse 2", "04109 Leipzig", ""}
				title := []string{own, "", "Rechnung Nr. 2026-118", ""}
				rows := slices.Concat(head, title, sentence, totals)
				if (k+l+at)%2 == 1 {
					rows = slices.Concat(head, sentence, title, totals)
				}
				if (k+l+at)%3 == 1 {
					rows = slices.Concat(head, title, totals, []string{""}, sentence)
				}
				r := readRows(t, rows...)
				for pointer, right := range map[string]string{"/issueDate": "2026-11-19", "/paymentDueDate": ""} {
					if isSurelyWrong(r, pointer, right) {
						t.Errorf("%s, %q: %s is %s, for sure", own, sentence, pointer, r.Fields[pointer].Value)
					}
				}
				if f := r.Fields["/issueDate"]; f != nil && f.Value == "2026-11-19" {
					read++
				}
			}
		}
	}
	if read == 0 {
		t.Error("no day was read")
	}
}

// The day behind what names the invoice is that of it, though a label elsewhere has the number, and a day stands alone
// where money is taken.
func TestDaysBehindTitles(t *testing.T) {
	for _, title := range []string{"Facture du 8 novembre 2026", "Rechnung vom 8. November 2026", "Factura de fecha 08/11/2026", "Fattura del 08/11/2026", "Factuur d.d. 08-11-2026", "Invoice dated 8 November 2026"} {
		for _, taken := range [][]string{{"Montant à prélever TTC", "le 22 novembre 2026"}, {"Wir buchen ab", "am 22.11.2026"}, {"To be collected", "on 22 November 2026"}, {"Addebito", "il 22/11/2026"}, {"Incasso", "op 22-11-2026"}} {
			for _, between := range [][]string{nil, {"Période du 08/11/2026 au 07/12/2026"}, {"N° client 8801"}} {
				r := readRows(t, slices.Concat([]string{"Hafen Mobil SA", "Kai 4", "33300 Bordeaux", "", title}, between, []string{"N° de facture : 26K-8801", ""}, taken, []string{"", "Total HT\t57,92 €", "TVA 20 %\t11,58 €", "Total TTC\t69,50 €"})...)
				if isSurelyWrong(r, "/issueDate", "2026-11-08") {
					t.Errorf("%s, %q: the day is %s, for sure", title, taken, r.Fields["/issueDate"].Value)
				}
			}
		}
	}
}

// Of amounts that a letter mentions beside the totals, none is a total for sure.
func TestAmountsOfOthers(t *testing.T) {
	for _, about := range []string{
		"Auf die Vorauszahlung von AMOUNT für das kommende Jahr weisen wir hin, sie ist nicht Teil dieser Rechnung.",
		"Ihr Guthaben von AMOUNT aus dem Vorjahr wurde bereits mit der letzten Rechnung verrechnet.",
		"Bei Zahlung innerhalb von 10 Tagen gewähren wir 2 % Skonto, das sind AMOUNT weniger.",
		"Der Auftragswert beträgt AMOUNT, davon sind zwei Drittel in früheren Rechnungen enthalten.",
		"Ab einem Bestellwert von AMOUNT liefern wir frei Haus, auch am Samstag.",
		"Your order to date comes to AMOUNT, of which this invoice is the second part.",
		"Late payment costs AMOUNT in recovery fees under the act, as our terms say.",
		"Une indemnité forfaitaire de AMOUNT est due pour frais de recouvrement en cas de retard de paiement.",
		"El importe total del contrato asciende a AMOUNT, del que esta factura es la segunda parte.",
	} {
		for i, amount := range []string{"40,00 €", "480,00 €", "1.540,80 €", "513,60 €", "33,60 €"} {
			for place := range 2 {
				if !sampled.Takes(i+len(about)+place, 3) {
					continue
				}
				totals := []string{"Leistung\t480,00", "Netto\t480,00", "USt 7 %\t33,60", "Gesamtbetrag\t513,60", ""}
				sentence := []string{strings.Replace(about, "AMOUNT", amount, 1), ""}
				rows := []string{"Lektorat Hafen GmbH", "Kai 4", "20095 Hamburg", "", "Rechnung Nr. 2026-118", "Datum: 19.11.2026", ""}
				if place == 0 {
					rows = slices.Concat(rows, sentence, totals)
				} else {
					rows = slices.Concat(rows, totals, sentence)
				}
				r := readRows(t, rows...)
				for name, right := range map[string]string{"totalAmountWithoutVat": "480.00", "taxTotalAmount": "33.60", "totalAmountWithVat": "513.60", "amountDueForPayment": "513.60", "paidAmount": "", "chargeTotalAmount": "", "allowanceTotalAmount": ""} {
					if isSurelyWrong(r, "/totals/"+name, right) {
						t.Errorf("%q at %d: %s is %s, for sure", sentence[0], place, name, r.Fields["/totals/"+name].Value)
					}
				}
			}
		}
	}
}
