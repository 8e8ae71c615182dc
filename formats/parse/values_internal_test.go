package parse

import (
	"reflect"
	"testing"

	"gopkg.in/yaml.v3"

	"einvoice/formats/parse/drawn"
)

// wordsOf are the words of a text, one space apart, in letters of 10 points.
func wordsOf(s string) []*word {
	var out []*word
	for _, w := range drawn.Words(s, 50, 107.4, 2.8) {
		out = append(out, newWord(w, 1))
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
		{"-3,00", ',', "-3.00", ""}, {"3,00-", ',', "-3.00", ""}, {"(3,00)", ',', "-3.00", ""}, {"−3,00", ',', "-3.00", ""}, {"100,-", ',', "100", ""},
		{"19 %", ',', "19", "%"}, {"19,00%", ',', "19.00", "%"}, {"19 %:", ',', "19", "%"}, {"(19%)", ',', "19", "%"}, {"(19,00 %):", ',', "19.00", "%"}, {"@19%", ',', "19", "%"}, {"7%,", ',', "7", "%"}, {"1.000", ',', "1000", ""}, {"1.000", '.', "1.000", ""}, {"0.5", ',', "0.5", ""}, {"2,5000", ',', "2.5000", ""},
		{"12.03.2026", ',', "", ""}, {"RE-17", ',', "", ""}, {"1.23.4", ',', "", ""}, {"9999999999999", ',', "", ""}, {"(3,00", ',', "", ""},
	} {
		got, used := notation{decimal: c.decimal}.at(wordsOf(c.text))
		if c.want == "" {
			if used != 0 {
				t.Errorf("%q is read as %s", c.text, got.decimal())
			}
			continue
		}
		marks := got.currency
		if got.percent {
			marks = "%"
		}
		if used != len(wordsOf(c.text)) || got.decimal() != c.want || marks != c.marks {
			t.Errorf("%q is read as %s %q in %d words, want %s %q", c.text, got.decimal(), marks, used, c.want, c.marks)
		}
	}
}

// The decimal sign is decided once for all numbers of a document.
func TestNotation(t *testing.T) {
	for s, want := range map[string]byte{"1.234 12,50 3,10 4.75": ',', "1,234 12.50 1,200.00": '.', "12.03.2026 7,10": ',', "": ','} {
		l := &layout{}
		if of := wordsOf(s); len(of) > 0 {
			l.addRow(of, 1)
		}
		if got := notationOf(l); got.decimal != want {
			t.Errorf("%q has the decimal sign %c, want %c", s, got.decimal, want)
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
		got, used := notation{}.dateAt(wordsOf(s))
		if want == "" {
			if used != 0 {
				t.Errorf("%q is read as %s", s, got.iso())
			}
		} else if used == 0 || got.iso() != want {
			t.Errorf("%q is read as %s, want %s", s, got.iso(), want)
		}
	}
}

// Check digits are no filter: an identifier of the right shape is read.
func TestIdentifiers(t *testing.T) {
	for s, want := range map[string]string{"DE123456789": "DE123456789", "DE 123 456 789": "DE123456789", "NL123456789B01 x": "NL123456789B01", "ATU12345678": "ATU12345678", "DE12345": "", "Der 1": ""} {
		if got, _ := vatIDAt(wordsOf(s)); got != want {
			t.Errorf("the VAT identifier of %q is %q, want %q", s, got, want)
		}
	}
	for s, want := range map[string]string{"DE79 0000 0000 1234 5678 90": "DE79000000001234567890", "NL91ABNA0417164300": "NL91ABNA0417164300", "XX91ABNA0417164300": "", "DE79 0000": "", "DE790000000012345678901": ""} {
		if got, _ := ibanAt(wordsOf(s)); got != want {
			t.Errorf("the IBAN of %q is %q, want %q", s, got, want)
		}
	}
	if !ibanChecks("DE89370400440532013000") || ibanChecks("DE88370400440532013000") {
		t.Error("check digits are mistaken")
	}
	for s, want := range map[string]string{"RE-17": "RE-17", "RE 2026/17 x": "RE 2026/17", "INV/2026/03/0008": "INV/2026/03/0008", "2026 / 17": "2026 / 17", "Seite": "", "24.99": "", "(380)": ""} {
		if got, _ := idAt(wordsOf(s)); got != want {
			t.Errorf("the identifier of %q is %q, want %q", s, got, want)
		}
	}
}

// Every label is there in each of the seven languages, but for those that are the same
// in all of them.
func TestLexicon(t *testing.T) {
	if _, err := readLexicon(lexiconYAML); err != nil {
		t.Fatal(err)
	}
	var groups map[string]yaml.Node
	if err := yaml.Unmarshal(lexiconYAML, &groups); err != nil {
		t.Fatal(err)
	}
	same := map[string]bool{"iban": true, "bic": true}
	for _, name := range []string{"header", "totals", "columns", "parties"} {
		var group map[string]map[string][]string
		if node := groups[name]; node.Decode(&group) != nil || len(group) == 0 {
			t.Fatalf("%s has no labels by field and language", name)
		}
		for field, languages := range group {
			for _, language := range []string{"de", "en", "fr", "es", "it", "nl", "pl"} {
				if len(languages[language]) == 0 && !same[field] {
					t.Errorf("%s: %s has no label in %s", name, field, language)
				}
			}
		}
	}
	if _, err := readLexicon([]byte("header: {}\nheadr: {}")); err == nil {
		t.Error("a key that is unknown is accepted")
	}
}

// Products are exact, and do not overflow.
func TestTimes(t *testing.T) {
	for _, c := range [][3]int64{{2_500_000, 4_150_000, 10_375_000}, {-2_500_000, 4_150_000, -10_375_000}, {1, 500_000, 1}, {99_999_999_999_999, 1_000_000, 99_999_999_999_999}} {
		if got := times(c[0], c[1]); got != c[2] {
			t.Errorf("%d times %d is %d, want %d", c[0], c[1], got, c[2])
		}
	}
	const most = 999_999_999 * unitsPerOne
	if got := times(most, most); got != tooLarge {
		t.Errorf("the largest product is %d", got)
	}
}

func TestEmptyVatRow(t *testing.T) {
	amount := func(units int64) number { return number{value: units, decimals: 2} }
	percent := func(units int64) number { return number{value: units, percent: true} }
	d := &document{}
	for name, c := range map[string]struct {
		numbers []number
		rate    int64
		is      bool
	}{
		"rate first":       {[]number{percent(0), amount(0), amount(0)}, 0, true},
		"rate between":     {[]number{amount(0), percent(7 * unitsPerOne), amount(0)}, 7 * unitsPerOne, true},
		"a total beside":   {[]number{percent(0), amount(0), amount(0), amount(unitsPerOne)}, 0, true},
		"an amount":        {[]number{percent(0), amount(unitsPerOne), amount(0)}, 0, false},
		"0,00 0,00 0,00":   {[]number{amount(0), amount(0), amount(0)}, 0, true},
		"zeros in a list":  {[]number{amount(0), amount(0), amount(0), amount(0)}, 0, false},
		"two numbers":      {[]number{percent(0), amount(0)}, 0, false},
		"no rate of VAT":   {[]number{percent(90 * unitsPerOne), amount(0), amount(0)}, 0, false},
		"whole numbers, 0": {[]number{percent(0), {}, {}}, 0, false},
	} {
		row, is := d.emptyVatRow(&row{}, c.numbers)
		if is != c.is || row.rate != c.rate {
			t.Errorf("%s: got a rate of %d, %v; want %d, %v", name, row.rate, is, c.rate, c.is)
		}
	}
}

func TestWithMissing(t *testing.T) {
	const one = unitsPerOne
	amounts := func(values ...int64) (all []amount) {
		for _, v := range values {
			all = append(all, amount{number: number{value: v, decimals: 2}})
		}
		return all
	}
	row := func(base, tax, rate int64) vatRow {
		return vatRow{base: total{value: base, known: true}, tax: total{value: tax, known: true}, rate: rate}
	}
	rated := func(rates ...int64) (all []line) {
		for _, r := range rates {
			all = append(all, line{numbers: map[string]number{"vatRate": {value: r, percent: true}}})
		}
		return all
	}
	d := &totalsDraft{pages: &pages{layout: &layout{}}}
	d.lines = rated(19*one, 7*one)
	d.chain.net, d.chain.vat = total{value: 300 * one, known: true}, total{value: 33 * one, known: true}
	for name, c := range map[string]struct {
		printed []amount
		rows    []vatRow
		want    []vatRow
	}{
		"the tax is printed":    {amounts(14 * one), []vatRow{row(100*one, 19*one, 19*one)}, []vatRow{row(100*one, 19*one, 19*one), row(200*one, 14*one, 7*one)}},
		"the base is printed":   {amounts(200 * one), []vatRow{row(100*one, 19*one, 19*one)}, []vatRow{row(100*one, 19*one, 19*one), row(200*one, 14*one, 7*one)}},
		"neither is printed":    {nil, []vatRow{row(100*one, 19*one, 19*one)}, nil},
		"no rate leads to it":   {amounts(18 * one), []vatRow{row(79*one, 15*one, 19*one)}, nil},
		"two ways":              {amounts(14*one, 19*one), []vatRow{row(100*one, 19*one, 19*one), row(200*one, 14*one, 7*one)}, nil},
		"a base is not known":   {amounts(14 * one), []vatRow{{tax: total{value: 19 * one, known: true}, rate: 19 * one}}, nil},
		"nothing to begin with": {amounts(33 * one), nil, nil},
	} {
		d.amounts = c.printed
		got := d.withMissing(c.rows)
		for i := range got {
			got[i].base.from, got[i].tax.from, got[i].printed = nil, nil, nil
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}
