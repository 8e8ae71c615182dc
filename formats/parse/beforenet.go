package parse

import (
	"math/bits"
	"slices"
)

// A step is an allowance or charge that may be between the sum of the lines and the net
// total.
type step struct {
	from  *amount
	value int64 // what it adds; below 0 for an allowance of an invoice
}

// maxSteps is how many allowances and charges are tried together.
const maxSteps = 6

// beforeNet finds the sum of the lines, and the allowances and charges that lead from it
// to the net total (BR-CO-13). One of which no amount is printed is not assumed.
func (d *totalsDraft) beforeNet(lineSum int64) {
	c := &d.chain
	if lineSum != 0 && (lineSum == c.gross.value || d.headsSayGross()) && lineSum != c.net.value && c.vat.value != 0 {
		d.grossLines = true
	}
	steps := d.steps()
	for _, base := range d.sumsOfLines(lineSum) {
		if base.value == c.net.value {
			c.lineTotal = base
			return
		}
		if set := leadingTo(steps, base.value, c.net.value); set != 0 {
			c.lineTotal = base
			c.allowance, c.charge = stepTotals(steps, set, c.net.value < 0)
			return
		}
	}
	if a := d.stepWithoutLabel(lineSum); a != nil {
		c.lineTotal = total{lineSum, d.withValue(lineSum), true}
		if difference := c.net.value - lineSum; (difference > 0) == (c.net.value > 0) {
			c.charge = total{abs(difference), a, true}
		} else {
			c.allowance = total{abs(difference), a, true}
		}
		return
	}
	c.lineTotal = total{value: c.net.value, known: true}
}

// headsSayGross tells whether the head above the amounts of all lines says that they contain VAT.
func (d *totalsDraft) headsSayGross() bool {
	return len(d.lines) > 0 && !slices.ContainsFunc(d.lines, func(l line) bool {
		return !slices.ContainsFunc(l.columns, func(c column) bool { return c.field == "lineNet" && c.withVat })
	})
}

// stepWithoutLabel is the amount below the lines and above the net total, or in its row, that
// is the difference between both, under whatever name.
func (d *totalsDraft) stepWithoutLabel(lineSum int64) *amount {
	net := d.chain.net.from
	if lineSum == 0 || len(d.lines) == 0 || net == nil || d.grossLines {
		return nil
	}
	last := d.lines[len(d.lines)-1].row.index
	for i := range d.amounts {
		a := &d.amounts[i]
		between := a.row.index > last && a.row.index < net.row.index && len(a.labels) == 0 && a.words[0] != a.row.words[0]
		if between && a.value != 0 && abs(a.value) == abs(d.chain.net.value-lineSum) {
			return a
		}
	}
	return nil
}

// sumsOfLines are what the sum of the lines may be: the amounts with a label for it, that
// of the lines themselves first, and the sum of the lines that were read.
func (d *totalsDraft) sumsOfLines(lineSum int64) (sums []total) {
	if d.grossLines {
		return nil
	}
	for i := range d.amounts {
		a := &d.amounts[i]
		switch {
		case a.labels["lineTotal"] <= 0.3 || a.value == 0:
		case a.value == lineSum:
			sums = append([]total{{a.value, a, true}}, sums...)
		default:
			sums = append(sums, total{a.value, a, true})
		}
	}
	if lineSum != 0 {
		sums = append(sums, total{lineSum, d.withValue(lineSum), true})
	}
	return sums
}

// steps are the amounts with a label for allowances or charges, one of each value.
func (d *totalsDraft) steps() (steps []step) {
	sign := int64(1)
	if d.chain.net.value < 0 {
		sign = -1
	}
	seen := map[int64]bool{}
	for i := range d.amounts {
		a := &d.amounts[i]
		value := int64(0)
		switch {
		case a.labels["allowance"] > 0.3 && a.labels["allowance"] >= a.labels["charge"]:
			value = -sign * abs(a.value)
		case a.labels["charge"] > 0.3:
			value = sign * abs(a.value)
		}
		if value != 0 && !seen[value] && len(steps) < maxSteps {
			seen[value] = true
			steps = append(steps, step{a, value})
		}
	}
	return steps
}

// leadingTo is the smallest set of steps that leads from one amount to another; 0 if
// there is none.
func leadingTo(steps []step, from, to int64) (best int) {
	for set := 1; set < 1<<len(steps); set++ {
		sum := from
		for i := range steps {
			if set>>i&1 == 1 {
				sum += steps[i].value
			}
		}
		if sum == to && (best == 0 || bits.OnesCount(uint(set)) < bits.OnesCount(uint(best))) {
			best = set
		}
	}
	return best
}

// stepTotals are the sums of the allowances and of the charges of a set. The sum of
// several is computed.
func stepTotals(steps []step, set int, credit bool) (allowance, charge total) {
	for i := range steps {
		if set>>i&1 == 0 {
			continue
		}
		of, value := &charge, steps[i].value
		if (value < 0) != credit {
			of, value = &allowance, -value
		}
		if of.known {
			of.from = nil
		} else {
			of.from = steps[i].from
		}
		of.value, of.known = of.value+value, true
	}
	return allowance, charge
}
