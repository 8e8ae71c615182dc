package totals

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// readCurrency finds the currency: that of its label, or that of the totals where it is printed with one of
// them or beside it, else the one that is printed most often.
func (d *draft) readCurrency() {
	defer func() {
		d.decideCrowns()
		d.decideShared()
		d.SharedSign = d.SharedSign || d.isInTwo()
	}()
	if c, ok := d.head.Claims["currency"]; ok {
		d.Currency = candidate.Printed{Value: c.Value, Words: c.Words}
		return
	}
	for _, t := range []candidate.Total{d.Chain.Due, d.Chain.Gross, d.Chain.Net} {
		if t.From != nil && t.From.Currency != "" {
			d.Currency = candidate.Printed{Value: t.From.Currency, Words: t.From.Words}
			return
		}
	}
	for _, t := range []candidate.Total{d.Chain.Due, d.Chain.Gross, d.Chain.Net} {
		if d.Currency = currencyBeside(t.From); d.Currency.Value != "" {
			return
		}
	}
	count := map[string]int{}
	where := map[string][]*layout.Word{}
	named := func(code string, of []*layout.Word) {
		count[code]++
		if where[code] == nil {
			where[code] = of
		}
	}
	for _, r := range d.Layout.Rows {
		for _, n := range d.NumbersOf(r) { // 1.200 RSD
			if slices.Contains(lexicon.Words().OtherCurrencies, n.Currency) {
				named(n.Currency, n.Words)
			}
		}
		for i, w := range r.Words {
			s := w.Text
			if code, ok := strings.CutPrefix(s, "("); ok { // Amount (KWD)
				if code, ok = strings.CutSuffix(code, ")"); ok && slices.Contains(lexicon.Words().OtherCurrencies, code) {
					named(code, r.Words[i:i+1])
				}
			}
			if len(s) > 12 {
				continue
			}
			code, ok := lexicon.CurrencyWord(s)
			if !ok {
				_, code = candidate.CutCurrency(s)
			}
			if code == "" || isOfName(r, i) || ok && s != code && isOfIdentifier(r, i) {
				continue
			}
			named(code, r.Words[i:i+1])
		}
	}
	for code, n := range count {
		if best := count[d.Currency.Value]; n > best || n == best && code < d.Currency.Value {
			d.Currency = candidate.Printed{Value: code, Words: where[code]}
		}
	}
}

// isInTwo reports whether a total is printed in two currencies, and the lines do not say which is that of the invoice.
func (d *draft) isInTwo() bool {
	if d.Chain.Net.Known && d.Chain.Net.Value == d.LineSum() {
		return false
	}
	for _, t := range []candidate.Total{d.Chain.Net, d.Chain.Gross, d.Chain.Due} {
		if t.From == nil || t.From.Row == nil || t.From.Currency == "" {
			continue
		}
		for _, n := range d.NumbersOf(t.From.Row) {
			if n.Currency != "" && n.Currency != t.From.Currency {
				return true
			}
		}
	}
	return false
}

// currencyBeside is the currency right behind an amount or right before it; none where there is none.
func currencyBeside(a *candidate.Amount) (found candidate.Printed) {
	if a == nil || a.Row == nil || len(a.Words) == 0 {
		return found
	}
	words := a.Row.Words
	first, last := slices.Index(words, a.Words[0]), slices.Index(words, a.Words[len(a.Words)-1])
	if first < 0 || last < 0 {
		return found
	}
	if last+1 < len(words) && layout.Near(words[last], words[last+1]) {
		found.Value, _ = candidate.CurrencyAt(words[last+1:])
		found.Words = words[last+1 : last+2]
	}
	if found.Value == "" && first > 0 && layout.Near(words[first-1], words[first]) {
		found.Value, _ = candidate.CurrencyAt(words[first-1:])
		found.Words = words[first-1 : first]
	}
	return found
}

// isOfIdentifier reports whether the word of a currency, such as Ft, lei or kr, begins an identifier or is one: FT 2026/7,
// LEI 5299. What is behind an amount, before one with decimals, or in small letters without a number behind is none.
func isOfIdentifier(r *layout.Row, at int) bool {
	w := r.Words[at]
	if lexicon.HasDigit(w.Text) || !strings.ContainsFunc(w.Text, unicode.IsLetter) || at > 0 && lexicon.HasDigit(r.Words[at-1].Text) && layout.Near(r.Words[at-1], w) {
		return false
	}
	if at+1 < len(r.Words) && layout.Near(w, r.Words[at+1]) && lexicon.HasDigit(r.Words[at+1].Text) {
		return !hasDecimals(r.Words[at+1].Text)
	}
	return len(w.Text) < 4 && strings.ToUpper(w.Text) == w.Text // EURO and KČ are no series of numbers
}

// hasDecimals reports whether a text ends as an amount with decimals does.
func hasDecimals(s string) bool {
	const decimals = 3 // with the sign
	at := len(s) - decimals
	return at > 0 && (s[at] == ',' || s[at] == '.') && !strings.ContainsFunc(s[at+1:], func(c rune) bool { return !unicode.IsDigit(c) })
}

// isOfName reports whether a word is spelled as names are, and a name goes on behind it, as in Euro Freight.
func isOfName(r *layout.Row, at int) bool {
	if at+1 == len(r.Words) || !isSpelledAsName(r.Words[at].Text) || !layout.Near(r.Words[at], r.Words[at+1]) {
		return false
	}
	return isSpelledAsName(r.Words[at+1].Text)
}

// isSpelledAsName reports whether a word has a capital and small letters behind it.
func isSpelledAsName(s string) bool {
	first, size := utf8.DecodeRuneInString(s)
	second, _ := utf8.DecodeRuneInString(s[size:])
	return unicode.IsUpper(first) && unicode.IsLower(second)
}
