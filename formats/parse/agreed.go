package parse

import (
	"slices"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/totals"
)

// agreed is the confidence at least of a value that the rules and the ranker find independently. Of 84 such values of 204
// invoices that were written after this, one was wrong (docs/adr/0060-second-opinion.md).
const agreed = 0.96

// isAgreed reports whether two witnesses, neither of which is sure alone, agree on a value: the scorer finds it likely,
// nothing limits it, and the ranker finds it clearly better than each other candidate of the pages.
func (b *builder) isAgreed(pointer string, f *Field, most float64) bool {
	const likely = 0.9
	switch groupOf(pointer) {
	case "number", "deliveryDate", "seller":
		return f.uncalibrated >= likely && most == 1 && f.second.isFor()
	case "total":
		return most == 1 && b.isTotalAgreed(pointer, f)
	}
	return false
}

// isTotalAgreed reports whether the ranker and a label agree on the total with VAT, or on what is due, that no sum proves,
// as on the amount of an invoice that prints no other, that no sum contradicts it, and that no other amount has such a label.
// A net total may be that of one rate.
func (b *builder) isTotalAgreed(pointer string, f *Field) bool {
	const labelled = 0.5
	c := &b.document.Chain
	total := c.Due
	switch pointer {
	case totalsAt + "amountDueForPayment":
	case totalsAt + "totalAmountWithVat":
		total = c.Gross
	default:
		return false
	}
	isLabelled := func(a *candidate.Amount) bool { return max(a.Labels["gross"], a.Labels["due"]) > labelled }
	hasRival := slices.ContainsFunc(b.document.Amounts, func(a candidate.Amount) bool { return isLabelled(&a) && a.Value != total.Value })
	return f.second.isFor() && total.From != nil && isLabelled(total.From) && !hasRival && !c.Unproved && !isContradicted(c)
}

// isContradicted reports whether all of net total, VAT and total with VAT are known, and do not add up.
func isContradicted(c *totals.Chain) bool {
	return c.Net.Known && c.Vat.Known && c.Gross.Known && c.Net.Value+c.Vat.Value != c.Gross.Value
}
