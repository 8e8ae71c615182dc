package totals

import (
	"slices"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lines"
)

// A step is an allowance or charge that may be between the sum of the lines and the net
// total.
type step struct {
	from  *candidate.Amount
	value int64 // what it adds; below 0 for an allowance of an invoice
	cost  int   // more where it is not printed between the sum of the lines and the net total
}

// maxSteps is how many allowances and charges are tried together.
const maxSteps = 6

// beforeNet finds the sum of the lines, and the allowances and charges that lead from it
// to the net total (BR-CO-13). One of which no amount is printed is not assumed.
func (d *draft) beforeNet(lineSum int64) {
	c := &d.Chain
	if lineSum != 0 && (lineSum == c.Gross.Value || d.headsSayGross() && leadingTo(d.steps(candidate.Total{}, c.Net.Value), lineSum, c.Net.Value) == 0) && lineSum != c.Net.Value && c.Vat.Value != 0 {
		d.GrossLines = true
	}
	for _, base := range d.sumsOfLines(lineSum) {
		if base.Value == c.Net.Value {
			// A subtotal behind the discount is the net total, where the lines come to more.
			own := candidate.Total{Value: lineSum, From: d.withValue(lineSum), Known: true}
			if steps := d.steps(own, c.Net.Value); lineSum != 0 && lineSum != c.Net.Value && !d.GrossLines {
				if set := leadingTo(steps, lineSum, c.Net.Value); set != 0 {
					c.LineTotal = own
					c.Allowance, c.Charge = stepTotals(steps, set, c.Net.Value < 0)
					return
				}
			}
			c.LineTotal = base
			return
		}
		steps := d.steps(base, c.Net.Value)
		if set := leadingTo(steps, base.Value, c.Net.Value); set != 0 {
			c.LineTotal = base
			c.Allowance, c.Charge = stepTotals(steps, set, c.Net.Value < 0)
			return
		}
	}
	if a := d.stepWithoutLabel(lineSum); a != nil {
		c.LineTotal = candidate.Total{Value: lineSum, From: d.withValue(lineSum), Known: true}
		if difference := c.Net.Value - lineSum; (difference > 0) == (c.Net.Value > 0) {
			c.Charge = candidate.Total{Value: candidate.Abs(difference), From: a, Known: true}
		} else {
			c.Allowance = candidate.Total{Value: candidate.Abs(difference), From: a, Known: true}
		}
		return
	}
	c.LineTotal = candidate.Total{Value: c.Net.Value, Known: true}
}

// headsSayGross reports whether the head above the amounts of all lines says that they contain VAT.
func (d *draft) headsSayGross() bool {
	return len(d.Lines) > 0 && !slices.ContainsFunc(d.Lines, func(l lines.Line) bool {
		return !slices.ContainsFunc(l.Columns, func(c layout.Column) bool { return c.Field == "lineNet" && c.WithVat })
	})
}

// stepWithoutLabel is the amount below the lines and above the net total, or in its row, that
// is the difference between both, under whatever name.
func (d *draft) stepWithoutLabel(lineSum int64) *candidate.Amount {
	net := d.Chain.Net.From
	if lineSum == 0 || len(d.Lines) == 0 || net == nil || d.GrossLines {
		return nil
	}
	last := d.Lines[len(d.Lines)-1].Row.Index
	for i := range d.Amounts {
		a := &d.Amounts[i]
		between := a.Row.Index > last && a.Row.Index < net.Row.Index && len(a.Labels) == 0 && a.Words[0] != a.Row.Words[0]
		if between && a.Value != 0 && candidate.Abs(a.Value) == candidate.Abs(d.Chain.Net.Value-lineSum) {
			return a
		}
	}
	return nil
}

// sumsOfLines are what the sum of the lines may be: the amounts with a label for it, that
// of the lines themselves first, and the sum of the lines that were read.
func (d *draft) sumsOfLines(lineSum int64) (sums []candidate.Total) {
	if d.GrossLines {
		return nil
	}
	for i := range d.Amounts {
		a := &d.Amounts[i]
		switch {
		case a.Labels["lineTotal"] <= 0.3 || a.Value == 0:
		case a.Value == lineSum:
			sums = append([]candidate.Total{{Value: a.Value, From: a, Known: true}}, sums...)
		default:
			sums = append(sums, candidate.Total{Value: a.Value, From: a, Known: true})
		}
	}
	if lineSum != 0 {
		sums = append(sums, candidate.Total{Value: lineSum, From: d.withValue(lineSum), Known: true})
	}
	return sums
}

// steps are the amounts with a label for allowances or charges, one of each value: those between
// a sum of the lines and the net total first, as those elsewhere may be parts of them.
func (d *draft) steps(base candidate.Total, net int64) (steps []step) {
	sign := int64(1)
	if net < 0 {
		sign = -1
	}
	seen := map[int64]bool{}
	for i := range d.Amounts {
		a := &d.Amounts[i]
		value := int64(0)
		switch {
		case a.Labels["allowance"] > 0.3 && a.Labels["allowance"] >= a.Labels["charge"]:
			value = -sign * candidate.Abs(a.Value)
		case a.Labels["charge"] > 0.3:
			value = sign * candidate.Abs(a.Value)
		}
		if value != 0 {
			steps = append(steps, step{a, value, d.cost(base, a)})
		}
	}
	slices.SortStableFunc(steps, func(a, b step) int { return a.cost - b.cost })
	steps = slices.DeleteFunc(steps, func(s step) bool {
		known := seen[s.value]
		seen[s.value] = true
		return known
	})
	return steps[:min(len(steps), maxSteps)]
}

// cost is what a step costs that leads from a sum of the lines to the net total: one that is printed
// between the two costs less than all others.
func (d *draft) cost(base candidate.Total, a *candidate.Amount) int {
	net := d.Chain.Net.From
	if base.From != nil && net != nil && base.From.Row.Index < a.Row.Index && a.Row.Index < net.Row.Index {
		return 1
	}
	return maxSteps + 1
}

// leadingTo is the set of steps that leads from one amount to another at the least cost; 0 if
// there is none.
func leadingTo(steps []step, from, to int64) (best int) {
	least := 0
	for set := 1; set < 1<<len(steps); set++ {
		sum, cost := from, 0
		for i := range steps {
			if set>>i&1 == 1 {
				sum, cost = sum+steps[i].value, cost+steps[i].cost
			}
		}
		if sum == to && (best == 0 || cost < least) {
			best, least = set, cost
		}
	}
	return best
}

// stepTotals are the sums of the allowances and of the charges of a set. The sum of
// several is computed.
func stepTotals(steps []step, set int, credit bool) (allowance, charge candidate.Total) {
	for i := range steps {
		if set>>i&1 == 0 {
			continue
		}
		of, value := &charge, steps[i].value
		if (value < 0) != credit {
			of, value = &allowance, -value
		}
		if of.Known {
			of.From = nil
		} else {
			of.From = steps[i].from
		}
		of.Value, of.Known = of.Value+value, true
	}
	return allowance, charge
}
