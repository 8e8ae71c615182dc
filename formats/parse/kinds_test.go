package parse_test

import (
	"testing"

	"einvoice/formats/parse"
	"einvoice/formats/parse/drawn"
	"einvoice/formats/pdf/text"
)

// What a page has for information, asks for in parts or takes off is neither the total nor sure.
func TestKindsOfTotals(t *testing.T) {
	for name, c := range map[string]struct {
		rows []string
		want map[string]string
	}{
		"another currency for information": {
			[]string{"Invoice", "Invoice number: R-17", "Invoice date: 20/11/2026", "Net total\tGBP 100.00", "VAT 20 %\tGBP 20.00", "Invoice total\tGBP 120.00", "For information\tEUR 140.40", "Please pay in GBP"},
			map[string]string{"/currencyCode": "GBP", "/totals/totalAmountWithVat": "120.00", "/totals/amountDueForPayment": "120.00"},
		},
		"an instalment that was paid": {
			[]string{"Invoice", "Invoice number: R-17", "Invoice date: 20/11/2026", "Net total\t1000.00", "VAT 20 %\t200.00", "Invoice total\t1200.00", "Paid (instalment 1 of 3)\t400.00", "Remaining balance\t800.00"},
			map[string]string{"/totals/totalAmountWithVat": "1200.00", "/totals/paidAmount": "400.00", "/totals/amountDueForPayment": "800.00"},
		},
		"withheld tax": {
			[]string{"Fattura", "Fattura n. 17", "Data: 20/11/2026", "Imponibile\t1000,00", "IVA 22 %\t220,00", "Totale fattura\t1220,00", "Ritenuta d'acconto 20 %\t-200,00", "Netto a pagare\t1020,00"},
			map[string]string{"/totals/totalAmountWithVat": "1220.00", "/totals/amountDueForPayment": "1020.00", "/totals/paidAmount": ""},
		},
		"the edition of a form": {
			[]string{"Rechnung", "Version 2.1 vom 24.03.2020", "Beleg-Nr.: R-17", "Beleg-Datum: 20.11.2026", "Netto\t100,00", "MwSt. 19 %\t19,00", "Gesamtbetrag\t119,00"},
			map[string]string{"/issueDate": "2026-11-20"},
		},
		"an order with its day": {
			[]string{"Rechnung Nr. R-17 vom 20.11.2026", "Bestellung B-4 vom 01.10.2026", "Netto\t100,00", "MwSt. 19 %\t19,00", "Gesamtbetrag\t119,00"},
			map[string]string{"/issueDate": "2026-11-20", "/purchaseOrderReference": "B-4"},
		},
	} {
		r := readRows(t, c.rows...)
		for pointer, want := range c.want {
			got := ""
			if f := r.Fields[pointer]; f != nil {
				got = f.Value
			}
			if got != want {
				t.Errorf("%s: %s is %q, want %q", name, pointer, got, want)
			}
		}
	}
}

// A day in figures that may be two is not sure where nothing but dollars tells the order, for
// any day; another day of the page that can be read in one way decides.
func TestDaysInDollars(t *testing.T) {
	for _, c := range []struct {
		issued, due, want string
		sure              bool
	}{
		{"04/05/2026", "05/05/2026", "2026-04-05", false}, {"04/05/2026", "05/25/2026", "2026-04-05", true}, {"12/11/2026", "12/12/2026", "2026-12-11", false},
		{"25/05/2026", "04/06/2026", "2026-05-25", true},
	} {
		r := readRows(t, "Invoice", "Invoice number: R-17", "Invoice date: "+c.issued, "Due date: "+c.due, "Net total\t$100.00", "Tax 8 %\t$8.00", "Invoice total\t$108.00")
		f := r.Fields["/issueDate"]
		if f == nil || f.Value != c.want || (f.Confidence > 0.85) != c.sure {
			t.Errorf("%s: the day is %+v", c.issued, f)
		}
	}
}

// A label does not take another label for its value, as the next head of a table of documents.
func TestLabelIsNoValue(t *testing.T) {
	for _, heads := range [][2]string{{"Référence", "Désignation"}, {"Referenz", "Bezeichnung"}, {"Reference", "Description"}, {"Your reference", "Quantity"}, {"Referencia", "Cantidad"}, {"Riferimento", "Descrizione"}, {"Referentie", "Omschrijving"}} {
		placed := []string{
			"60|50 Invoice", "74|50 Invoice number: R-17", "88|50 Invoice date: 20/11/2026", "166|300 Net total|>520 100.00", "180|300 VAT 20 %|>520 20.00", "194|300 Invoice total|>520 120.00",
			"300|50 " + heads[0] + "|150 " + heads[1], "320|50 TIME|150 Time sheet",
		}
		r, err := parse.Sheets(t.Context(), []text.Sheet{drawn.Sheet(placed...)}, parse.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if f := r.Fields["/buyerReference"]; f != nil && f.Value == heads[1] {
			t.Errorf("the buyer's reference is %+v", f)
		}
	}
}
