package parse_test

import (
	"fmt"
	"strings"
	"testing"

	"einvoice/formats/parse"
	"einvoice/formats/parse/drawn"
	"einvoice/formats/pdf/text"
)

func readRows(t *testing.T, rows ...string) *parse.Result {
	t.Helper()
	r, err := tryRows(t, rows...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// tryRows is readRows for pages that may be refused.
func tryRows(t *testing.T, rows ...string) (*parse.Result, error) {
	t.Helper()
	var placed []string
	for i, row := range rows {
		label, amount, found := strings.Cut(row, "\t")
		placed = append(placed, fmt.Sprintf("%d|50 %s", 60+14*i, label))
		if found {
			placed[i] += "|>520 " + amount
		}
	}
	return parse.Sheets(t.Context(), []text.Sheet{drawn.Sheet(placed...)}, parse.Limits{})
}

// An amount and no VAT are that amount, which proves nothing: no total is sure by it, whichever
// amounts are printed, and one with the label of the total is not passed over.
func TestNoVatProvesNothing(t *testing.T) {
	for _, labels := range [][2]string{{"Subtotal", "Total"}, {"Zwischensumme", "Gesamtbetrag"}, {"Sous-total", "Total TTC"}, {"Subtotaal", "Totaalbedrag"}, {"Totale parziale", "Totale fattura"}} {
		for _, amounts := range [][2]string{{"16350.00", "15917.50"}, {"120.00", "99.00"}, {"1000.00", "640.00"}} {
			r := readRows(t, "Invoice", "Invoice number: R-17", "Invoice date: 20/11/2026", labels[0]+"\t"+amounts[0], labels[1]+"\t"+amounts[1])
			if f := r.Fields["/totals/totalAmountWithVat"]; f == nil || f.Value != amounts[1] || f.Confidence >= 0.95 {
				t.Errorf("%v, %v: the total is %+v", labels, amounts, f)
			}
			for pointer, f := range r.Fields {
				if strings.HasPrefix(pointer, "/totals/") && f.Confidence >= 0.95 {
					t.Errorf("%v, %v: %s is %s, and %.2f sure", labels, amounts, pointer, f.Value, f.Confidence)
				}
			}
		}
	}
}

// Where what is due is not the total and no payment is printed, neither payment nor what is due
// is sure, and the review names them.
func TestDueThatNothingExplains(t *testing.T) {
	for _, due := range []string{"1000.00", "59.50", "118.00"} {
		r := readRows(t, "Invoice", "Invoice number: R-17", "Invoice date: 20/11/2026", "Net total\t5042.02", "VAT 19 %\t957.98", "Invoice total\t6000.00", "Amount due\t"+due)
		for _, name := range []string{"amountDueForPayment", "paidAmount"} {
			pointer := "/totals/" + name
			told := false
			for _, x := range r.Review {
				told = told || len(x.Fields) > 0 && x.Fields[0] == pointer
			}
			if f := r.Fields[pointer]; f == nil || f.Confidence > 0.6 || !told {
				t.Errorf("due %s: %s is %+v, told: %v", due, pointer, f, told)
			}
		}
	}
	r := readRows(t, "Invoice", "Invoice number: R-17", "Invoice date: 20/11/2026", "Net total\t5042.02", "VAT 19 %\t957.98", "Invoice total\t6000.00", "Paid\t5000.00", "Amount due\t1000.00")
	if f := r.Fields["/totals/amountDueForPayment"]; f == nil || f.Value != "1000.00" || f.Confidence < 0.9 {
		t.Errorf("what a printed payment leaves is %+v", f)
	}
}

// The day of an invoice is the one behind its number, and no other day that stands before it.
func TestDayBehindTheNumber(t *testing.T) {
	for _, c := range [][2]string{
		{"Rechnung Nr. R-17 vom 20.11.2026", "Version 2.1 vom 24.03.2020"}, {"Invoice no. R-17 of 20/11/2026", "Template revision 3 of 01/02/2020"}, {"Facture n° R-17 du 20/11/2026", "Edition du 01/02/2020"},
		{"Factuur nr. R-17 van 20-11-2026", "Versie 2 van 01-02-2020"}, {"Fattura n. R-17 del 20/11/2026", "Versione 2 del 01/02/2020"}, {"Rechnung Nr. R-17 vom 20. November 2026", "Seite 1, gedruckt 24.03.2020"},
	} {
		r := readRows(t, c[1], "Papier GmbH, Kai 4, 20095 Hamburg", c[0], "Total\t119.00")
		if f := r.Fields["/issueDate"]; f == nil || f.Value != "2026-11-20" {
			t.Errorf("%q below %q: the day is %+v", c[0], c[1], f)
		}
	}
}

// "Your reference" with one identifier is the order, also where a space stands before the colon;
// other words, and a Leitweg-ID, are the buyer's reference.
func TestYourReference(t *testing.T) {
	for _, c := range [][2]string{
		{"Your reference: 4711", "/purchaseOrderReference"}, {"Your reference : 4711", "/purchaseOrderReference"}, {"Votre référence : AB-4711", "/purchaseOrderReference"},
		{"Votre référence : Mme Martin", "/buyerReference"}, {"Ihr Zeichen : 04011000-12345-03", "/buyerReference"},
	} {
		r := readRows(t, "Facture", "Facture n° R-17 du 20/11/2026", c[0], "Total\t119.00")
		if f := r.Fields[c[1]]; f == nil {
			t.Errorf("%q: %s was not read", c[0], c[1])
		}
	}
}

// A part of an IBAN is not a VAT identifier, wherever it begins and however it is grouped.
func TestAccountIsNoVatIdentifier(t *testing.T) {
	for _, iban := range []string{"PL61 1090 1014 0000 0712 1981 2874", "PL61109010140000071219812874", "DE89 3704 0044 0532 0130 00", "FR14 2004 1010 0505 0001 3M02 606", "LU28 0019 4006 4475 0000", "PL61 1090 1014 0000 0712 1981 287"} {
		for _, label := range []string{"IBAN: ", "IBAN ", "Bank account IBAN: "} {
			r := readRows(t, "Invoice", "Invoice number: R-17", "Invoice date: 20/11/2026", "Total\t119.00", "Papier GmbH, "+label+iban)
			if f := r.Fields["/seller/vatIdentifier"]; f != nil {
				t.Errorf("%s%s: the VAT identifier is %+v", label, iban, f)
			}
		}
	}
}

// Who gets a letter is the buyer where nothing but a street stands below, and is no part of the
// name where a name does. Towns may begin like the label.
func TestAttention(t *testing.T) {
	for _, c := range []struct {
		rows []string
		name string
	}{
		{[]string{"ATTN: Vivid Labs Limited", "93B Sai Yu Chung", "10115 Berlin"}, "Vivid Labs Limited"},
		{[]string{"z. Hd. Erika Muster", "Lindenweg 4", "10115 Berlin"}, "Erika Muster"},
		{[]string{"Vivid Labs Limited", "Attn: Erika Muster", "Lindenweg 4", "10115 Berlin"}, "Vivid Labs Limited"},
		{[]string{"c/o Erika Muster", "Vivid Labs Limited", "Lindenweg 4", "10115 Berlin"}, "Vivid Labs Limited"},
		{[]string{"Attnanger Werke", "Lindenweg 4", "10115 Berlin"}, "Attnanger Werke"},
	} {
		rows := append([]string{"Invoice", "Invoice number: R-17", "Invoice date: 20/11/2026", "", "Bill to:"}, c.rows...)
		r := readRows(t, append(rows, "", "", "Net total\t100.00", "VAT 20 %\t20.00", "Invoice total\t120.00")...)
		if f := r.Fields["/buyer/name"]; f == nil || f.Value != c.name {
			t.Errorf("%q: the buyer is %+v, want %s", c.rows, f, c.name)
		}
	}
}

// An invoice that says what it is not for the tax office is one.
func TestInvoiceThatIsNoVATInvoice(t *testing.T) {
	r := readRows(t, "Invoice", "Invoice number: R-17", "Invoice date: 20/11/2026", "Total\t120.00", "** This is not a VAT invoice")
	if f := r.Fields["/number"]; f == nil || f.Value != "R-17" {
		t.Errorf("the number is %+v", f)
	}
}

// A day that belongs to another document is not that of the invoice, whatever that document is
// called and wherever it stands.
func TestDaysOfOtherDocuments(t *testing.T) {
	for _, other := range []string{"abzgl. Akontozahlung vom 01.10.2026\t-20,00", "Akonto vom 01.10.2026", "OC-182 del 01/10/2026", "Lieferschein 17 vom 01.10.2026", "Ihre Anfrage vom 01.10.2026", "Devis D-17 du 01/10/2026", "Zlecenie 17 z dnia 01.10.2026"} {
		for _, own := range []string{"Trier, den 20.11.2026", "Rechnung R-17 vom 20.11.2026", "Datum: 20.11.2026"} {
			for _, rows := range [][]string{{own, other}, {other, own}} {
				r := readRows(t, append(append([]string{"Rechnung", "Rechnungsnummer: R-17"}, rows...), "Netto\t100,00", "MwSt. 19 %\t19,00", "Gesamtbetrag\t119,00")...)
				if f := r.Fields["/issueDate"]; f == nil || f.Value != "2026-11-20" && f.Confidence >= 0.9 {
					t.Errorf("%q: the day is %+v", rows, f)
				}
			}
		}
	}
}

// The currency in which VAT is stated too is not the one of the invoice, in any language and however it is called.
func TestAccountingCurrencyIsNotTheCurrency(t *testing.T) {
	for _, label := range []string{
		"VAT accounting currency", "Accounting currency", "VAT currency", "Tax currency", "Währung der Umsatzsteuer", "Devise de comptabilisation de la TVA",
		"Moneda contable del IVA", "Valuta di contabilizzazione IVA", "Valuta voor btw", "Waluta rozliczenia VAT",
	} {
		for _, currency := range []string{"CHF", "Euro", "Swiss Franc", "GBP", "€"} {
			for _, before := range []string{"", "Specification: urn:cen.eu:en16931:2017 · Currency: Swedish Krona · "} {
				r := readRows(t, "Harbour Tools Ltd", "Invoice INV-17", "Date: 20 November 2026", "Tax ID: DE123456789", "Net total\tSEK 49.00", "VAT 19 %\tSEK 9.31",
					"Total\tSEK 58.31", before+label+": "+currency)
				if r.Invoice.CurrencyCode.Raw != "SEK" {
					t.Errorf("%s%s %s: the currency is %q", before, label, currency, r.Invoice.CurrencyCode.Raw)
				}
			}
		}
	}
}
