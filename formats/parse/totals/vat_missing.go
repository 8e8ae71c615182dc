package totals

import (
	"slices"

	"einvoice/formats/parse/candidate"
)

// withMissing completes a breakdown of which one group was not read, or with a wrong digit:
// what the others leave of the totals (BR-CO-14, the bases with the net total) has to be
// base and tax at a printed rate (BR-CO-17), one of both has to be printed, and there has
// to be one way only.
func (d *draft) withMissing(rows []candidate.VatRow) (completed []candidate.VatRow) {
	distinct := slices.DeleteFunc(distinctRows(rows), func(r candidate.VatRow) bool { return !r.Base.Known })
	rates := d.rates()
	if d.rateWords(0) != nil {
		rates = append(rates, 0)
	}
	for set := 1; set < 1<<len(distinct); set++ {
		var chosen []candidate.VatRow
		base, tax := d.Chain.Net.Value, d.Chain.Vat.Value
		for i := range distinct {
			if set>>i&1 == 1 {
				chosen = append(chosen, distinct[i])
				base, tax = base-distinct[i].Base.Value, tax-distinct[i].Tax.Value
			}
		}
		if len(chosen) >= MaxTogether || RepeatsRate(chosen) || base == 0 {
			continue
		}
		for _, rate := range rates {
			missing := candidate.VatRow{Base: d.totalWith(base), Tax: d.totalWith(tax), Rate: rate, Printed: d.rateWords(rate)}
			if !candidate.IsTax(tax, base, rate, candidate.Cent) || missing.Base.From == nil && missing.Tax.From == nil || RepeatsRate(append(chosen, missing)) {
				continue
			}
			if completed != nil {
				return nil
			}
			completed = append(slices.Clone(chosen), missing)
		}
	}
	return completed
}

// totalWith is a value where it is printed, or else computed.
func (d *draft) totalWith(value int64) candidate.Total {
	return candidate.Total{Value: value, From: d.withValue(value), Known: true}
}
