package totals

import (
	"maps"
	"math"
	"math/bits"
	"slices"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// A Chain are the totals of the invoice (BG-22).
type Chain struct {
	LineTotal, Allowance, Charge, Net, Vat, Gross, Paid, Rounding, Due candidate.Total

	Closes bool // net + VAT = gross over printed amounts: three, or two and no VAT, or those of groups
	// Unproved tells that what is due, or what was paid, does not follow from amounts that are printed.
	Unproved bool
	// PaidUnsaid and DueUnsaid tell that the arithmetic alone says what was paid, or is due, and no label.
	PaidUnsaid, DueUnsaid bool
	score                 float64
}

// Named are the totals by the names of their terms.
func (c *Chain) Named() map[string]candidate.Total {
	return map[string]candidate.Total{
		"roundingAmount": c.Rounding, "sumOfLineNetAmounts": c.LineTotal, "sumOfAllowances": c.Allowance, "sumOfCharges": c.Charge,
		"totalAmountWithoutVat": c.Net, "taxTotalAmount": c.Vat, "totalAmountWithVat": c.Gross, "paidAmount": c.Paid, "amountDueForPayment": c.Due,
	}
}

// solve chooses the totals together: BR-CO-15 (net + VAT = gross) over all printed
// amounts, then BR-CO-13 and BR-CO-16 around them.
func (d *draft) solve() {
	if d.byLabels {
		d.Chain = d.labelledChain()
		return
	}
	byValue := map[int64]*candidate.Amount{}
	for i := range d.Amounts {
		a := &d.Amounts[i]
		if have := byValue[a.Value]; have == nil || labelSum(a) >= labelSum(have) {
			byValue[a.Value] = a
		}
	}
	rates := d.rates()
	taxes := d.sumsOfTaxes()
	lineSum := d.LineSum()
	breakdowns := d.breakdowns()
	adjustments := d.adjustments()
	leastVat := d.largestTax()
	isTaxed := leastVat > 0
	named, untaxed := false, d.saysUntaxed() && !isTaxed
	least := int64(0) // of the amounts with a label of a total: one without is none if each that has one is larger
	for i := range d.Amounts {
		a := &d.Amounts[i]
		if !isTotal(a) {
			continue
		}
		named = true
		if value := candidate.Abs(a.Value); value != 0 && (least == 0 || value < least) {
			least = value
		}
	}
	largestNet, called := d.largestNet(lineSum), d.calledTotals(lineSum)
	best, largest := Chain{}, Chain{} // largest is of those that add up with VAT
	for _, net := range d.Amounts {
		for _, gross := range d.Amounts {
			vat := gross.Value - net.Value
			if net.Value == 0 || !canBeVat(vat, net.Value) || !isTotal(&gross) && (vat == 0 && named || candidate.Abs(gross.Value) < least) {
				continue
			}
			tax := byValue[vat]
			isSum := breakdowns[[2]int64{net.Value, vat}]
			isTax := !adjustments[vat]
			if tax == nil && vat != 0 && !taxes[vat] && !isSum || !isTax && !taxes[vat] && !isSum {
				continue
			}
			c := scoredChain(&net, tax, &gross, vat, rates, lineSum)
			// Every amount is itself and no VAT, and any amount between two others may be anything.
			isVat, isRated := isTax && tax != nil && tax.Labels["vat"] > 0.5 && candidate.Abs(vat) >= leastVat, vat != 0 && (taxes[vat] || isTax && hasRate(rates, net.Value, vat))
			c.Closes = isVat || isRated || isSum && vat != 0 || vat == 0 && (net.Value == lineSum && !isTaxed || untaxed)
			if vat == 0 && (candidate.Abs(net.Value) < largestNet && !d.isLedTo(&net, largestNet) || d.isReduced(&gross) || len(called) > 0 && !called[net.Value]) {
				c.Closes = false
				c.score -= lexicon.Weigh().Chain.Unrated
			}
			switch {
			case isSum:
				c.score += lexicon.Weigh().Chain.Groups
			case vat != 0 && (len(rates) > 0 && !isRated || !c.Closes), vat == 0 && isTaxed:
				c.score -= lexicon.Weigh().Chain.Unrated
			}
			n, g := net, gross
			c.Net.From, c.Gross.From = &n, &g
			if c.score > best.score {
				best = c
			}
			if vat != 0 && (isVat || isRated || isSum) && candidate.Abs(c.Gross.Value) > candidate.Abs(largest.Gross.Value) {
				largest = c
			}
		}
	}
	if c := d.sumOfGroups(breakdowns, byValue, lineSum); c.score > best.score {
		best = c
	}
	if best.Closes && candidate.Abs(largest.Gross.Value) > candidate.Abs(best.Gross.Value) && !best.isInOther(&largest) {
		best = d.orLargest(best, largest)
	}
	if best.Closes && (d.isOneGroup(&best) || d.hasLargerTotal(&best)) {
		best.Closes = false
	}
	if best.score < lexicon.Weigh().Chain.Enough {
		best = d.labelledChain()
		if a := d.best("lineTotal"); untaxed && !best.Net.Known && !best.Vat.Known && !best.Gross.Known && a != nil {
			best.Gross = candidate.Total{Value: a.Value, From: a, Known: true} // nothing follows the sum of the lines
		}
		best.takeWithoutVat(lineSum, len(rates) > 0)
	}
	d.Chain = best
	d.completeChain(lineSum)
}

// isInOther reports whether totals are in another currency, beside the one of the lines.
func (c *Chain) isInOther(other *Chain) bool {
	if c.Gross.From == nil || other.Gross.From == nil {
		return false
	}
	a, b := c.Gross.From.Currency, other.Gross.From.Currency
	return a != "" && b != "" && a != b
}

// adjustments are the amounts that are printed as an allowance or a charge, with a better label than any for VAT: their
// percentage, or those of several together, lead to them from the sum of the lines, and on to the total, as a rate of VAT does.
func (d *draft) adjustments() map[int64]bool {
	adjusts, taxes := map[int64]float64{}, map[int64]float64{}
	for i := range d.Amounts {
		a := &d.Amounts[i]
		adjusts[a.Value] = max(adjusts[a.Value], a.Labels["allowance"], a.Labels["charge"])
		taxes[a.Value] = max(taxes[a.Value], a.Labels["vat"]) // also where it stands below the head of a column by chance
	}
	found := map[int64]bool{}
	for value, label := range adjusts {
		found[value] = label >= isLabelled && label > taxes[value]
	}
	return found
}

// largestTax is the largest tax of the rows in which a base, a rate and a tax agree, without its sign: the VAT is no less.
func (d *draft) largestTax() (largest int64) {
	for _, r := range d.vatRows() {
		if r.Base.Known {
			largest = max(largest, candidate.Abs(r.Tax.Value))
		}
	}
	return largest
}

// largestNet is the largest amount that the lines come to, or that has the label of that or of a net total, without its
// sign: a VAT of 0 proves nothing of a smaller one, which may be what is left of it.
func (d *draft) largestNet(lineSum int64) (largest int64) {
	for i := range d.Amounts {
		if a := &d.Amounts[i]; a.Labels["net"] > 0.5 || a.Labels["lineTotal"] > 0.5 || a.Value == lineSum {
			largest = max(largest, candidate.Abs(a.Value))
		}
	}
	return largest
}

// calledTotals are the amounts that a label calls a total, and the sum of the lines where it is printed: what is due may be
// more, where something is due from before.
func (d *draft) calledTotals(lineSum int64) map[int64]bool {
	called := map[int64]bool{}
	for i := range d.Amounts {
		a := &d.Amounts[i]
		if max(a.Labels["net"], a.Labels["lineTotal"], a.Labels["gross"]) >= isLabelled || a.Value == lineSum {
			called[a.Value] = true
		}
	}
	return called
}

// orLargest decides between totals that add up and larger ones that do too, with VAT: the smaller ones are a part of the
// larger, such as what one rate comes to, where nothing calls them the total or their VAT of 0 proves nothing. Otherwise
// either may be meant.
func (d *draft) orLargest(best, largest Chain) Chain {
	if best.Vat.Value == 0 || !isTotal(best.Gross.From) || isTotal(largest.Gross.From) {
		return largest
	}
	best.Closes = false
	return best
}

// hasLargerTotal reports whether an amount that begins its row with the label of a total with VAT is larger than that of
// totals that add up: something without VAT, such as a tax on guests, may be in it.
func (d *draft) hasLargerTotal(c *Chain) bool {
	return slices.ContainsFunc(d.Amounts, func(a candidate.Amount) bool {
		hits := a.Row.Find(&lexicon.Words().Totals)
		begins := len(hits) > 0 && hits[0].First == 0 && hits[0].Field == "gross"
		return begins && a.Labels["gross"] > 0.5 && candidate.Abs(a.Value) > candidate.Abs(c.Gross.Value)
	})
}

// isLedTo reports whether allowances and charges that are printed between the sum of the lines and a net total lead from the
// one to the other: what is left of the larger amount is the total then.
func (d *draft) isLedTo(net *candidate.Amount, largest int64) bool {
	return slices.ContainsFunc(d.Amounts, func(sum candidate.Amount) bool {
		if candidate.Abs(sum.Value) != largest || sum.Labels["lineTotal"] < isLabelled || sum.Row.Index > net.Row.Index {
			return false
		}
		between := slices.DeleteFunc(d.steps(candidate.Total{}, net.Value), func(s step) bool {
			return s.from.Row.Index < sum.Row.Index || s.from.Row.Index > net.Row.Index
		})
		return leadingTo(between, sum.Value, net.Value) != 0
	})
}

// isReduced reports whether an amount is nothing but the sum of the lines, here or elsewhere, such as the base of an allowance,
// and an allowance or a charge is below that: a VAT of 0 does not prove that it is the total too.
func (d *draft) isReduced(a *candidate.Amount) bool {
	return !isTotal(a) && slices.ContainsFunc(d.Amounts, func(sum candidate.Amount) bool {
		isSum := sum.Value == a.Value && sum.Labels["lineTotal"] >= isLabelled && !isTotal(&sum)
		return isSum && slices.ContainsFunc(d.Amounts, func(other candidate.Amount) bool {
			return other.Row.Index > sum.Row.Index && other.Value != 0 && max(other.Labels["allowance"], other.Labels["charge"]) >= isLabelled
		})
	})
}

// isTotal reports whether an amount has the label of a gross total or of what is due.
func isTotal(a *candidate.Amount) bool { return max(a.Labels["gross"], a.Labels["due"]) > 0.5 }

// isOneGroup reports whether totals without a label are those of one rate, and the page has another rate: they are a
// part.
func (d *draft) isOneGroup(c *Chain) bool {
	rows := distinctRows(d.vatRows())
	isOfRow := slices.ContainsFunc(rows, func(r candidate.VatRow) bool { // the label is that of a column
		return r.Tax.From != nil && c.Gross.From != nil && r.Tax.From.Row == c.Gross.From.Row
	})
	if c.Gross.From == nil || isTotal(c.Gross.From) && !isOfRow {
		return false
	}
	at := slices.IndexFunc(rows, func(r candidate.VatRow) bool {
		return r.Base.Known && r.Base.Value == c.Net.Value && r.Tax.Value == c.Vat.Value
	})
	return at >= 0 && slices.ContainsFunc(rows, func(r candidate.VatRow) bool { return r.Base.Known && r.Base.Value != 0 && r.Rate != rows[at].Rate })
}

// saysUntaxed reports whether a rate of 0 or the reason for no VAT is printed.
func (d *draft) saysUntaxed() bool {
	return d.rateWords(0) != nil || slices.ContainsFunc(d.Layout.Rows, func(r *layout.Row) bool { return len(r.Find(&lexicon.Words().Exemptions)) > 0 })
}

// canBeVat reports whether an amount is not too much to be the VAT of a net total.
func canBeVat(vat, net int64) bool {
	return (vat == 0 || vat > 0 == (net > 0)) && candidate.Abs(vat)*3 <= candidate.Abs(net)
}

// canBeTax reports whether an amount can be the VAT of a net total, and is printed as no allowance or charge.
func (d *draft) canBeTax(vat, net int64) bool { return canBeVat(vat, net) && !d.adjustments()[vat] }

// sumOfGroups are the totals of an invoice that prints the groups of the breakdown and what
// they come to, and no net total: it is the sum of the bases.
func (d *draft) sumOfGroups(breakdowns map[[2]int64]bool, byValue map[int64]*candidate.Amount, lineSum int64) (best Chain) {
	for _, sums := range slices.SortedFunc(maps.Keys(breakdowns), func(a, b [2]int64) int { return slices.Compare(a[:], b[:]) }) {
		net, vat := sums[0], sums[1]
		gross := byValue[net+vat]
		if gross == nil || byValue[net] != nil {
			continue
		}
		c := Chain{Net: candidate.Total{Value: net, Known: true}, Vat: candidate.Total{Value: vat, From: byValue[vat], Known: true}, Gross: candidate.Total{Value: gross.Value, From: gross, Known: true}, Closes: true}
		c.score = role(gross, "gross", "due") + lexicon.Weigh().Chain.Taxes + lexicon.Weigh().Chain.Groups
		if lineSum == net {
			c.score += lexicon.Weigh().Chain.Lines
		}
		if c.score >= best.score { // more groups come to more
			best = c
		}
	}
	return best
}

// maxTaxes is how many amounts with a label for VAT are tried together.
const maxTaxes = 8

// sumsOfTaxes are the sums of two and more amounts with a label for VAT, where each has
// a rate of its own beside or above it.
func (d *draft) sumsOfTaxes() map[int64]bool {
	var taxes []int64
	seen, adjustments := map[int64]bool{}, d.adjustments()
	for i := range d.Amounts {
		a := &d.Amounts[i]
		if a.Labels["vat"] < 0.5 || a.Value == 0 || adjustments[a.Value] || len(taxes) == maxTaxes {
			continue
		}
		if rate, ok := d.rateOf(a); ok && !seen[rate] {
			seen[rate] = true
			taxes = append(taxes, a.Value)
		}
	}
	sums := map[int64]bool{}
	for set := 1; set < 1<<len(taxes); set++ {
		sum := int64(0)
		for i, tax := range taxes {
			if set>>i&1 == 1 {
				sum += tax
			}
		}
		if bits.OnesCount(uint(set)) > 1 {
			sums[sum] = true
		}
	}
	return sums
}

// rateOf is the rate of VAT that is printed to the left of an amount, or in the label
// above it.
func (d *draft) rateOf(a *candidate.Amount) (int64, bool) {
	if rate, ok := d.rateIn(a.Row.Words, a.Words[0].Box.Left); ok {
		return rate, true
	}
	right := a.Words[len(a.Words)-1].Box.Right
	for i := a.Row.Index - 1; i >= 0 && i >= a.Row.Index-2 && d.Layout.Rows[i].Page == a.Row.Page; i-- {
		for j := range d.Layout.Rows[i].Cells {
			if c := &d.Layout.Rows[i].Cells[j]; math.Abs(c.Right-right) < 4 || c.Left < right && c.Right > a.Words[0].Box.Left {
				return d.rateIn(c.Words(), c.Right+1)
			}
		}
	}
	return 0, false
}

// rateIn is the last percentage that begins to the left of a place.
func (d *draft) rateIn(of []*layout.Word, left float64) (rate int64, ok bool) {
	for _, n := range d.Notation.All(of) {
		if n.Words[0].Box.Left < left && n.Percent && n.Value > 0 {
			rate, ok = n.Value, true
		}
	}
	return rate, ok
}

// breakdowns are the sums of bases and taxes of every two and more rows with different
// rates in which base, rate and tax agree (BR-CO-14, BR-CO-17).
func (d *draft) breakdowns() map[[2]int64]bool {
	rows := distinctRows(d.vatRows())
	rows = slices.DeleteFunc(rows, func(r candidate.VatRow) bool { return !r.Base.Known })
	sums := map[[2]int64]bool{}
	for set := 1; set < 1<<len(rows); set++ {
		var chosen []candidate.VatRow
		sum := [2]int64{}
		for i := range rows {
			if set>>i&1 == 1 {
				chosen = append(chosen, rows[i])
				sum[0], sum[1] = sum[0]+rows[i].Base.Value, sum[1]+rows[i].Tax.Value
			}
		}
		if len(chosen) > 1 && len(chosen) <= MaxTogether && !RepeatsRate(chosen) {
			sums[sum] = true
		}
	}
	return sums
}

func labelSum(a *candidate.Amount) (sum float64) {
	for _, s := range a.Labels {
		sum += s
	}
	return sum
}

func scoredChain(net, tax, gross *candidate.Amount, vat int64, rates []int64, lineSum int64) Chain {
	w := &lexicon.Weigh().Chain
	c := Chain{Net: candidate.Total{Value: net.Value, From: net, Known: true}, Vat: candidate.Total{Value: vat, From: tax, Known: true}, Gross: candidate.Total{Value: gross.Value, From: gross, Known: true}, Closes: true}
	c.score = role(net, "net", "lineTotal") + role(gross, "gross", "due")
	if tax != nil {
		c.score += role(tax, "vat", "vat")
	} else if vat != 0 { // the sum of several taxes
		c.score += w.Taxes
	}
	if lineSum != 0 && lineSum == net.Value {
		c.score += w.Lines
	}
	if vat == 0 {
		if tax == nil || tax.Labels["vat"] == 0 { // that there is no VAT is not printed
			c.score -= w.Untaxed
		}
		return c
	}
	if hasRate(rates, net.Value, vat) {
		c.score += w.Rate
		return c
	}
	if tax != nil && tax.Labels["vat"] == 0 && max(tax.Labels["charge"], tax.Labels["allowance"], tax.Labels["paid"]) > 0.5 {
		c.score -= w.Other // a difference of two amounts, but none that is VAT
	}
	return c
}

// hasRate reports whether one of some rates leads from a base to a tax.
func hasRate(rates []int64, base, tax int64) bool {
	return slices.ContainsFunc(rates, func(rate int64) bool { return candidate.IsTax(tax, base, rate, 2*candidate.Cent) })
}

// role is how well an amount fits a field, by its labels; another field's label is
// nearly as good, and a label of a third one speaks against it.
func role(a *candidate.Amount, field, near string) float64 {
	w := &lexicon.Weigh().Chain
	s := max(a.Labels[field], w.Near*a.Labels[near])
	for other, score := range a.Labels {
		if other != field && other != near && score > s {
			s -= w.Against * (score - s)
		}
	}
	return s
}

// rates are the percentages that are printed and can be rates of VAT.
func (d *draft) rates() []int64 {
	seen := map[int64]bool{}
	var rates []int64
	add := func(v int64) {
		if v > 0 && v <= 30*candidate.UnitsPerOne && !seen[v] && len(rates) < 20 {
			seen[v] = true
			rates = append(rates, v)
		}
	}
	for i := range d.Lines {
		if n, ok := d.Lines[i].Numbers["vatRate"]; ok {
			add(n.Value)
		}
	}
	for _, r := range d.Layout.Rows {
		numbers := d.NumbersOf(r)
		own := d.ownRate(r, numbers)
		for i := range numbers {
			if n := &numbers[i]; n.Percent && n != own {
				add(n.Value)
			}
		}
	}
	return rates
}

// LineSum is what the amounts of the lines come to.
func (d *Totals) LineSum() (sum int64) {
	for i := range d.Lines {
		sum += d.Lines[i].Numbers["lineNet"].Value
	}
	return sum
}

// labelledChain takes the amounts with the best labels where no three add up, and
// computes the third where two are known.
func (d *draft) labelledChain() Chain {
	take := func(field string) candidate.Total {
		a := d.best(field)
		if a == nil {
			return candidate.Total{}
		}
		for other, score := range a.Labels { // it is that of the field whose label is the best
			if other != field && score > a.Labels[field] && (other == "net" || other == "vat" || other == "gross") {
				return candidate.Total{}
			}
		}
		return candidate.Total{Value: a.Value, From: a, Known: true}
	}
	c := Chain{Net: take("net"), Vat: take("vat"), Gross: take("gross")}
	isVat := c.Net.Known && c.Vat.Known && (hasRate(d.rates(), c.Net.Value, c.Vat.Value) || d.sumsOfTaxes()[c.Vat.Value])
	if !c.Gross.Known && !isVat {
		c.Gross = take("due")
	}
	switch {
	case c.Net.Known && c.Vat.Known && !c.Gross.Known:
		c.Gross = candidate.Total{Value: c.Net.Value + c.Vat.Value, Known: true}
	case c.Gross.Known && c.Vat.Known && !c.Net.Known:
		c.Net = candidate.Total{Value: c.Gross.Value - c.Vat.Value, Known: true}
	case c.Gross.Known && c.Net.Known && !c.Vat.Known && d.canBeTax(c.Gross.Value-c.Net.Value, c.Net.Value):
		c.Vat = candidate.Total{Value: c.Gross.Value - c.Net.Value, Known: true}
	}
	c.Closes = c.Net.Known && c.Vat.Known && c.Gross.Known && c.Net.Value+c.Vat.Value == c.Gross.Value && canBeVat(c.Vat.Value, c.Net.Value) &&
		c.Net.From != nil && c.Vat.From != nil && c.Gross.From != nil
	return c
}

// takeWithoutVat computes the net total and the VAT of an invoice that prints one total, to
// which its lines add up, and no rate of VAT.
func (c *Chain) takeWithoutVat(lineSum int64, hasRates bool) {
	if hasRates || !c.Gross.Known || c.Net.Known || c.Vat.Known || lineSum != c.Gross.Value {
		return
	}
	c.Net, c.Vat = candidate.Total{Value: c.Gross.Value, Known: true}, candidate.Total{Known: true}
}

func (d *draft) prints(value int64) bool { return d.withValue(value) != nil }

func (d *draft) withValue(value int64) *candidate.Amount {
	for i := range d.Amounts {
		if d.Amounts[i].Value == value {
			return &d.Amounts[i]
		}
	}
	return nil
}
