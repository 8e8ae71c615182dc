package parse

import "slices"

// withMissing completes a breakdown of which one group was not read, or with a wrong digit:
// what the others leave of the totals (BR-CO-14, the bases with the net total) has to be
// base and tax at a printed rate (BR-CO-17), one of both has to be printed, and there has
// to be one way only.
func (d *totalsDraft) withMissing(rows []vatRow) (completed []vatRow) {
	distinct := slices.DeleteFunc(distinctRows(rows), func(r vatRow) bool { return !r.base.known })
	rates := d.rates()
	if d.rateWords(0) != nil {
		rates = append(rates, 0)
	}
	for set := 1; set < 1<<len(distinct); set++ {
		var chosen []vatRow
		base, tax := d.chain.net.value, d.chain.vat.value
		for i := range distinct {
			if set>>i&1 == 1 {
				chosen = append(chosen, distinct[i])
				base, tax = base-distinct[i].base.value, tax-distinct[i].tax.value
			}
		}
		if len(chosen) >= maxTogether || repeatsRate(chosen) || base == 0 {
			continue
		}
		for _, rate := range rates {
			missing := vatRow{base: d.totalWith(base), tax: d.totalWith(tax), rate: rate, printed: d.rateWords(rate)}
			if abs(share(base, rate)-tax) > cent || missing.base.from == nil && missing.tax.from == nil || repeatsRate(append(chosen, missing)) {
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
func (d *totalsDraft) totalWith(value int64) total {
	return total{value, d.withValue(value), true}
}
