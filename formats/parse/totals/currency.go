package totals

import (
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
			if code == "" {
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
