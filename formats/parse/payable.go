package parse

import "slices"

// completeChain finds what is before the net total (BR-CO-13) and after the gross total
// (BR-CO-16).
func (d *totalsDraft) completeChain(lineSum int64) {
	c := &d.chain
	if c.net.known {
		d.beforeNet(lineSum)
	}
	if !c.gross.known {
		return
	}
	round := d.roundingAmount()
	if due := d.dueAmount(round); due != nil {
		c.due = total{due.value, due, true}
	}
	if !d.takePaid(round) {
		d.takeDifference(round)
	}
	if round != nil && c.gross.value-c.paid.value+round.value == c.due.value {
		c.rounding = total{round.value, round, true}
	}
}

// takePaid takes the amount with a label for what was paid that leads from the gross
// total to what is due.
func (d *totalsDraft) takePaid(round *amount) bool {
	c := &d.chain
	for i := range d.amounts {
		paid := &d.amounts[i]
		if paid.labels["paid"] < 0.5 || paid.value == 0 {
			continue
		}
		value := abs(paid.value)
		if c.gross.value < 0 {
			value = -value
		}
		rest := c.gross.value - value
		if round != nil && c.due.value == rest+round.value {
			rest += round.value
		}
		if value > 0 && value > c.gross.value && !d.prints(rest) {
			continue
		}
		if !c.due.known || c.due.value == rest || c.due.value == c.gross.value && d.prints(rest) {
			c.paid = total{value, paid, true}
			if !c.due.known || c.due.value != rest {
				c.due = total{rest, d.withValue(rest), true}
			}
			return true
		}
	}
	return false
}

// takeDifference computes what is due, or what was paid: a payment in a table of its own
// has no label beside it, and the amounts close.
func (d *totalsDraft) takeDifference(round *amount) {
	c := &d.chain
	if !c.due.known {
		c.due = total{value: c.gross.value - c.paid.value, known: true}
		return
	}
	paid := c.gross.value - c.due.value
	if !d.prints(paid) && !d.prints(-paid) && (c.rounding.known || round == nil) {
		if abs(paid) < unitsPerOne {
			c.rounding = total{value: -paid, known: paid != 0}
		} else {
			c.paid = total{value: paid, known: true}
		}
		return
	}
	if a := d.withValue(paid); a != nil && paid != 0 && paid != c.vat.value && paid != c.net.value && (round == nil || paid != -round.value) {
		c.paid = total{paid, a, true}
	}
}

// An amount due that agrees with no other amount counts where its label is beside it or long.
const (
	surelyDue    = 0.7
	lostUnproved = 0.3
)

// mentionsRate tells whether a row has a percentage, as one about a discount for early payment.
func (d *totalsDraft) mentionsRate(r *row) bool {
	return slices.ContainsFunc(d.numbersOf(r), func(n number) bool { return n.percent })
}

// roundingAmount is the amount with a label for rounding (BT-114), if it is below one.
func (d *totalsDraft) roundingAmount() *amount {
	a := d.best("rounding")
	if a == nil || a.value == 0 || abs(a.value) >= unitsPerOne {
		return nil
	}
	return a
}

// dueAmount is the amount with the label of what is to be paid: one that agrees with
// another amount that was paid before, or is the gross total, rounded or not.
func (d *totalsDraft) dueAmount(round *amount) (best *amount) {
	score := 0.3
	for i := range d.amounts {
		a := &d.amounts[i]
		s := a.labels["due"]
		if s == 0 {
			continue
		}
		paid := d.chain.gross.value - a.value
		rounded := round != nil && (paid+round.value == 0 || d.prints(paid+round.value) || d.prints(-paid-round.value))
		switch {
		case paid == 0:
			s += 0.2
		case !rounded && !d.prints(paid) && !d.prints(-paid):
			if s < surelyDue || abs(paid) > 2*abs(d.chain.gross.value) || d.mentionsRate(a.row) {
				continue
			}
			s -= lostUnproved
		}
		if s > score {
			best, score = a, s
		}
	}
	return best
}
