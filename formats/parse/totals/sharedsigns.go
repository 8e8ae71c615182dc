package totals

import (
	"slices"
	"strings"
	"unicode"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
)

// shared are the currencies that are written with one sign alone, by the one that the lexicon has for it.
var shared = map[string][]string{
	"USD": {"USD", "CAD", "AUD", "NZD", "SGD", "HKD", "CLP", "COP", "ARS", "MXN", "UYU"}, // $
	"JPY": {"JPY", "CNY"},                                                                // ¥
	"INR": {"INR", "PKR", "LKR", "NPR", "MUR", "SCR"},                                    // Rs
	"XOF": {"XOF", "XAF"},                                                                // FCFA
	"KRW": {"KRW", "KPW"},                                                                // ₩
}

// decideShared decides which currency a sign is that several have: the one that the pages name by its code. Where they name
// none, or several, it is that of the lexicon and not sure.
func (d *draft) decideShared() {
	of := shared[d.Currency.Value]
	if of == nil || !isBareSign(layout.TextOf(d.Currency.Words)) {
		return
	}
	var named candidate.Printed
	for _, r := range d.Layout.Rows {
		for i, w := range r.Words {
			text := strings.Trim(w.Text, "().,:;")
			code, ok := candidate.CurrencyAt(r.Words[i:])
			if !ok {
				_, code = candidate.CutCurrency(text)
			}
			switch {
			case !slices.Contains(of, code) || isBareSign(text):
			case named.Value != "" && named.Value != code:
				d.SharedSign = true
				return
			default:
				named = candidate.Printed{Value: code, Words: []*layout.Word{w}}
			}
		}
	}
	if d.SharedSign = named.Value == ""; !d.SharedSign {
		d.Currency = named
	}
}

// isBareSign reports whether a text has the sign of a currency, and no letter that says which; Rs and FCFA are such signs.
func isBareSign(s string) bool {
	isSign := strings.ContainsFunc(s, func(c rune) bool { return unicode.Is(unicode.Sc, c) })
	letters := strings.ContainsFunc(s, func(c rune) bool { return c >= 'A' && c <= 'Z' })
	isShort := slices.ContainsFunc(strings.Fields(s), func(word string) bool {
		word = strings.Trim(word, "0123456789.,-")
		return word == "Rs" || word == "FCFA"
	})
	return isSign && !letters || isShort
}
