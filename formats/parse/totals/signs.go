package totals

import (
	"einvoice/formats/parse/candidate"
)

// agreement reports whether a VAT belongs to a net total: a printed rate leads from one to
// the other, or both are the sums of groups of the breakdown, or of taxes with rates
// (BR-CO-14, BR-CO-17), or there is none, and the lines add up to the net total.
func (d *draft) agreement() func(net, vat int64) bool {
	rates, taxes, breakdowns := d.rates(), d.sumsOfTaxes(), d.breakdowns()
	lines := d.LineSum()
	return func(net, vat int64) bool {
		return vat == 0 && net == lines || hasRate(rates, net, vat) || taxes[vat] || breakdowns[[2]int64{net, vat}]
	}
}

// signed are the totals that have one sign in an invoice.
var signed = []string{"lineTotal", "net", "vat", "gross", "due"}

// sameSigns gives the totals of recognised pages one sign, the one that more of them have,
// where they do not close as they are: a minus is a short line, which is taken for dirt, or
// dirt for it. Only where they close then, the signs stay.
func (d *draft) sameSigns() {
	if d.Chain.Closes && d.agreement()(d.Chain.Net.Value, d.Chain.Vat.Value) || d.asRead {
		return
	}
	sign, votes := int64(-1), 0
	for i := range d.Amounts {
		switch a := &d.Amounts[i]; {
		case a.Value > 0 && d.isSigned(a):
			votes++
		case a.Value < 0 && d.isSigned(a):
			votes--
		}
	}
	if votes > 0 {
		sign = 1
	}
	before, chain := d.Amounts, d.Chain
	d.Amounts = nil
	for _, a := range before {
		if value := sign * candidate.Abs(a.Value); value != a.Value && d.isSigned(&a) {
			a.ReadAs, a.Value = candidate.AmountText(a.Value), value
		}
		d.Amounts = append(d.Amounts, a)
	}
	d.solve()
	c := &d.Chain
	named := c.Net.From != nil && c.Vat.From != nil && c.Gross.From != nil &&
		c.Net.From.Labels["net"] > 0.5 && c.Vat.From.Labels["vat"] > 0.5 && c.Gross.From.Labels["gross"] > 0.5
	if !c.Closes || !named && !d.agreement()(c.Net.Value, c.Vat.Value) {
		d.Amounts, d.Chain = before, chain
	}
}

// isSigned reports whether an amount of a recognised page is one of the signed totals.
func (d *draft) isSigned(a *candidate.Amount) bool {
	if !d.Layout.Pages[a.Row.Page-1].Recognised {
		return false
	}
	for _, field := range signed {
		if a.Labels[field] > 0.5 {
			return true
		}
	}
	return false
}
