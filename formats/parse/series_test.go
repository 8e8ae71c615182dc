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
