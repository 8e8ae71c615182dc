package totals

import (
	"strings"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// dollars are the currencies that are written with the sign of a dollar alone.
var dollars = map[string]bool{"USD": true, "CAD": true, "AUD": true, "NZD": true, "SGD": true, "HKD": true}

// decideDollars decides which currency the sign of a dollar is: the one that the pages name by its
// code. Where they name none, or several, it is that of the United States and not sure.
func (d *draft) decideDollars() {
	if d.Currency.Value != "USD" || !isBareDollar(layout.TextOf(d.Currency.Words)) {
		return
	}
	var named candidate.Printed
	for _, r := range d.Layout.Rows {
		for _, w := range r.Words {
			text := strings.Trim(w.Text, "().,:;")
			code, ok := lexicon.CurrencyWord(text)
			if !ok {
				_, code = candidate.CutCurrency(text)
			}
			switch {
			case !dollars[code] || isBareDollar(text):
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

// isBareDollar reports whether a text has the sign of a dollar, and no letter that says which.
func isBareDollar(s string) bool {
	return strings.Contains(s, "$") && !strings.ContainsAny(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
}
