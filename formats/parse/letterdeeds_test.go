package parse_test

import (
	"slices"
	"strings"
	"testing"

	"einvoice/formats/parse/lexicon"
)

const deliveryAt = "/delivery/actualDeliveryDate"

// invoiceWith is an invoice with rows above its totals.
func invoiceWith(rows ...string) []string {
	head := []string{"Hafen Papier GmbH", "Kai 4", "20095 Hamburg", "", "Blumen Arndt GmbH", "Marktgasse 2", "04109 Leipzig", "", "Rechnung Nr. 2026-118", "Rechnungsdatum: 19.11.2026", ""}
	return slices.Concat(head, rows, []string{"", "Netto\t480,00", "USt 7 %\t33,60", "Gesamtbetrag\t513,60"})
}

// Each word that says what was done leads to the day behind it, wherever the sentence is broken, and nothing is sure of it
// but a label. A payment, two days and a period lead to none.
func TestDaysOfDeeds(t *testing.T) {
	found, asked := 0, 0
	for i, stem := range lexicon.Words().PerformedStems {
		if i%5 > 0 && !*whole {
			continue
		}
		asked++
		word := strings.ToUpper(stem[:1]) + stem[1:]
		for rows, want := range map[string]string{
			"Objekt Marktgasse, " + stem + " am 12.11.2026":      "2026-11-12",
			word + " le 12/11/2026":                              "2026-11-12",
			word + " and handed over 12.11.2026, as agreed":      "2026-11-12",
			"Zahlung " + stem + " am 12.11.2026":                 "",
			word + " 12.11.2026 - 14.11.2026":                    "",
			word + " 12.11.2026|" + word + " 13.11.2026":         "",
			"Zahlbar nach " + stem + " bis 12.12.2026":           "",
			word + ". Die Rechnung vom 12.11.2026 ist storniert": "",
		} {
			f := readRows(t, invoiceWith(strings.Split(rows, "|")...)...).Fields[deliveryAt]
			_, isLabel := lexicon.Words().Header.Exactly(word)
			_, isLabelWithDay := lexicon.Words().Header.Exactly(word + " am")
			switch isLabel = isLabel || isLabelWithDay; {
			case want == "" && f != nil && !isLabel:
				t.Errorf("%s: the day of delivery is %s at %v, want none", rows, f.Value, f.Confidence)
			case want != "" && f != nil && f.Value != want:
				t.Errorf("%s: the day of delivery is %s", rows, f.Value)
			case want != "" && f != nil:
				found++
			}
		}
		if i%20 > 0 {
			continue
		}
		for _, rows := range inTwoRows("Wir danken für den Auftrag und haben die Arbeiten am 12.11.2026 in Ihrem Hause " + stem + ".") {
			if f := readRows(t, invoiceWith(rows...)...).Fields[deliveryAt]; f != nil && f.Value != "2026-11-12" {
				t.Errorf("%q: the day of delivery is %s", rows, f.Value)
			}
		}
	}
	if least := 2 * asked; found < least {
		t.Errorf("%d days were found, want at least %d", found, least)
	}
}

// What is said below one of several lines is not said of all.
func TestDaysOfOneLine(t *testing.T) {
	for _, said := range []string{"Serial no. 4711, delivered 03.02.2026", "geliefert am 03.02.2026", "Livré le 03/02/2026, série 4711"} {
		r := readRows(t, "Hafen Papier GmbH", "Kai 4", "20095 Hamburg", "", "Rechnung Nr. 2026-118", "Rechnungsdatum: 19.11.2026", "",
			"Beschreibung|>300 Menge|>400 Preis|>520 Betrag", "Papier|>300 2|>400 100,00|>520 200,00", said, "Karton|>300 2|>400 140,00|>520 280,00", "",
			"Netto\t480,00", "USt 7 %\t33,60", "Gesamtbetrag\t513,60")
		if f := r.Fields[deliveryAt]; f != nil {
			t.Errorf("%s: the day of delivery is %s", said, f.Value)
		}
	}
}
