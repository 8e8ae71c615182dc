package parse

import (
	"slices"
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
func (d *totalsDraft) exchangeDigits() {
	if d.chain.closes || d.asRead {
		return
	}
	agrees, lines := d.agreement(), d.lineSum()
	withLines := func(net, vat int64) bool { return net == lines && agrees(net, vat) }
	_ = d.exchange(func(a *amount) []int64 { return d.otherReadings(&a.number) }, agrees) ||
		d.exchange(d.alike, agrees) || d.exchange(d.anyDigit, withLines)
}

// exchange takes another value for one of the labelled amounts, where one closes the totals.
func (d *totalsDraft) exchange(values func(*amount) []int64, agrees func(net, vat int64) bool) bool {
	nets, taxes, grosses := d.labelled("net"), d.labelled("vat"), d.labelled("gross")
	type exchange struct {
		of    *amount
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
					try(value, v.value, g.value, exchange{n, value})
				}
				for _, value := range values(v) {
					try(n.value, value, g.value, exchange{v, value})
				}
				for _, value := range values(g) {
					try(n.value, v.value, value, exchange{g, value})
				}
			}
		}
	}
	if len(found) != 1 {
		return false
	}
	for x := range found {
		x.of.readAs, x.of.value = amountText(x.of.value), x.value
	}
	d.solve()
	return true
}

// otherReadings are the values of a number with what its words were read as another time.
func (d *pages) otherReadings(n *number) (values []int64) {
	for i, w := range n.words {
		if w.Other == "" {
			continue
		}
		changed := *w
		changed.Text = w.Other
		of := slices.Clone(n.words)
		of[i] = &changed
		if other, used := d.notation.at(of); used == len(of) && other.value != n.value && other.percent == n.percent {
			values = append(values, other.value)
		}
	}
	return values
}

// labelled are recognised amounts with the label of a total.
func (d *totalsDraft) labelled(field string) (found []*amount) {
	for i := range d.amounts {
		if a := &d.amounts[i]; a.labels[field] > 0.5 && len(found) < maxExchanged {
			found = append(found, a)
		}
	}
	return found
}

// alike are the values that an amount of a recognised page has with one digit exchanged for
// one that looks alike.
func (d *totalsDraft) alike(a *amount) (values []int64) {
	if !d.layout.pages[a.row.page-1].Recognised || a.decimals > 2 {
		return nil
	}
	return likeValues(&a.number)
}

// anyDigit are the values that an amount of a recognised page has with one digit exchanged
// for any other.
func (d *totalsDraft) anyDigit(a *amount) (values []int64) {
	if !d.layout.pages[a.row.page-1].Recognised || a.decimals > 2 {
		return nil
	}
	return withDigits(&a.number, func(int64) []int64 { return []int64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9} })
}
