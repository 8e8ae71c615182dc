package totals

import (
	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
)

// crowns are the currencies that are written as kr, by country.
var crowns = map[string]string{"SE": "SEK", "DK": "DKK", "NO": "NOK", "IS": "ISK"}

// isCrowns is the code that the lexicon has for kr.
const isCrowns = "KR"

// decideCrowns decides which currency kr is: by its code elsewhere on the pages, or by the
// country of an account or a VAT identifier. Where nothing says so, it stays open.
func (d *draft) decideCrowns() {
	if d.Currency.Value != isCrowns {
		return
	}
	decided := candidate.Printed{}
	for _, r := range d.Layout.Rows {
		for i, w := range r.Words {
			code := ""
			for country, c := range crowns {
				if w.Text == c {
					code = c
				}
				if id, n := candidate.VatIDAt(r.Words[i:]); n > 0 && id[:2] == country {
					code = c
				}
				if iban, n := candidate.IBANAt(r.Words[i:]); n > 0 && iban[:2] == country {
					code = c
				}
			}
			if code != "" && decided.Value != "" && decided.Value != code {
				d.Currency = candidate.Printed{}
				return
			}
			if code != "" {
				decided = candidate.Printed{Value: code, Words: []*layout.Word{w}}
			}
		}
	}
	d.Currency = decided
}
