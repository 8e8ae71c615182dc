package totals

import (
	"einvoice/formats/parse/candidate"
)

// NetsOfGross are the amounts without VAT of lines whose printed amounts contain it, where each
// line has a rate and they come to the sum of the lines; nil elsewhere.
func (d *Totals) NetsOfGross() []int64 {
	if !d.GrossLines || !d.Chain.LineTotal.Known {
		return nil
	}
	nets, sum := make([]int64, len(d.Lines)), int64(0)
	for i := range d.Lines {
		rate, known := d.Lines[i].Numbers["vatRate"].Value, false
		if _, known = d.Lines[i].Numbers["vatRate"]; !known && len(d.Vat) == 1 {
			rate, known = d.Vat[0].Rate, true
		}
		if !known {
			return nil
		}
		nets[i] = WithoutVat(d.Lines[i].Numbers["lineNet"].Value, rate)
		sum += nets[i]
	}
	if sum != d.Chain.LineTotal.Value {
		return nil
	}
	return nets
}

// WithoutVat is an amount without the VAT that it contains, to the cent.
func WithoutVat(gross, rate int64) int64 { return baseOf(gross, 100*candidate.UnitsPerOne+rate) }
