package totals

import (
	"math"
	"slices"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// completeChain finds what is before the net total (BR-CO-13) and after the gross total
// (BR-CO-16).
func (d *draft) completeChain(lineSum int64) {
	c := &d.Chain
	if c.Net.Known {
		d.beforeNet(lineSum)
	}
	if !c.Gross.Known {
		return
	}
	round := d.roundingAmount()
	if due := d.dueAmount(round); due != nil {
		c.Due = candidate.Total{Value: due.Value, From: due, Known: true}
	}
	if c.Due.Known && c.Due.Value == c.Gross.Value {
		d.takeRemainder(d.belowGross())
	}
	if !c.DueUnsaid && !d.takePaid(round) {
		d.takeDifference(round)
	}
	if round != nil && c.Gross.Value-c.Paid.Value+round.Value == c.Due.Value {
		c.Rounding = candidate.Total{Value: round.Value, From: round, Known: true}
	}
}

// takePaid takes the amount with a label for what was paid that leads from the gross
// total to what is due.
func (d *draft) takePaid(round *candidate.Amount) bool {
	c := &d.Chain
	for i := range d.Amounts {
		paid := &d.Amounts[i]
		if paid.Labels["paid"] < 0.5 || paid.Value == 0 || isRather(paid) || d.isPartOf(paid) {
			continue
		}
		value := candidate.Abs(paid.Value)
		if c.Gross.Value < 0 {
			value = -value
		}
		rest := c.Gross.Value - value
		if round != nil && c.Due.Value == rest+round.Value {
			rest += round.Value
		}
		if value > 0 && value > c.Gross.Value && !d.prints(rest) {
			continue
		}
		if !c.Due.Known || c.Due.Value == rest || c.Due.Value == c.Gross.Value && d.prints(rest) && (rest != 0 || d.isNothingDue()) {
			c.Paid = candidate.Total{Value: value, From: paid, Known: true}
			if !c.Due.Known || c.Due.Value != rest {
				c.Due = candidate.Total{Value: rest, From: d.withValue(rest), Known: true}
			}
			// What is left is known where it is printed: what is received may be a refund, or of another invoice.
			c.Unproved = c.Unproved || c.Due.From == nil
			c.DueUnsaid = c.Due.From != nil && c.Due.From.Labels["due"] == 0
			return true
		}
	}
	return false
}

// isRather reports whether the label of another total is nearer to an amount than that of what was paid, which may be the
// head of a section.
func isRather(paid *candidate.Amount) bool {
	return max(paid.Labels["due"], paid.Labels["gross"], paid.Labels["net"], paid.Labels["vat"], paid.Labels["lineTotal"]) > paid.Labels["paid"]
}

// isNothingDue reports whether a zero has a label for what is due. A zero alone, as that of the VAT, does not say that all
// was paid which a label that may also mean something else, as Prepayment invoice, stands before.
func (d *draft) isNothingDue() bool {
	return slices.ContainsFunc(d.Amounts, func(a candidate.Amount) bool { return a.Value == 0 && a.Labels["due"] >= isLabelled })
}

// isPartOf reports whether another amount ends the row of an amount, which explains it, as in 11 x 110.00.
func (d *draft) isPartOf(a *candidate.Amount) bool {
	return slices.ContainsFunc(d.Amounts, func(o candidate.Amount) bool {
		return o.Row == a.Row && o.Words[0].Box.Left > a.Words[len(a.Words)-1].Box.Right && candidate.Abs(o.Value) > candidate.Abs(a.Value)
	})
}

// takeDifference computes what is due, or what was paid: a payment in a table of its own
// has no label beside it, and the amounts close.
func (d *draft) takeDifference(round *candidate.Amount) {
	c := &d.Chain
	if !c.Due.Known {
		below := d.belowGross()
		if d.takeRemainder(below) {
			return
		}
		c.Due = candidate.Total{Value: c.Gross.Value - c.Paid.Value, Known: true}
		c.Unproved = c.Unproved || d.isDeducted(below)
		return
	}
	paid := c.Gross.Value - c.Due.Value
	isPart := paid == c.Net.Value || paid == c.Vat.Value || paid == c.Gross.Value // which is printed for another reason
	if (isPart || !d.prints(paid) && !d.prints(-paid)) && (c.Rounding.Known || round == nil) {
		if candidate.Abs(paid) < candidate.UnitsPerOne {
			c.Rounding = candidate.Total{Value: -paid, Known: paid != 0}
		} else {
			c.Paid, c.Unproved = candidate.Total{Value: paid, Known: true}, true
		}
		return
	}
	a := d.withValue(paid)
	if a == nil { // it is printed with a minus
		a = d.withValue(-paid)
	}
	if a != nil && paid != 0 && paid != c.Vat.Value && paid != c.Net.Value && (round == nil || paid != -round.Value) && !d.IsWithheld(paid) {
		c.Paid, c.PaidUnsaid = candidate.Total{Value: paid, From: a, Known: true}, true
	}
}

// takeRemainder takes what the rows below the gross total leave of it as due.
func (d *draft) takeRemainder(below []*candidate.Amount) bool {
	c := &d.Chain
	paid, due := d.remainder(below)
	if due == nil {
		return false
	}
	c.Due, c.DueUnsaid, c.PaidUnsaid = candidate.Total{Value: due.Value, From: due, Known: true}, due.Labels["due"] == 0, paid.Labels["paid"] == 0
	if !d.IsWithheld(paid.Value) {
		c.Paid = candidate.Total{Value: candidate.Abs(paid.Value), From: paid, Known: true}
	}
	return true
}

// IsWithheld reports whether a label says that an amount is kept back, as a tax or a retention: nobody paid it.
func (t *Totals) IsWithheld(value int64) bool {
	return slices.ContainsFunc(t.Amounts, func(a candidate.Amount) bool {
		return candidate.Abs(a.Value) == candidate.Abs(value) && a.Labels["withheld"] >= isLabelled
	})
}

// isLabelled is what the label of an amount counts at least that decides what it is.
const isLabelled = 0.5

// remainder are two amounts below the gross total, of which the first, taken from the total, leaves the second:
// whatever they are called, one was paid and the other is due. Nil where there are none, or where something else
// goes on below.
func (d *draft) remainder(below []*candidate.Amount) (paid, due *candidate.Amount) {
	c := &d.Chain
	isStep := func(a *candidate.Amount) bool {
		return a.Value != 0 && a.Value != c.Net.Value && a.Value != c.Vat.Value
	}
	for i, a := range below {
		for _, b := range below[i+1:] {
			if isStep(a) && isStep(b) && c.Gross.Value-candidate.Abs(a.Value) == b.Value && b.Labels["paid"] == 0 && !d.goesOnBelow(b) && !d.mentionsRate(a.Row) && !d.mentionsRate(b.Row) {
				return a, b
			}
		}
	}
	return nil, nil
}

// goesOnBelow reports whether another amount that is labelled stands in the rows right below one of what is due.
func (d *draft) goesOnBelow(of *candidate.Amount) bool {
	return slices.ContainsFunc(d.Amounts, func(a candidate.Amount) bool {
		below := a.Row.Index - of.Row.Index
		return below > 0 && below <= rowsBelowTotal && a.Row.Page == of.Row.Page && a.Value != of.Value && max(a.Labels["paid"], a.Labels["due"]) >= isLabelled
	})
}

// isDeducted reports whether an amount below the gross total is negative, or has a name that nobody knows:
// something may be taken from what is due.
func (d *draft) isDeducted(below []*candidate.Amount) bool {
	c := &d.Chain
	return c.Gross.Value > 0 && slices.ContainsFunc(below, func(a *candidate.Amount) bool {
		return a.Value < 0 || a.Value != 0 && len(a.Labels) == 0 && a.Value != c.Gross.Value && a.Value != c.Vat.Value
	})
}

// rowsBelowTotal is how many rows below the gross total say what of it is due.
const rowsBelowTotal = 4

// belowGross are the amounts in the rows below the gross total that end where it ends.
func (d *draft) belowGross() (below []*candidate.Amount) {
	of := d.Chain.Gross.From
	if of == nil {
		return nil
	}
	right := func(a *candidate.Amount) float64 { return a.Words[len(a.Words)-1].Box.Right }
	for i := range d.Amounts {
		a := &d.Amounts[i]
		if n := a.Row.Index - of.Row.Index; n > 0 && n <= rowsBelowTotal && a.Row.Page == of.Row.Page && math.Abs(right(a)-right(of)) < sameColumn {
			below = append(below, a)
		}
	}
	return below
}

// sameColumn is how far apart the right edges of amounts of one column are, at most, in points: a sign may stand
// behind one.
const sameColumn = 10

// mentionsRate reports whether a row has a percentage, as one about a discount for early payment.
func (d *draft) mentionsRate(r *layout.Row) bool {
	return slices.ContainsFunc(d.NumbersOf(r), func(n candidate.Number) bool { return n.Percent })
}

// roundingAmount is the amount with a label for rounding (BT-114), if it is below one.
func (d *draft) roundingAmount() *candidate.Amount {
	a := d.best("rounding")
	if a == nil || a.Value == 0 || candidate.Abs(a.Value) >= candidate.UnitsPerOne {
		return nil
	}
	return a
}

// dueAmount is the amount with the label of what is to be paid: one that agrees with
// another amount that was paid before, or is the gross total, rounded or not.
func (d *draft) dueAmount(round *candidate.Amount) (best *candidate.Amount) {
	w := &lexicon.Weigh().Due
	score := w.Least
	for i := range d.Amounts {
		a := &d.Amounts[i]
		s := a.Labels["due"]
		if s == 0 {
			continue
		}
		paid := d.Chain.Gross.Value - a.Value
		rounded := round != nil && (paid+round.Value == 0 || d.prints(paid+round.Value) || d.prints(-paid-round.Value))
		switch {
		case paid == 0:
			s += w.Gross
		case !rounded && !d.prints(paid) && !d.prints(-paid):
			if s < w.Sure || candidate.Abs(paid) > 2*candidate.Abs(d.Chain.Gross.Value) || d.mentionsRate(a.Row) {
				continue
			}
			s -= w.Unproved
		}
		if s > score {
			best, score = a, s
		}
	}
	return best
}

// HasRivalOfDue reports whether another amount may be what is due: a label calls it so, or it is what an amount between
// leaves of the one that was taken, in the rows below that.
func (t *Totals) HasRivalOfDue() bool {
	const below = 3    // rows behind the last payment
	const asGood = 0.3 // less is the label of a rival at most, as that of a fee in a sentence
	due := t.Chain.Due
	least := 0.5
	if due.From != nil {
		least = max(least, due.From.Labels["due"]-asGood)
	}
	payments := t.paymentsBelowDue()
	return slices.ContainsFunc(t.Amounts, func(a candidate.Amount) bool {
		switch {
		case a.Value == 0: // Balance 12.00 0.00 are what was charged and what is left
			return due.From != nil && a.Row == due.From.Row && a.HasCents() && a.Words[0].Box.Left > due.From.Words[0].Box.Left
		case a.Value == due.Value:
			return false
		case a.Labels["due"] > least:
			return true
		case due.From == nil || a.Row.Index <= due.From.Row.Index:
			return false
		}
		return slices.ContainsFunc(payments, func(p paidUpTo) bool {
			return p.row < a.Row.Index && a.Row.Index <= p.row+below && p.sum+candidate.Abs(a.Value) == candidate.Abs(due.Value)
		})
	})
}

// paidUpTo is what the rows below the amount due, up to one of them, come to.
type paidUpTo struct {
	row int
	sum int64
}

// paymentsBelowDue are the sums of what may have been paid: each amount below what is due by itself, and those that stand
// below one another together, the largest of each row.
func (t *Totals) paymentsBelowDue() (sums []paidUpTo) {
	const most = 40 // amounts
	if t.Chain.Due.From == nil {
		return nil
	}
	all, last := int64(0), -1
	for _, a := range t.Amounts {
		if len(sums) >= most {
			return sums
		}
		if a.Row.Index <= t.Chain.Due.From.Row.Index {
			continue
		}
		value := candidate.Abs(a.Value)
		sums = append(sums, paidUpTo{a.Row.Index, value})
		if a.Row.Index == last {
			continue
		}
		last = a.Row.Index
		for _, o := range t.Amounts {
			if o.Row.Index == last {
				value = max(value, candidate.Abs(o.Value))
			}
		}
		all += value
		sums = append(sums, paidUpTo{last, all})
	}
	return sums
}

// mostColumns is how many columns of totals are looked at beside the one that was taken.
const mostColumns = 8

// HasRivalColumn reports whether the rows of net total, VAT and their sum have another column that adds up, as where what
// was billed before, what is right and the difference stand beside each other. A last column that is the sum of the
// others, as of several rates, has no rival.
func (t *Totals) HasRivalColumn() bool {
	net, vat, gross := t.Chain.Net.From, t.Chain.Vat.From, t.Chain.Gross.From
	if net == nil || vat == nil || gross == nil || net.Row == gross.Row || vat.Row == gross.Row || net.Row == vat.Row {
		return false
	}
	others := func(of *candidate.Amount) (values []int64) {
		for i := range t.Amounts {
			if a := &t.Amounts[i]; a.Row == of.Row && a.Value != of.Value && a.Value != 0 && len(values) < mostColumns {
				values = append(values, a.Value)
			}
		}
		return values
	}
	sum, isLast := int64(0), true
	for i := range t.Amounts {
		if a := &t.Amounts[i]; a.Row == gross.Row && a.Value != gross.Value {
			sum += a.Value
			isLast = isLast && a.Words[0].Box.Left < gross.Words[0].Box.Left
		}
	}
	if isLast && sum == gross.Value {
		return false
	}
	nets, vats := others(net), others(vat)
	return slices.ContainsFunc(others(gross), func(g int64) bool {
		return slices.ContainsFunc(vats, func(v int64) bool { return slices.Contains(nets, g-v) })
	})
}
