package parse_test

import (
	"strings"
	"testing"
)

// What a person who did not know the rules wrote, and what was read wrong for sure: values that are right now,
// or no longer sure where nothing says which is right.
func TestReadWrongBefore(t *testing.T) {
	letterhead := []string{"Hafen Papier GmbH", "Kai 4", "20095 Hamburg", "", "Blumen Arndt", "Marktgasse 2", "04109 Leipzig", ""}
	for name, c := range map[string]struct {
		rows []string
		want map[string]string // by the end of the pointer; "" is none, "~" before a value is not sure
	}{
		"instalments and the rest, whatever they are called": {
			append(letterhead, "Rechnung Nr. 17", "Datum 20.11.2026", "Netto\t100,00", "MwSt. 19 %\t19,00", "Gesamtbetrag\t119,00", "von Ihnen entrichtet\t-70,00", "jetzt noch\t49,00"),
			map[string]string{"amountDueForPayment": "49.00", "paidAmount": "70.00"}},
		"something is taken from the total, and no rest is printed": {
			append(letterhead, "Rechnung Nr. 17", "Datum 20.11.2026", "Netto\t100,00", "MwSt. 19 %\t19,00", "Gesamtbetrag\t119,00", "laut Absprache\t-70,00"),
			map[string]string{"amountDueForPayment": "~"}},
		"a refund is not a payment": {
			append(letterhead, "Creditfactuur 17", "Datum 20-11-2026", "Subtotaal\t100,00", "Btw 21 %\t21,00", "Te ontvangen\t€ 121,00"),
			map[string]string{"amountDueForPayment": "121.00"}},
		"a number in groups": {
			append(letterhead, "Rechnungsnummer 402 202 877", "Datum 20.11.2026", "Netto\t100,00", "MwSt. 19 %\t19,00", "Gesamtbetrag\t119,00"),
			map[string]string{"/number": "402 202 877"}},
		"the number of a credited invoice": {
			append(letterhead, "NOTA DI CREDITO", "Numero NC/24/0077", "Conguaglio fattura 1402/24", "Imponibile\t100,00", "IVA 22 %\t22,00", "Totale\t122,00"),
			map[string]string{"/number": "NC/24/0077"}},
		"a line and its VAT are not the total": {
			append(letterhead, "Factuur 17", "Bar\t17,80", "Totaal\t467,90", "Btw 9%: 35,63 over 395,87\tBtw 21%: 3,09 over 14,71"),
			map[string]string{"totalAmountWithVat": "~", "totalAmountWithoutVat": "~"}},
	} {
		r := readRows(t, c.rows...)
		for end, want := range c.want {
			value, isSure := "", false
			for pointer, f := range r.Fields {
				if strings.HasSuffix(pointer, end) && !strings.Contains(pointer, "/lines/") {
					value, isSure = f.Value, f.Confidence >= 0.95
				}
			}
			if want == "~" && isSure || want != "~" && value != want {
				t.Errorf("%s: %s is %q, sure %t, want %q", name, end, value, isSure, want)
			}
		}
	}
}
