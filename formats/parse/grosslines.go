package parse

import (
	"fmt"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/totals"
)

// putNetOfGross adds the computed amount without VAT of a line, and its price where that leads
// to the amount.
func (d *document) putNetOfGross(b *builder, i int, nets []int64) {
	if nets == nil {
		return
	}
	at := fmt.Sprintf("/lines/%d", i)
	b.compute(at+"/netAmount", candidate.AmountText(nets[i]), exchangedDigit)
	l := &d.Lines[i]
	rate, has := l.Numbers["vatRate"]
	if !has {
		rate.Value = d.Vat[0].Rate
	}
	if printed := l.Numbers["unitPrice"]; candidate.ToCent(candidate.Times(l.Numbers["quantity"].Value, printed.Value)) == nets[i] { // heads differ
		b.put(at+"/price/netPrice", printed.Decimal(), printed.Words, 0.9)
		return
	}
	price := totals.WithoutVat(l.Numbers["unitPrice"].Value, rate.Value)
	if price != 0 && candidate.ToCent(candidate.Times(l.Numbers["quantity"].Value, price)) == nets[i] {
		b.compute(at+"/price/netPrice", candidate.AmountText(price), exchangedDigit)
	}
}
