package totals

import (
	"slices"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/lines"
)

// DueContradicted reports whether what is due is not what the payments of the pages leave of the total.
func (t *Totals) DueContradicted() bool {
	c := &t.Chain
	if !c.Due.Known || !c.Gross.Known {
		return false
	}
	left := c.Gross.Value - c.Paid.Value + c.Rounding.Value
	return c.Due.Value != left && !t.IsWithheld(left-c.Due.Value) || t.hasOtherPayment()
}

// hasOtherPayment reports whether rows between the total and what is due have payments that do not come to what was paid:
// the amount that was read as such alone, its parts, or both.
func (t *Totals) hasOtherPayment() bool {
	c := &t.Chain
	if c.Gross.From == nil || c.Due.From == nil || c.Due.From.Row.Page != c.Gross.From.Row.Page {
		return false
	}
	sum, last := int64(0), -1
	for _, a := range slices.Backward(t.Amounts) { // the last of a row: the net and the VAT of a payment may be before it
		isBetween := a.Row.Index > c.Gross.From.Row.Index && a.Row.Index < c.Due.From.Row.Index
		if isBetween && a.Row.Index != last && a.Labels["paid"] >= isLabelled && a.Labels["paid"] > a.Labels["due"] && a.Labels["paid"] > a.Labels["withheld"] {
			sum, last = sum+candidate.Abs(a.Value), a.Row.Index
		}
	}
	paid := candidate.Abs(c.Paid.Value)
	return sum != 0 && sum != paid && sum != 2*paid
}

// roundedTax is by how much a tax may miss the share of its base: it may be the sum of the rounded taxes of lines, or be
// rounded to whole units, as in currencies without cents.
func (t *Totals) roundedTax(base, tax int64) int64 {
	off := candidate.Cent + int64(len(t.Lines))*candidate.Cent/2
	if base%candidate.UnitsPerOne == 0 && tax%candidate.UnitsPerOne == 0 && tax != 0 {
		off = max(off, candidate.UnitsPerOne/2)
	}
	return off
}

// TaxContradicted reports whether a group of the VAT breakdown has a tax that is not the rate of its base, and the tax that
// would be.
func (t *Totals) TaxContradicted(group *candidate.VatRow) (tax int64, is bool) {
	if !group.Base.Known || !group.Tax.Known || group.Category.Value == "" && len(group.Printed) == 0 {
		return 0, false
	}
	tax = candidate.Share(group.Base.Value, group.Rate)
	return tax, candidate.Abs(tax-group.Tax.Value) > t.roundedTax(group.Base.Value, group.Tax.Value)
}

// BasesContradicted reports whether the groups of the VAT breakdown of which no base is printed, with what their taxes
// are a share of, do not come to the net total. Where something is said to be untaxed, they may come to less.
func (t *Totals) BasesContradicted(isUntaxed bool) bool {
	sum, off := int64(0), int64(0)
	for i := range t.Vat {
		g := &t.Vat[i]
		switch {
		case g.Base.Known:
			sum += g.Base.Value
		case g.Rate == 0 || !g.Tax.Known:
			return false
		default:
			sum += baseOf(g.Tax.Value, g.Rate)
			off += candidate.Cent + baseOf(t.roundedTax(1, g.Tax.Value), g.Rate)
		}
	}
	rest := candidate.Abs(t.Chain.Net.Value) - candidate.Abs(sum)
	return off > 0 && t.Chain.Net.Known && (rest < -off || rest > off && !isUntaxed)
}

// ratedLines are the sums of lines by their printed rates of VAT, where all have one and nothing but they make the net
// total.
func (t *Totals) ratedLines() (sums map[int64]int64, known bool) {
	c := &t.Chain
	if len(t.Lines) == 0 || t.GrossLines || c.Allowance.Known || c.Charge.Known || !c.Net.Known || t.LineSum() != c.Net.Value {
		return nil, false
	}
	sums = map[int64]int64{}
	for i := range t.Lines {
		rate, has := t.Lines[i].Numbers["vatRate"]
		if !has {
			return nil, false
		}
		sums[rate.Value] += t.Lines[i].Numbers["lineNet"].Value
	}
	return sums, true
}

// RatesContradicted reports whether the lines, by their printed rates of VAT, come to other bases than the VAT breakdown
// has or, where there is none, to another VAT.
func (t *Totals) RatesContradicted() bool {
	sums, known := t.ratedLines()
	if !known || !t.Chain.Vat.Known {
		return false
	}
	if len(t.Vat) == 0 {
		tax := int64(0)
		for rate, sum := range sums {
			tax += candidate.Share(sum, rate)
		}
		return candidate.Abs(tax-t.Chain.Vat.Value) > t.roundedTax(t.Chain.Net.Value, t.Chain.Vat.Value)
	}
	off := int64(len(t.Lines)) * candidate.Cent
	return slices.ContainsFunc(t.Vat, func(g candidate.VatRow) bool {
		return g.Base.Known && candidate.Abs(g.Base.Value-sums[g.Rate]) > off
	})
}

// UnexplainedLine is Unexplained of a line, with the rates of the invoice.
func (t *Totals) UnexplainedLine(l *lines.Line, of candidate.Notation) (product int64, is bool) {
	var rates []int64
	for i := range t.Vat {
		rates = append(rates, t.Vat[i].Rate)
	}
	if rate, has := l.Numbers["vatRate"]; has {
		rates = append(rates, rate.Value)
	}
	return l.Unexplained(of, rates)
}

// OtherSum is an amount among the totals that a label calls the sum of the lines, and that is neither what they come to, nor
// what some of them that follow each other do, nor another total.
func (t *Totals) OtherSum() (value int64, is bool) {
	c := &t.Chain
	if len(t.Lines) == 0 || t.GrossLines || !c.LineTotal.Known || c.Gross.From == nil {
		return 0, false
	}
	last := t.Lines[len(t.Lines)-1].Row
	known := t.otherTotals()
	const most = 40 // amounts that are looked at
	for i := range min(len(t.Amounts), most) {
		a := &t.Amounts[i]
		isBetween := a.Row.Index > last.Index && a.Row.Index < c.Gross.From.Row.Index && a.Row.Page == c.Gross.From.Row.Page
		isSum := a.HasCents() && a.Labels["lineTotal"] >= isLabelled && a.Labels["lineTotal"] > max(a.Labels["net"], a.Labels["gross"], a.Labels["due"], a.Labels["paid"])
		if isBetween && isSum && !known[candidate.Abs(a.Value)] && !t.isSumOfSome(a.Value) {
			return a.Value, true
		}
	}
	return 0, false
}

// otherTotals are the totals and bases without their signs, and what an allowance or a charge makes of a total.
func (t *Totals) otherTotals() map[int64]bool {
	c := &t.Chain
	known := map[int64]bool{0: true}
	for _, total := range c.Named() {
		known[candidate.Abs(total.Value)] = true
	}
	for i := range t.Vat {
		known[candidate.Abs(t.Vat[i].Base.Value)] = true
	}
	for _, from := range []int64{c.LineTotal.Value, c.Net.Value, c.Gross.Value} {
		for _, step := range []int64{c.Allowance.Value, c.Charge.Value} {
			known[candidate.Abs(from+step)], known[candidate.Abs(from-step)] = true, true
		}
	}
	return known
}

// isSumOfSome reports whether lines that follow each other come to an amount, as those of a group or of a page do.
func (t *Totals) isSumOfSome(value int64) bool {
	sum, before := int64(0), map[int64]bool{0: true}
	for i := range t.Lines {
		sum += t.Lines[i].Numbers["lineNet"].Value
		if before[sum-value] {
			return true
		}
		before[sum] = true
	}
	return false
}
