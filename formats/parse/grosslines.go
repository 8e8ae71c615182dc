package parse

import "fmt"

// netsOfGross are the amounts without VAT of lines whose printed amounts contain it, where each
// line has a rate and they come to the sum of the lines; nil elsewhere.
func (d *totals) netsOfGross() []int64 {
	if !d.grossLines || !d.chain.lineTotal.known {
		return nil
	}
	nets, sum := make([]int64, len(d.lines)), int64(0)
	for i := range d.lines {
		rate, known := d.lines[i].numbers["vatRate"].value, false
		if _, known = d.lines[i].numbers["vatRate"]; !known && len(d.vat) == 1 {
			rate, known = d.vat[0].rate, true
		}
		if !known {
			return nil
		}
		nets[i] = withoutVat(d.lines[i].numbers["lineNet"].value, rate)
		sum += nets[i]
	}
	if sum != d.chain.lineTotal.value {
		return nil
	}
	return nets
}

// withoutVat is an amount without the VAT that it contains, to the cent.
func withoutVat(gross, rate int64) int64 { return baseOf(gross, 100*unitsPerOne+rate) }

// putNetOfGross adds the computed amount without VAT of a line, and its price where that leads
// to the amount.
func (d *document) putNetOfGross(b *builder, i int, nets []int64) {
	if nets == nil {
		return
	}
	at := fmt.Sprintf("/lines/%d", i)
	b.compute(at+"/netAmount", amountText(nets[i]), exchangedDigit)
	l := &d.lines[i]
	rate, has := l.numbers["vatRate"]
	if !has {
		rate.value = d.vat[0].rate
	}
	if printed := l.numbers["unitPrice"]; toCent(times(l.numbers["quantity"].value, printed.value)) == nets[i] { // heads differ
		b.put(at+"/price/netPrice", printed.decimal(), printed.words, 0.9)
		return
	}
	price := withoutVat(l.numbers["unitPrice"].value, rate.value)
	if price != 0 && toCent(times(l.numbers["quantity"].value, price)) == nets[i] {
		b.compute(at+"/price/netPrice", amountText(price), exchangedDigit)
	}
}
