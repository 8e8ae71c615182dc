package parse

import (
	"maps"
	"math"
	"math/bits"
	"slices"
)

// A total is one of the totals, printed or computed.
type total struct {
	value int64
	from  *amount // nil where it was computed
	known bool
}

// A chain are the totals of the invoice (BG-22).
type chain struct {
	lineTotal, allowance, charge, net, vat, gross, paid, rounding, due total

	closes bool // net + VAT = gross over printed amounts: three, or two and no VAT, or those of groups
	score  float64
}

// scoreBreakdown is what it counts that net total and VAT are the sums of printed groups.
const scoreBreakdown = 0.8

// scoreNoRate is lost where no printed rate leads from the net total to the VAT.
const scoreNoRate = 0.5

// solve chooses the totals together: BR-CO-15 (net + VAT = gross) over all printed
// amounts, then BR-CO-13 and BR-CO-16 around them.
func (d *totalsDraft) solve() {
	if d.byLabels {
		d.chain = d.labelledChain()
		return
	}
	byValue := map[int64]*amount{}
	for i := range d.amounts {
		a := &d.amounts[i]
		if have := byValue[a.value]; have == nil || labelSum(a) >= labelSum(have) {
			byValue[a.value] = a
		}
	}
	rates := d.rates()
	taxes := d.sumsOfTaxes()
	lineSum := d.lineSum()
	breakdowns := d.breakdowns()
	best := chain{}
	for _, net := range d.amounts {
		for _, gross := range d.amounts {
			vat := gross.value - net.value
			if net.value == 0 || !canBeVat(vat, net.value) {
				continue
			}
			tax := byValue[vat]
			isSum := breakdowns[[2]int64{net.value, vat}]
			if tax == nil && vat != 0 && !taxes[vat] && !isSum {
				continue
			}
			c := scoredChain(&net, tax, &gross, vat, rates, lineSum)
			switch {
			case isSum:
				c.score += scoreBreakdown
			case vat != 0 && len(rates) > 0 && !taxes[vat] && !hasRate(rates, net.value, vat):
				c.score -= scoreNoRate
			}
			if c.score > best.score {
				best = c
				n, g := net, gross
				best.net.from, best.gross.from = &n, &g
			}
		}
	}
	if c := d.sumOfGroups(breakdowns, byValue, lineSum); c.score > best.score {
		best = c
	}
	const enough = 1.3
	if best.score < enough {
		best = d.labelledChain()
		best.takeWithoutVat(lineSum, len(rates) > 0)
	}
	d.chain = best
	d.completeChain(lineSum)
}

// canBeVat tells whether an amount is not too much to be the VAT of a net total.
func canBeVat(vat, net int64) bool {
	return (vat == 0 || vat > 0 == (net > 0)) && abs(vat)*3 <= abs(net)
}

// sumOfGroups are the totals of an invoice that prints the groups of the breakdown and what
// they come to, and no net total: it is the sum of the bases.
func (d *totalsDraft) sumOfGroups(breakdowns map[[2]int64]bool, byValue map[int64]*amount, lineSum int64) (best chain) {
	for _, sums := range slices.SortedFunc(maps.Keys(breakdowns), func(a, b [2]int64) int { return slices.Compare(a[:], b[:]) }) {
		net, vat := sums[0], sums[1]
		gross := byValue[net+vat]
		if gross == nil || byValue[net] != nil {
			continue
		}
		c := chain{net: total{value: net, known: true}, vat: total{vat, byValue[vat], true}, gross: total{gross.value, gross, true}, closes: true}
		c.score = role(gross, "gross", "due") + 1 + scoreBreakdown
		if lineSum == net {
			c.score += 0.8
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
func (d *totalsDraft) sumsOfTaxes() map[int64]bool {
	var taxes []int64
	seen := map[int64]bool{}
	for i := range d.amounts {
		a := &d.amounts[i]
		if a.labels["vat"] < 0.5 || a.value == 0 || len(taxes) == maxTaxes {
			continue
		}
		if rate, ok := d.rateOf(a); ok && !seen[rate] {
			seen[rate] = true
			taxes = append(taxes, a.value)
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
func (d *totalsDraft) rateOf(a *amount) (int64, bool) {
	if rate, ok := d.rateIn(a.row.words, a.words[0].Box.Left); ok {
		return rate, true
	}
	right := a.words[len(a.words)-1].Box.Right
	for i := a.row.index - 1; i >= 0 && i >= a.row.index-2 && d.layout.rows[i].page == a.row.page; i-- {
		for j := range d.layout.rows[i].cells {
			if c := &d.layout.rows[i].cells[j]; math.Abs(c.right-right) < 4 || c.left < right && c.right > a.words[0].Box.Left {
				return d.rateIn(c.words(), c.right+1)
			}
		}
	}
	return 0, false
}

// rateIn is the last percentage that begins to the left of a place.
func (d *totalsDraft) rateIn(of []*word, left float64) (rate int64, ok bool) {
	for i := 0; i < len(of) && of[i].Box.Left < left; {
		n, used := d.notation.at(of[i:])
		if used > 0 && n.percent && n.value > 0 {
			rate, ok = n.value, true
		}
		i += max(used, 1)
	}
	return rate, ok
}

// breakdowns are the sums of bases and taxes of every two and more rows with different
// rates in which base, rate and tax agree (BR-CO-14, BR-CO-17).
func (d *totalsDraft) breakdowns() map[[2]int64]bool {
	rows := distinctRows(d.vatRows())
	rows = slices.DeleteFunc(rows, func(r vatRow) bool { return !r.base.known })
	sums := map[[2]int64]bool{}
	for set := 1; set < 1<<len(rows); set++ {
		var chosen []vatRow
		sum := [2]int64{}
		for i := range rows {
			if set>>i&1 == 1 {
				chosen = append(chosen, rows[i])
				sum[0], sum[1] = sum[0]+rows[i].base.value, sum[1]+rows[i].tax.value
			}
		}
		if len(chosen) > 1 && len(chosen) <= maxTogether && !repeatsRate(chosen) {
			sums[sum] = true
		}
	}
	return sums
}

func labelSum(a *amount) (sum float64) {
	for _, s := range a.labels {
		sum += s
	}
	return sum
}

func scoredChain(net, tax, gross *amount, vat int64, rates []int64, lineSum int64) chain {
	c := chain{net: total{net.value, net, true}, vat: total{vat, tax, true}, gross: total{gross.value, gross, true}, closes: true}
	c.score = role(net, "net", "lineTotal") + role(gross, "gross", "due")
	if tax != nil {
		c.score += role(tax, "vat", "vat")
	} else if vat != 0 { // the sum of several taxes
		c.score++
	}
	if lineSum != 0 && lineSum == net.value {
		c.score += 0.8
	}
	if vat == 0 {
		if tax == nil || tax.labels["vat"] == 0 { // that there is no VAT is not printed
			c.score -= 0.8
		}
		return c
	}
	if hasRate(rates, net.value, vat) {
		c.score += 0.7
		return c
	}
	if tax != nil && tax.labels["vat"] == 0 && max(tax.labels["charge"], tax.labels["allowance"], tax.labels["paid"]) > 0.5 {
		c.score-- // a difference of two amounts, but none that is VAT
	}
	return c
}

// hasRate tells whether one of some rates leads from a base to a tax.
func hasRate(rates []int64, base, tax int64) bool {
	return slices.ContainsFunc(rates, func(rate int64) bool { return abs(share(base, rate)-tax) <= 2*cent })
}

// role is how well an amount fits a field, by its labels; another field's label is
// nearly as good, and a label of a third one speaks against it.
func role(a *amount, field, near string) float64 {
	s := max(a.labels[field], 0.75*a.labels[near])
	for other, score := range a.labels {
		if other != field && other != near && score > s {
			s -= 0.3 * (score - s)
		}
	}
	return s
}

// rates are the percentages that are printed and can be rates of VAT.
func (d *totalsDraft) rates() []int64 {
	seen := map[int64]bool{}
	var rates []int64
	add := func(v int64) {
		if v > 0 && v <= 30*unitsPerOne && !seen[v] && len(rates) < 20 {
			seen[v] = true
			rates = append(rates, v)
		}
	}
	for i := range d.lines {
		if n, ok := d.lines[i].numbers["vatRate"]; ok {
			add(n.value)
		}
	}
	for _, r := range d.layout.rows {
		for i := 0; i < len(r.words); {
			n, used := d.notation.at(r.words[i:])
			if used > 0 && n.percent {
				add(n.value)
			}
			i += max(used, 1)
		}
	}
	return rates
}

func (d *totals) lineSum() (sum int64) {
	for i := range d.lines {
		sum += d.lines[i].numbers["lineNet"].value
	}
	return sum
}

// labelledChain takes the amounts with the best labels where no three add up, and
// computes the third where two are known.
func (d *totalsDraft) labelledChain() chain {
	take := func(field string) total {
		a := d.best(field)
		if a == nil {
			return total{}
		}
		for other, score := range a.labels { // it is that of the field whose label is the best
			if other != field && score > a.labels[field] && (other == "net" || other == "vat" || other == "gross") {
				return total{}
			}
		}
		return total{a.value, a, true}
	}
	c := chain{net: take("net"), vat: take("vat"), gross: take("gross")}
	isVat := c.net.known && c.vat.known && (hasRate(d.rates(), c.net.value, c.vat.value) || d.sumsOfTaxes()[c.vat.value])
	if !c.gross.known && !isVat {
		c.gross = take("due")
	}
	switch {
	case c.net.known && c.vat.known && !c.gross.known:
		c.gross = total{value: c.net.value + c.vat.value, known: true}
	case c.gross.known && c.vat.known && !c.net.known:
		c.net = total{value: c.gross.value - c.vat.value, known: true}
	case c.gross.known && c.net.known && !c.vat.known && canBeVat(c.gross.value-c.net.value, c.net.value):
		c.vat = total{value: c.gross.value - c.net.value, known: true}
	}
	c.closes = c.net.known && c.vat.known && c.gross.known && c.net.value+c.vat.value == c.gross.value &&
		c.net.from != nil && c.vat.from != nil && c.gross.from != nil
	return c
}

// takeWithoutVat computes the net total and the VAT of an invoice that prints one total, to
// which its lines add up, and no rate of VAT.
func (c *chain) takeWithoutVat(lineSum int64, hasRates bool) {
	if hasRates || !c.gross.known || c.net.known || c.vat.known || lineSum != c.gross.value {
		return
	}
	c.net, c.vat = total{value: c.gross.value, known: true}, total{known: true}
}

func (d *totalsDraft) prints(value int64) bool { return d.withValue(value) != nil }

func (d *totalsDraft) withValue(value int64) *amount {
	for i := range d.amounts {
		if d.amounts[i].value == value {
			return &d.amounts[i]
		}
	}
	return nil
}
