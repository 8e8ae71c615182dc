package parse

// agreement tells whether a VAT belongs to a net total: a printed rate leads from one to
// the other, or both are the sums of groups of the breakdown, or of taxes with rates
// (BR-CO-14, BR-CO-17).
func (d *document) agreement() func(net, vat int64) bool {
	rates, taxes, breakdowns := d.rates(), d.sumsOfTaxes(), d.breakdowns()
	return func(net, vat int64) bool {
		return hasRate(rates, net, vat) || taxes[vat] || breakdowns[[2]int64{net, vat}]
	}
}

// signed are the totals that have one sign in an invoice.
var signed = []string{"lineTotal", "net", "vat", "gross", "due"}

// sameSigns gives the totals of recognised pages one sign where they do not close as they
// are: a minus is a short line, which is taken for dirt, or dirt for it. Only where they
// close then, the signs stay.
func (d *document) sameSigns() {
	if d.chain.closes && d.agreement()(d.chain.net.value, d.chain.vat.value) || d.limits.withoutChain {
		return
	}
	before, chain := d.amounts, d.chain
	for _, sign := range []int64{-1, 1} {
		d.amounts = nil
		changed := false
		for _, a := range before {
			if value := sign * abs(a.value); value != a.value && d.isSigned(&a) {
				a.readAs, a.value, changed = amountText(a.value), value, true
			}
			d.amounts = append(d.amounts, a)
		}
		if !changed || !d.hasSign(before, sign) {
			continue
		}
		d.solve()
		if d.chain.closes && d.agreement()(d.chain.net.value, d.chain.vat.value) {
			return
		}
	}
	d.amounts, d.chain = before, chain
}

// isSigned tells whether an amount of a recognised page is one of the signed totals.
func (d *document) isSigned(a *amount) bool {
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

// hasSign tells whether one of the signed totals is read with a sign.
func (d *document) hasSign(amounts []amount, sign int64) bool {
	for i := range amounts {
		if amounts[i].value*sign > 0 && d.isSigned(&amounts[i]) {
			return true
		}
	}
	return false
}
