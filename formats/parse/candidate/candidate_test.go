package candidate

import (
	"testing"

	"einvoice/formats/parse/drawn"
	"einvoice/formats/parse/layout"
)

// wordsOf are the words of a text, one space apart, in letters of 10 points.
func wordsOf(s string) []*layout.Word {
	var out []*layout.Word
	for _, w := range drawn.Words(s, 50, 107.4, 2.8) {
		out = append(out, layout.NewWord(w, 1))
	}
	return out
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		text    string
		decimal byte
		want    string // as a decimal number
		marks   string
	}{
		{"1.234,56", ',', "1234.56", ""}, {"1,234.56", '.', "1234.56", ""}, {"1 234,56", ',', "1234.56", ""}, {"1'234.56", '.', "1234.56", ""}, {"1’234’567.80", '.', "1234567.80", ""},
		{"12,50 €", ',', "12.50", "EUR"}, {"€12.50", '.', "12.50", "EUR"}, {"EUR 12,50", ',', "12.50", "EUR"}, {"12,50€", ',', "12.50", "EUR"}, {"CHF 1'200.00", '.', "1200.00", "CHF"},
		{"-3,00", ',', "-3.00", ""}, {"3,00-", ',', "-3.00", ""}, {"(3,00)", ',', "-3.00", ""}, {"−3,00", ',', "-3.00", ""}, {"100,-", ',', "100.00", ""},
		{"2½", ',', "2.50", ""}, {"¼", '.', "0.25", ""}, {"10¾", ',', "10.75", ""}, {"1.5½", ',', "", ""}, {"11⁄2", ',', "1.50", ""}, {"3⁄4", ',', "0.75", ""}, {"12⁄3", ',', "", ""}, {",50", ',', "0.50", ""}, {".75", '.', "0.75", ""}, {"1.250'50", ',', "1250.50", ""}, {"1’234’50", ',', "1234.50", ""}, {"1'234", '.', "1234", ""},
		{"1,23,456.78", '.', "123456.78", ""}, {"12,34,56,789", '.', "123456789", ""}, {"1,23,45.00", '.', "", ""}, {"₩1,200", '.', "1200", "KRW"}, {"1.200 ₫", ',', "1200", "VND"}, {"₻5.00", '.', "5.00", ""}, {"ALL 12", '.', "", ""}, {"RS 485", '.', "", ""}, {"RM 120", '.', "", ""}, {"RM 120.00", '.', "120.00", "MYR"}, {"Rs. 1,20,000.00", '.', "120000.00", "INR"}, {"RS 120.00", '.', "", ""}, {"PKR 12.00", '.', "12.00", "PKR"},
		{"19 %", ',', "19", "%"}, {"19,00%", ',', "19.00", "%"}, {"19 %:", ',', "19", "%"}, {"(19%)", ',', "19", "%"}, {"(19,00 %):", ',', "19.00", "%"}, {"@19%", ',', "19", "%"}, {"7%,", ',', "7", "%"}, {"1.000", ',', "1000", ""}, {"1.000", '.', "1.000", ""}, {"0.5", ',', "0.5", ""}, {"2,5000", ',', "2.5000", ""},
		{"12.03.2026", ',', "", ""}, {"RE-17", ',', "", ""}, {"1.23.4", ',', "", ""}, {"9999999999999", ',', "", ""}, {"(3,00", ',', "", ""},
	} {
		got, used := Notation{Decimal: c.decimal}.At(wordsOf(c.text))
		if c.want == "" {
			if used != 0 {
				t.Errorf("%q is read as %s", c.text, got.Decimal())
			}
			continue
		}
		marks := got.Currency
		if got.Percent {
			marks = "%"
		}
		if used != len(wordsOf(c.text)) || got.Decimal() != c.want || marks != c.marks {
			t.Errorf("%q is read as %s %q in %d words, want %s %q", c.text, got.Decimal(), marks, used, c.want, c.marks)
		}
	}
}

// The decimal sign is decided once for all numbers of a document.
func TestNotation(t *testing.T) {
	for s, want := range map[string]byte{"1.234 12,50 3,10 4.75": ',', "1,234 12.50 1,200.00": '.', "12.03.2026 7,10": ',', "": ','} {
		l := &layout.Layout{}
		if of := wordsOf(s); len(of) > 0 {
			l.AddRow(of, 1)
		}
		if got := NotationOf(l); got.Decimal != want {
			t.Errorf("%q has the decimal sign %c, want %c", s, got.Decimal, want)
		}
	}
}

func TestDates(t *testing.T) {
	for s, want := range map[string]string{
		"20.11.2026": "2026-11-20", "20. 11. 2026": "2026-11-20", "2026-11-20": "2026-11-20", "20/11/26": "2026-11-20", "11/20/2026": "2026-11-20",
		"20. November 2026": "2026-11-20", "November 20, 2026": "2026-11-20", "20 de noviembre de 2026": "2026-11-20", "1er août 2026": "2026-08-01",
		"20 listopada 2026": "2026-11-20", "20 nov. 2026": "2026-11-20", "20-Nov-2026": "2026-11-20", "5 maart 2026": "2026-03-05", "1 gennaio 2026": "2026-01-01",
		"31.02.2026": "", "1.234.567": "", "20 Stück 2026": "", "12.50": "",
	} {
		got, used := Notation{}.DateAt(wordsOf(s))
		if want == "" {
			if used != 0 {
				t.Errorf("%q is read as %s", s, got.ISO())
			}
		} else if used == 0 || got.ISO() != want {
			t.Errorf("%q is read as %s, want %s", s, got.ISO(), want)
		}
	}
}

// Check digits are not a filter: an identifier of the right shape is read.
func TestIdentifiers(t *testing.T) {
	for s, want := range map[string]string{"DE123456789": "DE123456789", "DE 123 456 789": "DE123456789", "NL123456789B01 x": "NL123456789B01", "ATU12345678": "ATU12345678", "DE12345": "", "Der 1": ""} {
		if got, _ := VatIDAt(wordsOf(s)); got != want {
			t.Errorf("the VAT identifier of %q is %q, want %q", s, got, want)
		}
	}
	for s, want := range map[string]string{"DE79 0000 0000 1234 5678 90": "DE79000000001234567890", "NL91ABNA0417164300": "NL91ABNA0417164300", "XX91ABNA0417164300": "", "DE79 0000": "", "DE790000000012345678901": ""} {
		if got, _ := IBANAt(wordsOf(s)); got != want {
			t.Errorf("the IBAN of %q is %q, want %q", s, got, want)
		}
	}
	for s, want := range map[string]string{"RE-17": "RE-17", "RE 2026/17 x": "RE 2026/17", "INV/2026/03/0008": "INV/2026/03/0008", "2026 / 17": "2026 / 17", "Seite": "", "24.99": "", "(380)": ""} {
		if got, _ := IDAt(wordsOf(s)); got != want {
			t.Errorf("the identifier of %q is %q, want %q", s, got, want)
		}
	}
}

// Products are exact, and do not overflow.
func TestTimes(t *testing.T) {
	for _, c := range [][3]int64{{2_500_000, 4_150_000, 10_375_000}, {-2_500_000, 4_150_000, -10_375_000}, {1, 500_000, 1}, {99_999_999_999_999, 1_000_000, 99_999_999_999_999}} {
		if got := Times(c[0], c[1]); got != c[2] {
			t.Errorf("%d times %d is %d, want %d", c[0], c[1], got, c[2])
		}
	}
	const most = 999_999_999 * UnitsPerOne
	if got := Times(most, most); got != TooLarge {
		t.Errorf("the largest product is %d", got)
	}
}

func TestEmptyVatRow(t *testing.T) {
	amount := func(units int64) Number { return Number{Value: units, Decimals: 2} }
	percent := func(units int64) Number { return Number{Value: units, Percent: true} }
	d := &Pages{}
	for name, c := range map[string]struct {
		numbers []Number
		rate    int64
		is      bool
	}{
		"rate first":       {[]Number{percent(0), amount(0), amount(0)}, 0, true},
		"rate between":     {[]Number{amount(0), percent(7 * UnitsPerOne), amount(0)}, 7 * UnitsPerOne, true},
		"a total beside":   {[]Number{percent(0), amount(0), amount(0), amount(UnitsPerOne)}, 0, true},
		"an amount":        {[]Number{percent(0), amount(UnitsPerOne), amount(0)}, 0, false},
		"0,00 0,00 0,00":   {[]Number{amount(0), amount(0), amount(0)}, 0, true},
		"zeros in a list":  {[]Number{amount(0), amount(0), amount(0), amount(0)}, 0, false},
		"two numbers":      {[]Number{percent(0), amount(0)}, 0, false},
		"no rate of VAT":   {[]Number{percent(90 * UnitsPerOne), amount(0), amount(0)}, 0, false},
		"whole numbers, 0": {[]Number{percent(0), {}, {}}, 0, false},
	} {
		row, is := d.EmptyVatRow(&layout.Row{}, c.numbers)
		if is != c.is || row.Rate != c.rate {
			t.Errorf("%s: got a rate of %d, %v; want %d, %v", name, row.Rate, is, c.rate, c.is)
		}
	}
}
