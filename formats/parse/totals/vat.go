package totals

import (
	"math/big"
	"slices"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
	"einvoice/formats/parse/lines"
)

// MaxTogether is how many groups of VAT are tried together.
const MaxTogether = 6

// readVat finds the VAT breakdown: rows in which base times rate is the tax (BR-CO-17),
// of which the taxes add up to the total (BR-CO-14). With one rate, base and tax are
// the totals.
func (d *draft) readVat() {
	d.chooseVat()
	d.addZeroGroup()
}

func (d *draft) chooseVat() {
	if !d.Chain.Net.Known || !d.Chain.Gross.Known {
		return
	}
	if d.Chain.Vat.Known && d.Chain.Vat.Value == 0 {
		d.vatWithoutTax()
		return
	}
	rows := d.vatRows()
	if chosen := d.addingUp(rows); chosen != nil {
		d.Vat = chosen
		return
	}
	if chosen := d.addingUp(d.ratesOfLines()); chosen != nil {
		d.Vat = chosen
		return
	}
	if chosen := d.addingUp(d.ratedTaxes()); len(chosen) > 1 {
		d.Vat = chosen
		return
	}
	if completed := d.withMissing(rows); completed != nil {
		d.Vat = completed
		return
	}
	for _, row := range rows {
		if row.Rate > 0 && candidate.IsTax(d.Chain.Vat.Value, d.Chain.Net.Value, row.Rate, 2*candidate.Cent) {
			row.Base, row.Tax = d.Chain.Net, d.Chain.Vat
			d.Vat = []candidate.VatRow{row}
			return
		}
	}
	for _, rate := range d.rates() {
		if candidate.IsTax(d.Chain.Vat.Value, d.Chain.Net.Value, rate, 2*candidate.Cent) {
			d.Vat = []candidate.VatRow{{Base: d.Chain.Net, Tax: d.Chain.Vat, Rate: rate, Printed: d.rateWords(rate)}}
			return
		}
	}
}

// addZeroGroup adds the group of which a rate of 0 and no tax are printed, and no base: what
// the other groups leave of the net total.
func (d *draft) addZeroGroup() {
	rest := d.Chain.Net.Value
	for i := range d.Vat {
		rest -= d.Vat[i].Base.Value
		if !d.Vat[i].Base.Known || d.Vat[i].Rate == 0 {
			return
		}
	}
	if len(d.Vat) == 0 || len(d.Vat) >= MaxTogether {
		return
	}
	for i := range d.Amounts {
		a := &d.Amounts[i]
		if a.Value != 0 || a.Labels["vat"] < 0.5 {
			continue
		}
		rate, used := candidate.Number{}, 0
		for j := 0; j < len(a.Row.Words) && a.Row.Words[j] != a.Words[0]; j += max(used, 1) {
			if rate, used = d.Notation.At(a.Row.Words[j:]); used > 0 && rate.Percent && rate.Value == 0 {
				d.Vat = append(d.Vat, candidate.VatRow{Base: candidate.Total{Value: rest, Known: true}, Tax: candidate.Total{Value: 0, From: a, Known: true}, Rate: 0, Printed: rate.Words})
				return
			}
		}
	}
}

// withBases computes the bases of groups of which rates and taxes are printed alone, where
// they come to the net total.
func (d *draft) withBases(groups []candidate.VatRow) []candidate.VatRow {
	sum, with := int64(0), slices.Clone(groups)
	for i := range with {
		if g := &with[i]; !g.Base.Known && g.Rate > 0 {
			g.Base = candidate.Total{Value: baseOf(g.Tax.Value, g.Rate), Known: true}
		}
		sum += with[i].Base.Value
	}
	if sum != d.Chain.Net.Value {
		return groups
	}
	return with
}

// baseOf is what a rate gives a tax of, to the cent.
func baseOf(tax, rate int64) int64 {
	base := new(big.Int).Mul(big.NewInt(tax), big.NewInt(100*candidate.UnitsPerOne))
	if base.Quo(base, big.NewInt(rate)); !base.IsInt64() || candidate.Abs(base.Int64()) >= candidate.TooLarge {
		return candidate.TooLarge
	}
	return candidate.ToCent(base.Int64())
}

// ratedTaxes are the amounts with a label for VAT and a rate above them.
func (d *draft) ratedTaxes() (rows []candidate.VatRow) {
	for i := range d.Amounts {
		a := &d.Amounts[i]
		if a.Labels["vat"] < 0.5 || a.Value == 0 || len(rows) == maxTaxes {
			continue
		}
		if rate, ok := d.rateOf(a); ok {
			rows = append(rows, candidate.VatRow{Tax: candidate.Total{Value: a.Value, From: a, Known: true}, Rate: rate, Printed: d.rateWords(rate)})
		}
	}
	return rows
}

// ratesOfLines are the groups that the lines give by their rates, where the tax of each
// is printed.
func (d *draft) ratesOfLines() (groups []candidate.VatRow) {
	var rates []int64
	bases, where := map[int64]int64{}, map[int64][]*layout.Word{}
	for i := range d.Lines {
		n, ok := d.Lines[i].Numbers["vatRate"]
		if !ok || d.GrossLines {
			return nil
		}
		if _, seen := bases[n.Value]; !seen {
			rates = append(rates, n.Value)
			where[n.Value] = n.Words
		}
		bases[n.Value] += d.Lines[i].Numbers["lineNet"].Value
	}
	for _, rate := range rates {
		tax := d.taxOf(bases[rate], rate)
		if tax == nil || len(rates) > MaxTogether {
			return nil
		}
		group := candidate.VatRow{Base: candidate.Total{Value: bases[rate], Known: true}, Tax: candidate.Total{Value: tax.Value, From: tax, Known: true}, Rate: rate, Printed: where[rate]}
		if base := d.withValue(bases[rate]); base != nil {
			group.Base.From = base
		}
		groups = append(groups, group)
	}
	return groups
}

// taxOf is the amount that is the tax of a base.
func (d *draft) taxOf(base, rate int64) *candidate.Amount {
	for i := range d.Amounts {
		if a := &d.Amounts[i]; a.Labels["vat"] > 0.3 && candidate.IsTax(a.Value, base, rate, candidate.Cent) {
			return a
		}
	}
	return nil
}

// dropCodes drops what was read as the rates of lines, without a percent sign, where none is a
// rate of the breakdown: these are codes of rates.
func (d *draft) dropCodes() {
	isRate := func(l lines.Line) bool {
		n, has := l.Numbers["vatRate"]
		return has && (n.Percent || slices.ContainsFunc(d.Vat, func(group candidate.VatRow) bool { return group.Rate == n.Value }))
	}
	if len(d.Vat) == 0 || slices.ContainsFunc(d.Lines, isRate) {
		return
	}
	for i := range d.Lines {
		delete(d.Lines[i].Numbers, "vatRate")
	}
}

// maxRateSteps bounds the search of the VAT rates of lines.
const maxRateSteps = 50_000

// assignRates decides the VAT rates of lines that have none printed, where the bases of
// the breakdown are sums of lines in one way only.
func (d *draft) assignRates() {
	d.dropCodes()
	if len(d.Vat) < 2 || d.GrossLines {
		return
	}
	left := make([]int64, len(d.Vat))
	for i, group := range d.Vat {
		if !group.Base.Known {
			return
		}
		left[i] = group.Base.Value
	}
	var open []*lines.Line
	for i := range d.Lines {
		l := &d.Lines[i]
		printed, has := l.Numbers["vatRate"]
		if !has {
			open = append(open, l)
			continue
		}
		for j := range d.Vat {
			if d.Vat[j].Rate == printed.Value {
				left[j] -= l.Numbers["lineNet"].Value
			}
		}
	}
	chosen, found := make([]int, len(open)), []int(nil)
	solutions, steps := 0, 0
	var try func(at int)
	try = func(at int) {
		if steps++; steps > maxRateSteps || solutions > 1 {
			return
		}
		if at == len(open) {
			if !slices.ContainsFunc(left, func(v int64) bool { return v != 0 }) {
				solutions++
				found = slices.Clone(chosen)
			}
			return
		}
		net := open[at].Numbers["lineNet"].Value
		for j := range left {
			left[j] -= net
			chosen[at] = j + 1
			try(at + 1)
			left[j] += net
		}
	}
	try(0)
	if solutions != 1 || steps > maxRateSteps {
		return
	}
	for i, l := range open {
		l.VatGroup = found[i]
	}
}

// vatRows are the rows outside of the lines in which a rate, a base and a tax agree, or
// a rate and a tax with a base that is printed elsewhere.
func (d *draft) vatRows() []candidate.VatRow {
	var found, empty []candidate.VatRow
	for _, r := range d.Layout.Rows {
		if d.IsLine[r.Index] || len(found) > 50 {
			continue
		}
		numbers := d.NumbersOf(r)
		if len(numbers) >= 2 && len(numbers) <= 8 && d.ownRate(r, numbers) == nil {
			if row, ok := d.EmptyVatRow(r, numbers); ok {
				empty = append(empty, row)
			} else {
				rows := d.VatRowsOf(r, numbers)
				if row, ok := d.vatRowWithoutBase(r, numbers); len(rows) == 0 && ok {
					rows = append(rows, row)
				}
				found = append(found, rows...)
			}
		}
	}
	for _, row := range empty {
		beside := func(other candidate.VatRow) bool {
			return other.Base.From != nil && candidate.Abs(int64(other.Tax.From.Row.Index-row.Tax.From.Row.Index)) <= emptyVatRowBeside
		}
		if slices.ContainsFunc(found, beside) {
			found = append(found, row)
		}
	}
	return found
}

// ownRate is the percentage of an allowance or a charge of the invoice: it leads from a base to an amount too, and neither is of
// VAT. It is printed before the rate of its VAT; without one, as for what is not subject to VAT, it is a percentage that nothing
// else on the pages has.
func (d *draft) ownRate(r *layout.Row, numbers []candidate.Number) (own *candidate.Number) {
	if !isAdjusting(r) {
		return nil
	}
	for i := range numbers {
		if n := &numbers[i]; n.Percent && own != nil {
			return own
		} else if n.Percent {
			own = n
		}
	}
	if own == nil || d.otherPercentages()[own.Value] {
		return nil
	}
	last := candidate.Abs(numbers[len(numbers)-1].Value)
	leads := slices.ContainsFunc(numbers, func(base candidate.Number) bool {
		return !base.Percent && candidate.IsTax(last, candidate.Abs(base.Value), own.Value, candidate.Cent)
	})
	if !leads {
		return nil
	}
	return own
}

// isAdjusting reports whether a row begins with the label of an allowance or a charge.
func isAdjusting(r *layout.Row) bool {
	hits := r.Find(&lexicon.Words().Totals)
	return len(hits) > 0 && hits[0].First == 0 && (hits[0].Field == "allowance" || hits[0].Field == "charge")
}

// otherPercentages are those that are printed in other rows than those of allowances and charges.
func (d *draft) otherPercentages() map[int64]bool {
	if d.percents == nil {
		d.percents = map[int64]bool{}
		for _, r := range d.Layout.Rows {
			for _, n := range d.NumbersOf(r) {
				if n.Percent && !isAdjusting(r) {
					d.percents[n.Value] = true
				}
			}
		}
	}
	return d.percents
}

// emptyVatRowBeside is how many rows an empty group is away from one that is not, at most.
const emptyVatRowBeside = 4

// vatRowWithoutBase reads "VAT 19 %: 38.00".
func (d *draft) vatRowWithoutBase(r *layout.Row, numbers []candidate.Number) (candidate.VatRow, bool) {
	tax := &numbers[len(numbers)-1]
	for i := range numbers {
		rate := &numbers[i]
		if !rate.Percent || rate.Value <= 0 || !candidate.IsRate(rate) || tax.Percent || !tax.HasCents() {
			continue
		}
		out := candidate.VatRow{Tax: d.TotalOf(r, tax), Rate: rate.Value, Printed: rate.Words}
		for j := range d.Amounts {
			if a := &d.Amounts[j]; candidate.IsTax(tax.Value, a.Value, rate.Value, candidate.Cent) && a.Value != tax.Value {
				out.Base = candidate.Total{Value: a.Value, From: a, Known: true}
				break
			}
		}
		if !out.Base.Known { // the lines with this rate
			sum := int64(0)
			for j := range d.Lines {
				if d.Lines[j].Numbers["vatRate"].Value == rate.Value {
					sum += d.Lines[j].Numbers["lineNet"].Value
				}
			}
			if sum != 0 && candidate.IsTax(tax.Value, sum, rate.Value, candidate.Cent) {
				out.Base = candidate.Total{Value: sum, Known: true}
			}
		}
		return out, true
	}
	return candidate.VatRow{}, false
}

// addingUp chooses the rows with different rates whose bases and taxes add up to the
// totals: all of them, or else the first set that does.
func (d *draft) addingUp(rows []candidate.VatRow) []candidate.VatRow {
	distinct := distinctRows(rows)
	for set := 1<<len(distinct) - 1; set > 0; set-- {
		var chosen []candidate.VatRow
		base, tax, allBases := int64(0), int64(0), true
		for i := range distinct {
			if set>>i&1 == 1 {
				chosen = append(chosen, distinct[i])
				base, tax = base+distinct[i].Base.Value, tax+distinct[i].Tax.Value
				allBases = allBases && distinct[i].Base.Known
			}
		}
		if len(chosen) == 1 && !allBases {
			chosen[0].Base = d.Chain.Net
		}
		if len(chosen) <= MaxTogether && !RepeatsRate(chosen) && (base == d.Chain.Net.Value || !allBases) && tax == d.Chain.Vat.Value {
			return d.withBases(chosen)
		}
	}
	return nil
}

// distinctRows leaves one of rows that are alike, and no more than can be tried together.
func distinctRows(rows []candidate.VatRow) (distinct []candidate.VatRow) {
	seen := map[[3]int64]bool{}
	for _, row := range rows {
		if key := [3]int64{row.Rate, row.Base.Value, row.Tax.Value}; !seen[key] && len(distinct) < 2*MaxTogether {
			seen[key] = true
			distinct = append(distinct, row)
		}
	}
	return distinct
}

// RepeatsRate reports whether two groups have one rate. Rates of 0 in rows of their own are of several categories, as exempt
// and zero-rated supplies are.
func RepeatsRate(rows []candidate.VatRow) bool {
	for i := range rows {
		for j := range i {
			a, b := &rows[i], &rows[j]
			isApart := a.Rate == 0 && a.Base.From != nil && b.Base.From != nil && a.Base.From.Row != b.Base.From.Row
			if a.Rate == b.Rate && !isApart {
				return true
			}
		}
	}
	return false
}

// vatWithoutTax is the breakdown of an invoice without VAT, if a rate of 0 or the reason
// is printed.
func (d *draft) vatWithoutTax() {
	if d.Chain.Net.Value == 0 {
		if groups := d.emptyGroups(); len(groups) > 0 {
			d.Vat = groups
			return
		}
	}
	out := candidate.VatRow{Base: d.Chain.Net, Tax: d.Chain.Vat, Printed: d.rateWords(0)}
	for _, r := range d.Layout.Rows {
		numbers := d.NumbersOf(r)
		for i := 0; out.Printed == nil && !d.IsLine[r.Index] && i+3 <= len(numbers) && i < maxZeroRates; i++ {
			out.Printed = d.zeroRate(numbers[i : i+3])
		}
		for _, h := range r.Find(&lexicon.Words().Exemptions) {
			if out.Category.Value == "" {
				out.Category = candidate.Printed{Value: h.Field, Words: r.Words[h.First : h.Last+1]}
			}
		}
	}
	if out.Category.Value != "" || out.Printed != nil {
		d.Vat = []candidate.VatRow{out}
	}
}

// emptyGroups are the groups of an invoice of which all amounts are zero, where a rate above it is printed: no amount tells them
// from a group without VAT.
func (d *draft) emptyGroups() (groups []candidate.VatRow) {
	isRated := false
	for _, r := range d.Layout.Rows {
		numbers := d.NumbersOf(r)
		if d.IsLine[r.Index] || len(numbers) < 3 || len(numbers) > 8 || len(groups) == MaxTogether {
			continue
		}
		row, ok := d.EmptyVatRow(r, numbers)
		if with := append(groups, row); ok && !RepeatsRate(with) {
			groups, isRated = with, isRated || row.Rate > 0
		}
	}
	if !isRated {
		return nil
	}
	return groups
}

// maxZeroRates is how many places of a row are tried for a rate of 0.
const maxZeroRates = 6

// zeroRate is where the rate is in a row of the breakdown with the net total and no tax, the
// sign left out.
func (d *draft) zeroRate(numbers []candidate.Number) []*layout.Word {
	for i := range 2 {
		rate, base, tax := &numbers[i], &numbers[1-i], &numbers[2]
		isAmount := d.Chain.Net.Value == 0 && rate.HasCents() && !rate.Percent // any of three zeros
		if rate.Value == 0 && rate.Currency == "" && !isAmount && base.Value == d.Chain.Net.Value && tax.Value == 0 && tax.HasCents() {
			return rate.Words
		}
	}
	return nil
}

// rateWords are where a rate is printed.
func (d *draft) rateWords(rate int64) []*layout.Word {
	for _, r := range d.Layout.Rows {
		for _, n := range d.NumbersOf(r) {
			if n.Percent && n.Value == rate {
				return n.Words
			}
		}
	}
	for i := range d.Lines {
		if n := d.Lines[i].Numbers["vatRate"]; n.Value == rate {
			return n.Words
		}
	}
	return nil
}
