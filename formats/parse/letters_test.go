package parse_test

import (
	"slices"
	"strings"
	"testing"
)

// Kinds of values that letters of strangers (conformance/letters) showed to be read wrong or not at all, with texts of
// our own.
func TestReadFromLetters(t *testing.T) {
	letterhead := []string{"Hafen Papier GmbH", "Kai 4", "20095 Hamburg", "", "Blumen Arndt", "Marktgasse 2", "04109 Leipzig", ""}
	totals := []string{"Netto\t100,00", "MwSt. 19 %\t19,00", "Gesamtbetrag\t119,00"}
	const number, day = "Rechnungsnummer: R-17", "Rechnungsdatum: 20.11.2026"
	letter := func(rows ...string) []string {
		return slices.Concat(letterhead, []string{"Rechnung", number, day}, rows, totals)
	}
	for name, c := range map[string]struct {
		rows []string
		want map[string]string // by the end of the pointer; "" is none
	}{
		"the tax point is the day of an invoice without another": {
			slices.Concat(letterhead, []string{"Invoice", "Invoice no: R-17", "Tax point: 20 November 2026"}, totals),
			map[string]string{"issueDate": "2026-11-20", "actualDeliveryDate": ""}},
		"the tax point beside the day of the invoice": {
			slices.Concat(letterhead, []string{"Invoice", "Invoice no: R-17", "Invoice date: 22 November 2026", "Tax point: 20 November 2026"}, totals),
			map[string]string{"issueDate": "2026-11-22", "actualDeliveryDate": "2026-11-20"}},
		"terms of payment from the day of the invoice": {
			slices.Concat(letterhead, []string{"Fattura", "Numero: R-17", "Data: 20/11/2026", "Bonifico 60 gg data fattura|300 19/01/2027"}, totals),
			map[string]string{"issueDate": "2026-11-20"}},
		"a post box below who is billed": {
			slices.Concat(letterhead[:4], []string{"AVOIR", "Numéro|300 Date", "AV-0092|300 21/05/2026", "Facturé à", "BP 14", "43500 Craponne"}, totals),
			map[string]string{"/number": "AV-0092"}},
		"how a letter addresses a person": {
			slices.Concat(letterhead[:4], []string{"Frau Erika Arndt", "Marktgasse 2", "04109 Leipzig", "", "Rechnung", number, day}, totals),
			map[string]string{"/buyer/name": "Erika Arndt"}},
		"a company that is named like a title": {
			slices.Concat(letterhead[:4], []string{"PAN Software GmbH", "Marktgasse 2", "04109 Leipzig", "", "Rechnung", number, day}, totals),
			map[string]string{"/buyer/name": "PAN Software GmbH"}},
		"a cell with by and a day": {
			letter("Please pay € 119,00", "by 4 Dec 2026"), map[string]string{"paymentDueDate": "2026-12-04"}},
		"the day behind that of a discount": {
			letter("Zahlungsbedingungen: bis 30.11.2026 mit 2 % Skonto (2,38 EUR) = 116,62 EUR, bis 20.12.2026 ohne", "Abzug."),
			map[string]string{"paymentDueDate": "2026-12-20"}},
		"a sentence that asks for a payment": {
			letter("Bitte überweise den Betrag bis 4. Dezember 2026 auf mein Konto."), map[string]string{"paymentDueDate": "2026-12-04"}},
		"a sentence that says when it is due": {
			letter("Der Betrag ist am 04.12.2026 fällig und wird abgebucht."), map[string]string{"paymentDueDate": "2026-12-04"}},
		"a deposit that was paid before": {
			letter("Fälligkeit|300 04.12.2026", "Less deposit paid by card 12.11.2026"), map[string]string{"paymentDueDate": "2026-12-04"}},
		"the day of a letter with the signs of its writer": {
			slices.Concat(letterhead, []string{"Zürich, 6. Oktober 2026/ds", "Rechnung R-17", "Leistungen vom 12. August"}, totals),
			map[string]string{"issueDate": "2026-10-06"}},
		"the day of a delivery note": {
			slices.Concat(letterhead, []string{"Contone, 24 novembre 2026", "FATTURA 26/0771", "Ns. conferma 1038 – bollettino 4402 del 20.11.2026"}, totals),
			map[string]string{"issueDate": "2026-11-24"}},
		"the lease that a rent invoice is about": {
			slices.Concat(letterhead, []string{"Steingaden, den 2. Oktober 2026", "Pachtrechnung 2026/17 – Pachtvertrag vom 11.11.2015"}, totals),
			map[string]string{"/number": "2026/17", "issueDate": "2026-10-02"}},
		"a number with its day below a title": {
			slices.Concat(letterhead, []string{"Avoir", "N° AV-2026-0031 du 9 janvier 2026", "Annule partiellement la facture F-2025-7719 du 22 décembre 2025"}, totals),
			map[string]string{"/number": "AV-2026-0031", "issueDate": "2026-01-09"}},
		"a number with its day below a label": {
			slices.Concat(letterhead, []string{"FATTURA N.", "312/FE del 19/09/2026"}, totals),
			map[string]string{"/number": "312/FE", "issueDate": "2026-09-19"}},
		"a number that has the numbers of a day": {
			slices.Concat(letterhead, []string{"Facture", "N° L2026-4-0027", "Du 15 septembre 2026"}, totals),
			map[string]string{"/number": "L2026-4-0027", "issueDate": "2026-09-15"}},
		"a British number without its country": {
			letter("VAT Reg No. 980 7806 84"), map[string]string{"seller/vatIdentifier": "GB980780684"}},
		"a number that is no British one": {
			letter("VAT Reg No. 980 7806 85"), map[string]string{"seller/vatIdentifier": ""}},
		"what is to pay within the term of a discount": {
			letter("Zahlbar bis 30.11.2026 mit 2 % Skonto (= 2,38 EUR, Zahlbetrag 116,62 EUR)."), map[string]string{"amountDueForPayment": "119.00"}},
		"the invoice that a notice of credit is about": {
			slices.Concat(letterhead, []string{"Gutschriftsanzeige", "Beleg-Nr.|180 Belegdatum|300 Bezug", "G 4410|180 18.11.2026|300 Rechnung 39127 vom"}, totals),
			map[string]string{"/number": "G 4410"}},
		"whom a sentence asks to pay": {
			slices.Concat([]string{"Bill to"}, letterhead[4:], []string{"Invoice", "Invoice no: R-17", "Invoice date: 20/11/2026"}, totals, []string{"Please remit to Guardsmen Security Limited", "Bank details below"}),
			map[string]string{"seller/name": "Guardsmen Security Limited"}},
		"what somebody does": {
			slices.Concat([]string{"Malerei Jörn Ketelsen", "Lackierarbeiten – Fassaden – Böden", "Tel. 040 7334170, USt-IdNr. DE123456788", ""}, letterhead[4:], []string{"Rechnung", number, day}, totals),
			map[string]string{"seller/name": "Malerei Jörn Ketelsen"}},
		"who bought what is owed": {
			slices.Concat(letterhead[:4], []string{"Rechnungsempfänger"}, letterhead[4:], []string{"Rechnung", number, day}, totals, []string{"Unsere Forderungen sind an die Rheinfactor Bank AG abgetreten.", "Hafen Papier GmbH|300 Rheinfactor Bank AG", "USt-IdNr. DE123456788|300 Hohenstaufenring 62, 50674 Köln", "Telefon 0421 388770|300 Tel. 0221 9440118"}),
			map[string]string{"seller/name": "Hafen Papier GmbH"}},
		"a buyer in one row": {
			slices.Concat([]string{"Harbour Strings Hire", "Tax invoice HS-17 — 14 November 2026", "For Amadis Artists Ltd, Unit 4, 22 Wigmore Place, London W1U 2LJ"}, totals),
			map[string]string{"buyer/name": "Amadis Artists Ltd"}},
		"heads in the middle of two columns": {
			slices.Concat([]string{"Faktura nr FS/17", "Data wystawienia: 2026-11-20", "|120 Sprzedawca|380 Nabywca", "Spółdzielnia Lipno sp. j.|300 Gospodarstwo Wójtowicz sp. j.", "ul. Krakowska 40|300 ul. Trzonów 31", "32-210 Lipno|300 32-211 Wielki"}, totals),
			map[string]string{"seller/name": "Spółdzielnia Lipno sp. j.", "buyer/name": "Gospodarstwo Wójtowicz sp. j."}},
		"letters set apart, of which two stand close": {
			slices.Concat(letterhead, []string{"RE C H N U N G   R - 1 7", day}, totals),
			map[string]string{"/number": "R-17"}},
		"words in small letters before numbers": {
			letter("Platte von 50|100 4|200 62,00|300 5,5", "plateau de|100 50|120 4|140 62,00|170 5,5"), map[string]string{"seller/vatIdentifier": "", "buyer/vatIdentifier": ""}},
		"a group of digits that begins with zero": {
			slices.Concat(letterhead, []string{"Rechnung", number, day, "Stammkapital 75.000,00 EUR", "Netto	1 024,00", "MwSt. 19 %	194,56", "Gesamtbetrag	1 218,56"}),
			map[string]string{"totalAmountWithoutVat": "1024.00"}},
		"days from one to another below a title": {
			slices.Concat(letterhead, []string{"Rechnung", "22–24/08", number, day}, totals), map[string]string{"/number": "R-17"}},
		"a number of reference beside that of the invoice": {
			slices.Concat(letterhead, []string{"Rechnung", number, day, "Referenznummer: 70 02594 6"}, totals), map[string]string{"/number": "R-17"}},
		"a number of reference alone": {
			slices.Concat(letterhead, []string{"Rechnung", "Referenznummer: R-18", day}, totals), map[string]string{"/number": "R-18"}},
		"signs beside a name": {
			slices.Concat([]string{"★ Hafen Papier GmbH –"}, letterhead[1:], []string{"Rechnung", number, day}, totals), map[string]string{"seller/name": "Hafen Papier GmbH"}},
		"the full stop of a sentence, and a trading name": {
			slices.Concat([]string{"Reed Linen is a trading name of R.L.S. (Plymouth) Limited.", "1 Mill Lane, Plymouth PL4 0AB", ""}, letterhead[4:], []string{"Invoice", "Invoice no: R-17", "Invoice date: 20/11/2026"}, totals),
			map[string]string{"seller/name": "R.L.S. (Plymouth) Limited"}},
		"the owner of a hotel": {
			slices.Concat([]string{"Inhaber Hafen Papier GmbH · Kai 4 · 20095 Hamburg", ""}, letterhead[4:], []string{"Rechnung", number, day}, totals, []string{"Hafen Papier GmbH · HRB 9944 · USt-IdNr. DE123456788"}),
			map[string]string{"seller/name": "Hafen Papier GmbH"}},
		"the legal form that is stated with the capital as well": {
			slices.Concat([]string{"Hafen Papier SAS", "Kai 4", "20095 Hamburg", ""}, letterhead[4:], []string{"Facture", "Facture n° R-17", "Date : 20/11/2026"}, totals, []string{"Hafen Papier SAS au capital de 60 000 € – RCS Annecy 482 173 655"}),
			map[string]string{"seller/name": "Hafen Papier SAS"}},
		"a delivery note below the number of the invoice": {
			slices.Concat(letterhead, []string{"FACTURA: 25/014882|200 FECHA: 20/11/2026|400 HOJA: 1", "ALBARÁN 25/009917 DE 18/11/2026"}, totals, []string{"IBAN DE89 3704 0044 0532 0130 00"}),
			map[string]string{"/number": "25/014882"}},
		"the agreement that a sentence goes on about": {
			slices.Concat(letterhead, []string{"Invoice", "This document is issued by the customer under our general agreement SB-0219", "dated 1 April 2025.", "Invoice no: R-17", "Tax point: 20 November 2026"}, totals),
			map[string]string{"issueDate": "2026-11-20"}},
		"the sender and the buyer beside each other": {
			slices.Concat([]string{"HAFEN PAPIER", "", "Hafen Papier SA|300 Blumen Arndt", "Kai 4|300 Marktgasse 2", "20095 Hamburg|300 04109 Leipzig", "", "Rechnung", number, day}, totals, []string{"Hafen Papier SA · HRB 9944 · USt-IdNr. DE123456788"}),
			map[string]string{"buyer/name": "Blumen Arndt"}},
	} {
		r := readRows(t, c.rows...)
		for end, want := range c.want {
			value := ""
			for pointer, f := range r.Fields {
				if strings.HasSuffix(pointer, end) && !strings.Contains(pointer, "/lines/") {
					value = f.Value
				}
			}
			if value != want {
				t.Errorf("%s: %s is %q, want %q", name, end, value, want)
			}
		}
	}
}

// A VAT of 0 proves no total where the lines come to more: the rest is what is left to pay.
func TestNoVatBesideSubtotal(t *testing.T) {
	for _, labels := range [][3]string{{"Subtotal", "Sales Tax (0%)", "Balance Due (USD)"}, {"Zwischensumme", "MwSt. 0 %", "Restbetrag"}, {"Sous-total", "TVA 0 %", "Reste à payer"}} {
		r := readRows(t, "Blue Parrot Mastering LLC", "Invoice # 20318", "Invoice Date 11/20/2026", "Description|300 Qty|400 Rate\tAmount", "Authoring|300 1|400 1,450.00\t1,450.00", "Courier|300 2|400 545.00\t1,090.00",
			labels[0]+"\t2,540.00", labels[1]+"\t0.00", "Credits\t-600.00", labels[2]+"\t1,940.00")
		for _, of := range []string{"/totals/totalAmountWithoutVat", "/totals/totalAmountWithVat"} {
			if f := r.Fields[of]; f != nil && f.Value != "2540.00" && f.Confidence >= 0.95 {
				t.Errorf("%v: %s is %s, for sure", labels, of, f.Value)
			}
		}
	}
}

// A VAT of 0 proves no total where the page has groups with a tax: it is that of the last group.
func TestNoVatBesideTaxes(t *testing.T) {
	r := readRows(t, "Hôtel du Beffroi", "Facture n° 17", "Date : 20/11/2026", "Ventilation|200 Base HT|300 TVA|400 TTC", "Taux 10 %|200 890,00|300 89,00|400 979,00", "Taux 20 %|200 35,00|300 7,00|400 42,00", "Sans TVA|200 15,60|300 0,00|400 15,60", "Total TTC\t1 036,60 €")
	for _, of := range []string{"/totals/taxTotalAmount", "/totals/totalAmountWithoutVat"} {
		if f := r.Fields[of]; f != nil && f.Confidence >= 0.95 && f.Value != "96.00" && f.Value != "940.60" {
			t.Errorf("%s is %s, for sure", of, f.Value)
		}
	}
}

// What was paid as a whole is due for no longer: where the page says both, neither is sure.
func TestPaidAsAWhole(t *testing.T) {
	for _, row := range []string{
		"Bezahlt mit: Kreditkarte am 20.11.2026, Betrag EUR 119,00.", "Paid by Visa 4402, EUR 119.00", "Payé par carte le 20/11/2026 : 119,00 EUR",
		"Der Rechnungsbetrag wurde bereits per PayPal beglichen.", "Vielen Dank! Bitte nicht mehr überweisen.", "This invoice has already been paid, please do not pay again.", "Facture déjà réglée par carte.",
	} {
		r := readRows(t, "Aerolinde GmbH", "Rechnung R-17", "Rechnungsdatum: 20.11.2026", "Netto\t100,00", "MwSt. 19 %\t19,00", "Gesamtpreis\t119,00", row)
		if f := r.Fields["/totals/amountDueForPayment"]; f != nil && f.Value != "0.00" && f.Confidence >= 0.95 {
			t.Errorf("%s: %s is due, for sure", row, f.Value)
		}
	}
}

// What names an invoice behind a dash does not make an invoice of a reminder; how the seller may object does not make a letter
// of a self-billed one.
func TestKindsOfLetters(t *testing.T) {
	letterhead := []string{"Hafen Papier GmbH", "Kai 4", "20095 Hamburg", "", "Blumen Arndt", "Marktgasse 2", "04109 Leipzig", ""}
	totals := []string{"Netto\t100,00", "MwSt. 19 %\t19,00", "Gesamtbetrag\t119,00"}
	for title, text := range map[string]string{
		"2. Mahnung – Rechnung R-17 vom 20.11.2026":                         "konnten wir zu den Forderungen noch keinen Zahlungseingang",
		"Reminder – Invoice R-17 of 20/11/2026":                             "We have not received your payment.",
		"Relance - Facture R-17 du 20/11/2026":                              "Nous n'avons pas reçu votre règlement.",
		"2. Zahlungserinnerung zu unserer Rechnung Nr. R-17 vom 20.11.2026": "haben wir leider keinen Zahlungseingang feststellen können.",
	} {
		if r, err := tryRows(t, slices.Concat(letterhead, []string{title, "Rechnungsnummer\tBetrag", text}, totals)...); err == nil {
			t.Errorf("%s is an invoice: %v", title, r.Fields["/number"])
		}
	}
	for _, says := range []string{"Bitte prüfen Sie diese Gutschrift. Widersprechen Sie nicht, gilt sie als Ihre Rechnung.", "Diese Gutschrift gilt als Rechnung. Bitte widersprechen Sie gegebenenfalls unverzüglich."} {
		own := slices.Concat(letterhead, []string{"Gutschrift-Nr. TG-17", "Datum 20.11.2026", "Gutschrift (Abrechnung gemäß § 14 Abs. 2 UStG)"}, totals, []string{says})
		if _, err := tryRows(t, own...); err != nil {
			t.Errorf("a self-billed invoice: %v", err)
		}
	}
}

// What the ranker takes for the seller is not sure as the buyer, nor is a VAT identifier that stands with it.
func TestBuyerWhoMaySell(t *testing.T) {
	r := readRows(t, "Invoice", "Invoice no: R-17", "Invoice date: 20/11/2026", "Invoice for Cwm Taf Cider Company Limited", "The Pressing Shed, Abercynon, CF45 4UQ", "Net\t100.00", "VAT 19 %\t19.00", "Total\t119.00",
		"Pay to", "Loud Heron Design Ltd", "Studio 3, Paintworks", "Bristol BS4 3EH", "VAT GB441782055", "Questions", "money@loudheron.example")
	for _, of := range []string{"/buyer/name", "/buyer/vatIdentifier"} {
		if f := r.Fields[of]; f != nil && f.Confidence >= 0.95 && (f.Value == "Loud Heron Design Ltd" || f.Value == "GB441782055") {
			t.Errorf("%s is %s, for sure", of, f.Value)
		}
	}
}

// Two amounts behind the label of what is left are no sure answer; a payment of zero beside it is none.
func TestZeroBesideBalance(t *testing.T) {
	head := []string{"Goldene Ähre GmbH", "Rechnung R-17", "Rechnungsdatum: 20.11.2026", "Netto\t100,00", "MwSt. 19 %\t19,00"}
	r := readRows(t, slices.Concat(head, []string{"Gesamtbetrag / Saldo|300 119,00\t0,00"})...)
	if f := r.Fields["/totals/amountDueForPayment"]; f != nil && f.Value == "119.00" && f.Confidence >= 0.95 {
		t.Errorf("%s is due, for sure", f.Value)
	}
	r = readRows(t, slices.Concat(head, []string{"Gesamtbetrag\t119,00", "Bezahlt: 0,00 EUR Zu zahlen: 119,00 EUR"})...)
	if f := r.Fields["/totals/amountDueForPayment"]; f == nil || f.Value != "119.00" || f.Confidence < 0.95 {
		t.Errorf("what is due is %+v", f)
	}
}

// What several payments leave of the total is due, and the total is not sure, whatever stands beside it.
func TestDueAfterSeveralPayments(t *testing.T) {
	for _, label := range []string{"Zahlungsbetrag EUR inkl. USt", "Somit ergibt sich", "Schlusssaldo dieser Abrechnung"} {
		r := readRows(t, "Hafen Planung GmbH", "3. Teilrechnung R-17", "Rechnungsdatum: 20.11.2026", "Leistungsstand netto\t24.960,00", "zuzüglich 20 % USt\t4.992,00", "Leistungsstand brutto\t29.952,00",
			"abzüglich 1. Teilrechnung R-11, bezahlt (inkl. USt 1.920,00)\t-11.520,00", "abzüglich 2. Teilrechnung R-12, bezahlt (inkl. USt 1.536,00)\t-9.216,00", label+"\t9.216,00")
		if f := r.Fields["/totals/amountDueForPayment"]; f != nil && f.Value != "9216.00" && f.Confidence >= 0.95 {
			t.Errorf("%s: %s is due, for sure", label, f.Value)
		}
	}
}

// A year beside a title is no sure number, and a name that may go on with a legal form in the next row is no sure name.
func TestValuesThatMayBeOthers(t *testing.T) {
	totals := []string{"Netto\t100,00", "MwSt. 19 %\t19,00", "Gesamtbetrag\t119,00"}
	r := readRows(t, slices.Concat([]string{"Hafen Musik GmbH", "Gebührenrechnung 2026 – Unterricht", "Datum: 20.11.2026"}, totals)...)
	if f := r.Fields["/number"]; f != nil && f.Confidence >= 0.95 {
		t.Errorf("the number is %s, for sure", f.Value)
	}
	r = readRows(t, slices.Concat([]string{"Hafen Papier GmbH · Kai 4 · 20095 Hamburg", "", "Seminarhotel Am See", "Betriebs-GmbH", "Marktgasse 2", "04109 Leipzig", "", "Rechnung R-17", "Datum: 20.11.2026"}, totals)...)
	if f := r.Fields["/buyer/name"]; f != nil && f.Value == "Seminarhotel Am See" && f.Confidence >= 0.95 {
		t.Errorf("the buyer is %s, for sure", f.Value)
	}
}

// A VAT identifier that has not the shape of its country is no sure one: its end may be cut off, or in the next row.
func TestVatIDOfAnotherShape(t *testing.T) {
	for _, id := range []string{"DE31847206", "SE55697772370", "ATU1234567"} {
		r := readRows(t, "Hafen Papier GmbH", "Kai 4", "20095 Hamburg", "Rechnung R-17", "Datum: 20.11.2026", "Netto\t100,00", "MwSt. 19 %\t19,00", "Gesamtbetrag\t119,00", "USt-IdNr.: "+id)
		if f := r.Fields["/seller/vatIdentifier"]; f != nil && f.Confidence >= 0.95 {
			t.Errorf("%s is sure", f.Value)
		}
	}
}
