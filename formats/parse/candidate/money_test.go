package candidate

import (
	"strings"
	"testing"

	"einvoice/formats/parse/layout"
)

// Three digits behind a sign are decimals of dinars, and a group of yen and of whole euros; two digits decide it otherwise.
func TestDigitsOfCurrencies(t *testing.T) {
	for _, c := range []struct {
		texts []string
		want  int64 // of the first, in thousandths
	}{
		{[]string{"1,200", "JPY"}, 1_200_000},
		{[]string{"1.200", "JPY"}, 1_200_000},
		{[]string{"1,200", "EUR"}, 1_200_000},
		{[]string{"1.200", "EUR"}, 1_200_000},
		{[]string{"1.200.000", "CLP"}, 1_200_000_000},
		{[]string{"1,200", "KWD"}, 1200},
		{[]string{"1.200", "(KWD)", "12.000,500"}, 1_200_000},
		{[]string{"1,200", "EUR", "3,50"}, 1200},
		{[]string{"1,200", "EUR", "3.50"}, 1_200_000},
		{[]string{"1.200", "JPY", "3.50"}, 1200},
	} {
		l := &layout.Layout{}
		l.AddRow(wordsOf(strings.Join(c.texts, " ")), 1)
		if n, used := NotationOf(l).At(l.Rows[0].Words[:1]); used != 1 || n.Value != c.want*UnitsPerOne/1000 {
			t.Errorf("%q: %d millionths, want %d thousandths", c.texts, n.Value, c.want)
		}
	}
}
