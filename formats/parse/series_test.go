package parse_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"einvoice/model/sampled"
)

// The letters of a series of numbers are no currency.
func TestCurrencyOfSeries(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 1))
	for range sampled.Of(40, 4) {
		p := plainPage(r)
		p.number, p.code = fmt.Sprintf(anyOf(r, "FT 2026A/%d", "FT %d", "FT A/%d", "LEI %d"), 100+r.IntN(900)), ""
		if got := valueOf(readPage(t, p.rows()), "/currencyCode"); got != "" {
			t.Errorf("number %s: the currency is %q", p.number, got)
		}
		p.code = anyOf(r, "Ft", "lei", "zł", "Kč")
		want := map[string]string{"Ft": "HUF", "lei": "RON", "zł": "PLN", "Kč": "CZK"}[p.code]
		if got := valueOf(readPage(t, p.rows()), "/currencyCode"); got != want {
			t.Errorf("total in %s, number %s: the currency is %q", p.code, p.number, got)
		}
	}
}

// Months are read in Roman numerals too.
func TestRomanMonths(t *testing.T) {
	months := []string{"I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"}
	r := rand.New(rand.NewPCG(22, 2))
	for i, month := range months {
		p := plainPage(r)
		day := 1 + r.IntN(28)
		p.day = fmt.Sprintf(anyOf(r, "%d-%s-2026", "%d.%s.2026", "%d/%s/26", "%d %s 2026"), day, month)
		if got, want := valueOf(readPage(t, p.rows()), "/issueDate"), fmt.Sprintf("2026-%02d-%02d", i+1, day); got != want {
			t.Errorf("%s: the day is %q, want %s", p.day, got, want)
		}
	}
}

// A position or an amount of the table below the title is no number of the invoice.
func TestNumberAboveTable(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 9))
	for range sampled.Of(40, 4) {
		p := plainPage(r)
		y, size := 200, 12+r.IntN(3)
		rows := []string{
			"40|330 " + p.seller, "52|330 " + p.street, "64|330 " + p.city, "76|330 Datum: 26.9.2026", "88|330 Kundennummer: 56638", "110|50 " + p.buyer, "122|50 Am Deich 14", "134|50 75975 Ulm", "180|50 Rechnung",
			fmt.Sprintf("%d|50 Pos.|90 Bezeichnung|>330 Menge|>420 Einzelpreis|>540 Summe", y), fmt.Sprintf("%d|50 1|90 Beratung|>330 2|>420 150,00|>540 300,00", y+size),
			fmt.Sprintf("%d|50 Summe netto|330 Bruttobetrag", y+3*size), fmt.Sprintf("%d|50 EUR 300,00|330 EUR 300,00", y+4*size), "300|50 Kein Umsatzsteuerausweis gemäß § 19 UStG.",
		}
		if got := valueOf(readPage(t, rows, "Rechnung"), "/number"); got != "" {
			t.Errorf("the number is %q", got)
		}
	}
}

// A note of credit is none to pay, also where its number has the label of an invoice.
func TestNoteOfCreditInSpanish(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 11))
	for range sampled.Of(20, 4) {
		p := plainPage(r)
		title := anyOf(r, "Nota de abono", "Factura de abono", "NOTA DE ABONO")
		rows := p.rows()
		rows[7], rows[8], rows[9] = "150|50 "+title, "170|50 Factura n.º R2026"+p.number, "184|50 Fecha de expedición "+p.day
		if got := valueOf(readPage(t, rows), "/typeCode"); got != "381" {
			t.Errorf("%s: the type is %q", title, got)
		}
	}
}
