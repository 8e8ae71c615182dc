package parse

// readCurrency finds the currency: that of its label, or that of the totals where it is printed with one of
// them, else the one that is printed most often.
func (d *totalsDraft) readCurrency() {
	if c, ok := d.head.claims["currency"]; ok {
		d.currency = printed{c.value, c.words}
		return
	}
	for _, t := range []total{d.chain.due, d.chain.gross, d.chain.net} {
		if t.from != nil && t.from.currency != "" {
			d.currency = printed{t.from.currency, t.from.words}
			return
		}
	}
	count := map[string]int{}
	where := map[string][]*word{}
	for _, r := range d.layout.rows {
		for i, w := range r.words {
			s := w.Text
			if len(s) > 12 {
				continue
			}
			code, ok := currencyWord(s)
			if !ok {
				_, code = cutCurrency(s)
			}
			if code == "" {
				continue
			}
			count[code]++
			if where[code] == nil {
				where[code] = r.words[i : i+1]
			}
		}
	}
	for code, n := range count {
		if best := count[d.currency.value]; n > best || n == best && code < d.currency.value {
			d.currency = printed{code, where[code]}
		}
	}
}
