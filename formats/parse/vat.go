package parse

import (
	"math/big"
	"slices"
	"strings"
)

// A vatRow is one group of the VAT breakdown (BG-23).
type vatRow struct {
	base, tax total
	rate      int64
	printed   []*word // of the rate
	category  printed
}

// maxTogether is how many groups of VAT are tried together.
const maxTogether = 6

// readVat finds the VAT breakdown: rows in which base times rate is the tax (BR-CO-17),
// of which the taxes add up to the total (BR-CO-14). With one rate, base and tax are
// the totals.
func (d *totalsDraft) readVat() {
	d.chooseVat()
	d.addZeroGroup()
}

func (d *totalsDraft) chooseVat() {
	if !d.chain.net.known || !d.chain.gross.known {
		return
	}
	if d.chain.vat.known && d.chain.vat.value == 0 {
		d.vatWithoutTax()
		return
	}
	rows := d.vatRows()
	if chosen := d.addingUp(rows); chosen != nil {
		d.vat = chosen
		return
	}
	if chosen := d.addingUp(d.ratesOfLines()); chosen != nil {
		d.vat = chosen
		return
	}
	if chosen := d.addingUp(d.ratedTaxes()); len(chosen) > 1 {
		d.vat = chosen
		return
	}
	if completed := d.withMissing(rows); completed != nil {
		d.vat = completed
		return
	}
	for _, row := range rows {
		if row.rate > 0 && abs(share(d.chain.net.value, row.rate)-d.chain.vat.value) <= 2*cent {
			row.base, row.tax = d.chain.net, d.chain.vat
			d.vat = []vatRow{row}
			return
		}
	}
	for _, rate := range d.rates() {
		if abs(share(d.chain.net.value, rate)-d.chain.vat.value) <= 2*cent {
			d.vat = []vatRow{{base: d.chain.net, tax: d.chain.vat, rate: rate, printed: d.rateWords(rate)}}
			return
		}
	}
}

// addZeroGroup adds the group of which a rate of 0 and no tax are printed, and no base: what
// the other groups leave of the net total.
func (d *totalsDraft) addZeroGroup() {
	rest := d.chain.net.value
	for i := range d.vat {
		rest -= d.vat[i].base.value
		if !d.vat[i].base.known || d.vat[i].rate == 0 {
			return
		}
	}
	if len(d.vat) == 0 || len(d.vat) >= maxTogether {
		return
	}
	for i := range d.amounts {
		a := &d.amounts[i]
		if a.value != 0 || a.labels["vat"] < 0.5 {
			continue
		}
		rate, used := number{}, 0
		for j := 0; j < len(a.row.words) && a.row.words[j] != a.words[0]; j += max(used, 1) {
			if rate, used = d.notation.at(a.row.words[j:]); used > 0 && rate.percent && rate.value == 0 {
				d.vat = append(d.vat, vatRow{base: total{value: rest, known: true}, tax: total{0, a, true}, rate: 0, printed: rate.words})
				return
			}
		}
	}
}

// withBases computes the bases of groups of which rates and taxes are printed alone, where
// they come to the net total.
func (d *totalsDraft) withBases(groups []vatRow) []vatRow {
	sum, with := int64(0), slices.Clone(groups)
	for i := range with {
		if g := &with[i]; !g.base.known && g.rate > 0 {
			g.base = total{value: baseOf(g.tax.value, g.rate), known: true}
		}
		sum += with[i].base.value
	}
	if sum != d.chain.net.value {
		return groups
	}
	return with
}

// baseOf is what a rate gives a tax of, to the cent.
func baseOf(tax, rate int64) int64 {
	base := new(big.Int).Mul(big.NewInt(tax), big.NewInt(100*unitsPerOne))
	if base.Quo(base, big.NewInt(rate)); !base.IsInt64() || abs(base.Int64()) >= tooLarge {
		return tooLarge
	}
	return toCent(base.Int64())
}

// ratedTaxes are the amounts with a label for VAT and a rate above them.
func (d *totalsDraft) ratedTaxes() (rows []vatRow) {
	for i := range d.amounts {
		a := &d.amounts[i]
		if a.labels["vat"] < 0.5 || a.value == 0 || len(rows) == maxTaxes {
			continue
		}
		if rate, ok := d.rateOf(a); ok {
			rows = append(rows, vatRow{tax: total{a.value, a, true}, rate: rate, printed: d.rateWords(rate)})
		}
	}
	return rows
}

// ratesOfLines are the groups that the lines give by their rates, where the tax of each
// is printed.
func (d *totalsDraft) ratesOfLines() (groups []vatRow) {
	var rates []int64
	bases, where := map[int64]int64{}, map[int64][]*word{}
	for i := range d.lines {
		n, ok := d.lines[i].numbers["vatRate"]
		if !ok || d.grossLines {
			return nil
		}
		if _, seen := bases[n.value]; !seen {
			rates = append(rates, n.value)
			where[n.value] = n.words
		}
		bases[n.value] += d.lines[i].numbers["lineNet"].value
	}
	for _, rate := range rates {
		tax := d.nearValue(share(bases[rate], rate))
		if tax == nil || len(rates) > maxTogether {
			return nil
		}
		group := vatRow{base: total{value: bases[rate], known: true}, tax: total{tax.value, tax, true}, rate: rate, printed: where[rate]}
		if base := d.withValue(bases[rate]); base != nil {
			group.base.from = base
		}
		groups = append(groups, group)
	}
	return groups
}

// nearValue is the amount that is not more than a cent from a value.
func (d *totalsDraft) nearValue(value int64) *amount {
	for i := range d.amounts {
		if a := &d.amounts[i]; abs(a.value-value) <= cent && a.labels["vat"] > 0.3 {
			return a
		}
	}
	return nil
}

// dropCodes drops what was read as the rates of lines, without a percent sign, where none is a
// rate of the breakdown: these are codes of rates.
func (d *totalsDraft) dropCodes() {
	isRate := func(l line) bool {
		n, has := l.numbers["vatRate"]
		return has && (n.percent || slices.ContainsFunc(d.vat, func(group vatRow) bool { return group.rate == n.value }))
	}
	if len(d.vat) == 0 || slices.ContainsFunc(d.lines, isRate) {
		return
	}
	for i := range d.lines {
		delete(d.lines[i].numbers, "vatRate")
	}
}

// maxRateSteps bounds the search of the VAT rates of lines.
const maxRateSteps = 50_000

// assignRates decides the VAT rates of lines that have none printed, where the bases of
// the breakdown are sums of lines in one way only.
func (d *totalsDraft) assignRates() {
	d.dropCodes()
	if len(d.vat) < 2 || d.grossLines {
		return
	}
	left := make([]int64, len(d.vat))
	for i, group := range d.vat {
		if !group.base.known {
			return
		}
		left[i] = group.base.value
	}
	var open []*line
	for i := range d.lines {
		l := &d.lines[i]
		printed, has := l.numbers["vatRate"]
		if !has {
			open = append(open, l)
			continue
		}
		for j := range d.vat {
			if d.vat[j].rate == printed.value {
				left[j] -= l.numbers["lineNet"].value
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
		net := open[at].numbers["lineNet"].value
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
		l.vatGroup = found[i]
	}
}

// vatRows are the rows outside of the lines in which a rate, a base and a tax agree, or
// a rate and a tax with a base that is printed elsewhere.
func (d *totalsDraft) vatRows() []vatRow {
	var found, empty []vatRow
	for _, r := range d.layout.rows {
		if d.isLine[r.index] || len(found) > 50 {
			continue
		}
		numbers := d.numbersOf(r)
		if len(numbers) >= 2 && len(numbers) <= 8 {
			if row, ok := d.emptyVatRow(r, numbers); ok {
				empty = append(empty, row)
			} else {
				rows := d.vatRowsOf(r, numbers)
				if row, ok := d.vatRowWithoutBase(r, numbers); len(rows) == 0 && ok {
					rows = append(rows, row)
				}
				found = append(found, rows...)
			}
		}
	}
	for _, row := range empty {
		beside := func(other vatRow) bool {
			return other.base.from != nil && abs(int64(other.tax.from.row.index-row.tax.from.row.index)) <= emptyVatRowBeside
		}
		if slices.ContainsFunc(found, beside) {
			found = append(found, row)
		}
	}
	return found
}

// numbersOf are the numbers of a row.
func (d *pages) numbersOf(r *row) (numbers []number) {
	for i := 0; i < len(r.words); {
		n, used := d.notation.at(r.words[i:])
		if used > 0 {
			numbers = append(numbers, n)
		}
		i += max(used, 1)
	}
	return numbers
}

// emptyVatRowBeside is how many rows an empty group is away from one that is not, at most.
const emptyVatRowBeside = 4

// emptyVatRow reads a group without an amount, "0 % 0,00 0,00" or "0,00 0 % 0,00", the
// sign left out or not; totals may follow in the row.
func (d *pages) emptyVatRow(r *row, numbers []number) (out vatRow, ok bool) {
	isEmpty := func(n *number) bool { return !n.percent && n.value == 0 && n.decimals == 2 }
	for i := 0; i+2 < len(numbers); i++ {
		for at := range 2 { // of the rate, before the base or behind it
			rate, base, tax := &numbers[i+at], &numbers[i+1-at], &numbers[i+2]
			isBare := rate.value == 0 && rate.currency == "" && (rate.decimals == 0 || len(numbers) == 3) // in a column of rates
			if (rate.percent || isBare) && isRate(rate) && isEmpty(base) && isEmpty(tax) {
				return vatRow{base: d.totalOf(r, base), tax: d.totalOf(r, tax), rate: rate.value, printed: rate.words}, true
			}
		}
	}
	return vatRow{}, false
}

// maxReadings is how many ways there are at most to read a row as a group of VAT: two
// bases may be so near to each other that the tax is of both.
const maxReadings = 3

// vatRowsOf are the ways to read a row as a group of VAT.
func (d *pages) vatRowsOf(r *row, numbers []number) (found []vatRow) {
	for i := range numbers {
		rate := inBrackets(&numbers[i])
		if !isRate(rate) {
			continue
		}
		for j := range numbers {
			for k := range numbers {
				base, tax := &numbers[j], &numbers[k]
				if i == j || i == k || j == k || base.percent || tax.percent || base.value == 0 || tax.decimals != 2 || base.decimals != 2 {
					continue
				}
				if len(found) < maxReadings && isTax(tax.value, base.value, rate.value) {
					found = append(found, vatRow{base: d.totalOf(r, base), tax: d.totalOf(r, tax), rate: rate.value, printed: rate.words})
				} else if len(found) < maxReadings && d.layout.pages[r.page-1].Recognised && isTax(-tax.value, base.value, rate.value) { // one minus was not recognised
					found = append(found, vatRow{base: d.negative(r, base), tax: d.negative(r, tax), rate: rate.value, printed: rate.words})
				}
			}
		}
	}
	return found
}

// inBrackets is a number that is negative only because it is in brackets, as a rate in VAT (19.00).
func inBrackets(n *number) *number {
	if n.value < 0 && strings.HasPrefix(n.words[0].Text, "(") {
		rate := *n
		rate.value = -n.value
		return &rate
	}
	return n
}

// vatRowWithoutBase reads "VAT 19 %: 38.00".
func (d *totalsDraft) vatRowWithoutBase(r *row, numbers []number) (vatRow, bool) {
	tax := &numbers[len(numbers)-1]
	for i := range numbers {
		rate := &numbers[i]
		if !rate.percent || rate.value <= 0 || !isRate(rate) || tax.percent || tax.decimals != 2 {
			continue
		}
		out := vatRow{tax: d.totalOf(r, tax), rate: rate.value, printed: rate.words}
		for j := range d.amounts {
			if a := &d.amounts[j]; abs(share(a.value, rate.value)-tax.value) <= cent && a.value != tax.value {
				out.base = total{a.value, a, true}
				break
			}
		}
		if !out.base.known { // the lines with this rate
			sum := int64(0)
			for j := range d.lines {
				if d.lines[j].numbers["vatRate"].value == rate.value {
					sum += d.lines[j].numbers["lineNet"].value
				}
			}
			if sum != 0 && abs(share(sum, rate.value)-tax.value) <= cent {
				out.base = total{value: sum, known: true}
			}
		}
		return out, true
	}
	return vatRow{}, false
}

// isTax tells whether an amount is a rate of a base, rounded to the cent or, where both are
// whole, to whole units, as of currencies without cents.
func isTax(tax, base, rate int64) bool {
	off := abs(share(base, rate) - tax)
	return off <= cent || tax%unitsPerOne == 0 && base%unitsPerOne == 0 && tax != 0 && off <= unitsPerOne/2
}

// isRate tells whether a number can be a rate of VAT.
func isRate(n *number) bool {
	return n.value >= 0 && n.value <= 30*unitsPerOne && (n.percent || n.currency == "" && n.decimals <= 2)
}

func (d *pages) totalOf(r *row, n *number) total {
	return total{n.value, &amount{number: *n, row: r}, true}
}

// negative is a total below zero whose minus may not have been recognised.
func (d *pages) negative(r *row, n *number) total {
	t := d.totalOf(r, n)
	if n.value > 0 {
		t.value, t.from.value, t.from.readAs = -n.value, -n.value, amountText(n.value)
	}
	return t
}

// addingUp chooses the rows with different rates whose bases and taxes add up to the
// totals: all of them, or else the first set that does.
func (d *totalsDraft) addingUp(rows []vatRow) []vatRow {
	distinct := distinctRows(rows)
	for set := 1<<len(distinct) - 1; set > 0; set-- {
		var chosen []vatRow
		base, tax, allBases := int64(0), int64(0), true
		for i := range distinct {
			if set>>i&1 == 1 {
				chosen = append(chosen, distinct[i])
				base, tax = base+distinct[i].base.value, tax+distinct[i].tax.value
				allBases = allBases && distinct[i].base.known
			}
		}
		if len(chosen) == 1 && !allBases {
			chosen[0].base = d.chain.net
		}
		if len(chosen) <= maxTogether && !repeatsRate(chosen) && (base == d.chain.net.value || !allBases) && tax == d.chain.vat.value {
			return d.withBases(chosen)
		}
	}
	return nil
}

// distinctRows leaves one of rows that are alike, and no more than can be tried together.
func distinctRows(rows []vatRow) (distinct []vatRow) {
	seen := map[[3]int64]bool{}
	for _, row := range rows {
		if key := [3]int64{row.rate, row.base.value, row.tax.value}; !seen[key] && len(distinct) < 2*maxTogether {
			seen[key] = true
			distinct = append(distinct, row)
		}
	}
	return distinct
}

func repeatsRate(rows []vatRow) bool {
	for i := range rows {
		for j := range i {
			if rows[i].rate == rows[j].rate {
				return true
			}
		}
	}
	return false
}

// vatWithoutTax is the breakdown of an invoice without VAT, if a rate of 0 or the reason
// is printed.
func (d *totalsDraft) vatWithoutTax() {
	out := vatRow{base: d.chain.net, tax: d.chain.vat, printed: d.rateWords(0)}
	for _, r := range d.layout.rows {
		numbers := d.numbersOf(r)
		for i := 0; out.printed == nil && !d.isLine[r.index] && i+3 <= len(numbers) && i < maxZeroRates; i++ {
			out.printed = d.zeroRate(numbers[i : i+3])
		}
		for _, h := range r.find(&words().Exemptions) {
			if out.category.value == "" {
				out.category = printed{h.field, r.words[h.first : h.last+1]}
			}
		}
	}
	if out.category.value != "" || out.printed != nil {
		d.vat = []vatRow{out}
	}
}

// maxZeroRates is how many places of a row are tried for a rate of 0.
const maxZeroRates = 6

// zeroRate is where the rate is in a row of the breakdown with the net total and no tax, the
// sign left out.
func (d *totalsDraft) zeroRate(numbers []number) []*word {
	for i := range 2 {
		rate, base, tax := &numbers[i], &numbers[1-i], &numbers[2]
		if rate.value == 0 && rate.currency == "" && base.value == d.chain.net.value && tax.value == 0 && tax.decimals == 2 {
			return rate.words
		}
	}
	return nil
}

// rateWords are where a rate is printed.
func (d *totalsDraft) rateWords(rate int64) []*word {
	for _, r := range d.layout.rows {
		for i := 0; i < len(r.words); {
			n, used := d.notation.at(r.words[i:])
			if used > 0 && n.percent && n.value == rate {
				return n.words
			}
			i += max(used, 1)
		}
	}
	for i := range d.lines {
		if n := d.lines[i].numbers["vatRate"]; n.value == rate {
			return n.words
		}
	}
	return nil
}
