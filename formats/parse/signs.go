package parse

// agreement tells whether a VAT belongs to a net total: a printed rate leads from one to
// the other, or both are the sums of groups of the breakdown, or of taxes with rates
// (BR-CO-14, BR-CO-17), or there is none, and the lines add up to the net total.
func (d *totalsDraft) agreement() func(net, vat int64) bool {
	rates, taxes, breakdowns := d.rates(), d.sumsOfTaxes(), d.breakdowns()
	lines := d.lineSum()
	return func(net, vat int64) bool {
		return vat == 0 && net == lines || hasRate(rates, net, vat) || taxes[vat] || breakdowns[[2]int64{net, vat}]
	}
}

// signed are the totals that have one sign in an invoice.
var signed = []string{"lineTotal", "net", "vat", "gross", "due"}

// sameSigns gives the totals of recognised pages one sign, the one that more of them have,
// where they do not close as they are: a minus is a short line, which is taken for dirt, or
// dirt for it. Only where they close then, the signs stay.
func (d *totalsDraft) sameSigns() {
	if d.chain.closes && d.agreement()(d.chain.net.value, d.chain.vat.value) || d.asRead {
		return
	}
	sign, votes := int64(-1), 0
	for i := range d.amounts {
		switch a := &d.amounts[i]; {
		case a.value > 0 && d.isSigned(a):
			votes++
		case a.value < 0 && d.isSigned(a):
			votes--
		}
	}
	if votes > 0 {
		sign = 1
	}
	before, chain := d.amounts, d.chain
	d.amounts = nil
	for _, a := range before {
		if value := sign * abs(a.value); value != a.value && d.isSigned(&a) {
			a.readAs, a.value = amountText(a.value), value
		}
		d.amounts = append(d.amounts, a)
	}
	d.solve()
	c := &d.chain
	named := c.net.from != nil && c.vat.from != nil && c.gross.from != nil &&
		c.net.from.labels["net"] > 0.5 && c.vat.from.labels["vat"] > 0.5 && c.gross.from.labels["gross"] > 0.5
	if !c.closes || !named && !d.agreement()(c.net.value, c.vat.value) {
		d.amounts, d.chain = before, chain
	}
}

// isSigned tells whether an amount of a recognised page is one of the signed totals.
func (d *totalsDraft) isSigned(a *amount) bool {
	if !d.layout.pages[a.row.page-1].Recognised {
		return false
	}
	for _, field := range signed {
		if a.labels[field] > 0.5 {
			return true
		}
	}
	return false
}
