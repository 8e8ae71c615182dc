package totals

import (
	"unicode"
	"unicode/utf8"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// readCurrency finds the currency: that of its label, or that of the totals where it is printed with one of
// them, else the one that is printed most often.
func (d *draft) readCurrency() {
	defer func() {
		d.decideCrowns()
		d.decideDollars()
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
	count := map[string]int{}
	where := map[string][]*layout.Word{}
	for _, r := range d.Layout.Rows {
		for i, w := range r.Words {
			s := w.Text
			if len(s) > 12 {
				continue
			}
			code, ok := lexicon.CurrencyWord(s)
			if !ok {
				_, code = candidate.CutCurrency(s)
			}
			if code == "" || isOfName(r, i) {
				continue
			}
			count[code]++
			if where[code] == nil {
				where[code] = r.Words[i : i+1]
			}
		}
	}
	for code, n := range count {
		if best := count[d.Currency.Value]; n > best || n == best && code < d.Currency.Value {
			d.Currency = candidate.Printed{Value: code, Words: where[code]}
		}
	}
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
