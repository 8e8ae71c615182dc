package totals

import (
	"einvoice/formats/parse/candidate"
)

// maxExchanged bounds the amounts in which digits are exchanged, those with the best
// labels first.
const maxExchanged = 12

// exchangeDigits looks for one amount that was recognised wrong where the totals do not
// close: net + VAT = gross over labelled amounts with the VAT that a printed rate or the
// breakdown gives (BR-CO-14, -15, -17). It is taken to be what another reading of the page
// has, or else what one digit makes of it that looks like another, if that closes them in
// exactly one way; or any other digit, if the lines add up to the net total then as well:
// the invoice itself may be wrong.
func (d *draft) exchangeDigits() {
	if d.Chain.Closes || d.asRead {
		return
	}
	agrees, lines := d.agreement(), d.LineSum()
	withLines := func(net, vat int64) bool { return net == lines && agrees(net, vat) }
	_ = d.exchange(func(a *candidate.Amount) []int64 { return d.OtherReadings(&a.Number) }, agrees) ||
		d.exchange(d.alike, agrees) || d.exchange(d.anyDigit, withLines)
}

// exchange takes another value for one of the labelled amounts, where one closes the totals.
func (d *draft) exchange(values func(*candidate.Amount) []int64, agrees func(net, vat int64) bool) bool {
	nets, taxes, grosses := d.labelled("net"), d.labelled("vat"), d.labelled("gross")
	type exchange struct {
		of    *candidate.Amount
		value int64
	}
	found := map[exchange]bool{}
	try := func(net, vat, gross int64, x exchange) {
		if net != 0 && net+vat == gross && agrees(net, vat) {
			found[x] = true
		}
	}
	for _, n := range nets {
		for _, v := range taxes {
			for _, g := range grosses {
				if n == v || v == g || n == g {
					continue
				}
				for _, value := range values(n) {
					try(value, v.Value, g.Value, exchange{n, value})
				}
				for _, value := range values(v) {
					try(n.Value, value, g.Value, exchange{v, value})
				}
				for _, value := range values(g) {
					try(n.Value, v.Value, value, exchange{g, value})
				}
			}
		}
	}
	if len(found) != 1 {
		return false
	}
	for x := range found {
		x.of.ReadAs, x.of.Value = candidate.AmountText(x.of.Value), x.value
	}
	d.solve()
	return true
}

// labelled are recognised amounts with the label of a total.
func (d *draft) labelled(field string) (found []*candidate.Amount) {
	for i := range d.Amounts {
		if a := &d.Amounts[i]; a.Labels[field] > 0.5 && len(found) < maxExchanged {
			found = append(found, a)
		}
	}
	return found
}

// alike are the values that an amount of a recognised page has with one digit exchanged for
// one that looks alike.
func (d *draft) alike(a *candidate.Amount) (values []int64) {
	if !d.Layout.Pages[a.Row.Page-1].Recognised || a.Decimals > 2 {
		return nil
	}
	return candidate.LikeValues(&a.Number)
}

// anyDigit are the values that an amount of a recognised page has with one digit exchanged
// for any other.
func (d *draft) anyDigit(a *candidate.Amount) (values []int64) {
	if !d.Layout.Pages[a.Row.Page-1].Recognised || a.Decimals > 2 {
		return nil
	}
	return candidate.WithDigits(&a.Number, func(int64) []int64 { return []int64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9} })
}
