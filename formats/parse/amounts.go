package parse

import (
	"cmp"
	"math"
	"slices"
)

// An amount is a number outside of the lines that may be a total, with the score of
// each label that may be its.
type amount struct {
	number
	row    *row
	labels map[string]float64 // by field of the totals
}

// maxAmounts bounds what the totals are chosen from.
const maxAmounts = 250

// readAmounts finds the numbers outside of the lines and the labels beside and above
// them.
func (d *totalsDraft) readAmounts() {
	for _, r := range d.layout.rows {
		if !d.isLine[r.index] {
			d.rowAmounts(r)
		}
	}
	if len(d.amounts) > maxAmounts { // labelled ones first, then the last, where totals are
		slices.SortStableFunc(d.amounts, func(a, b amount) int {
			return cmp.Or(cmp.Compare(min(len(b.labels), 1), min(len(a.labels), 1)), cmp.Compare(b.row.index, a.row.index))
		})
		d.amounts = d.amounts[:maxAmounts]
	}
}

func (d *totalsDraft) rowAmounts(r *row) {
	hits, capital := qualified(r), r.find(&words().Capital)
	from := len(d.amounts)
	for i := 0; i < len(r.words); {
		if _, n := d.notation.dateAt(r.words[i:]); n > 0 {
			i += n
			continue
		}
		n, used := d.notation.at(r.words[i:])
		if used == 0 {
			i++
			continue
		}
		if isMoney := n.decimals == 2 || n.currency != ""; isMoney && !n.percent && d.head.used[r.words[i]] != "iban" && d.head.used[r.words[i]] != "number" && !isCapital(r, capital, i) {
			a := amount{number: n, row: r, labels: map[string]float64{}}
			labelsBeside(&a, hits, i)
			d.isBaseOfRate(&a, i)
			d.labelsAbove(&a)
			d.labelsAround(&a)
			d.amounts = append(d.amounts, a)
		}
		i += used
	}
	labelSums(d.amounts[from:], hits)
}

// scoreOfSum is the score of the labels that follow from what amounts of a row add up to.
const scoreOfSum = 0.9

// labelSums scores the amounts of a row of a total that has three, of which two add up to the
// third: they are net, VAT and gross, whatever heads they are below.
func labelSums(of []amount, hits []hit) {
	isTotal := len(hits) > 0 && hits[0].startsCell && (hits[0].field == "gross" || hits[0].field == "net" || hits[0].field == "due")
	if len(of) != 3 || !isTotal {
		return
	}
	gross := 0
	for i := range of {
		if abs(of[i].value) > abs(of[gross].value) {
			gross = i
		}
	}
	net, vat := &of[(gross+1)%3], &of[(gross+2)%3]
	if abs(net.value) < abs(vat.value) {
		net, vat = vat, net
	}
	if net.value+vat.value != of[gross].value || vat.value == 0 || !canBeVat(vat.value, net.value) {
		return
	}
	net.labels = map[string]float64{"net": scoreOfSum}
	vat.labels = map[string]float64{"vat": scoreOfSum}
	of[gross].labels = map[string]float64{"gross": scoreOfSum}
}

// isCapital tells whether an amount is the capital of a company: it follows a label for
// that in its cell.
func isCapital(r *row, capital []hit, at int) bool {
	return slices.ContainsFunc(capital, func(h hit) bool { return h.last < at && r.cellAt(h.last) == r.cellAt(at) })
}

// qualified are the labels for totals in a row, where a label that is followed by words
// such as "without VAT" is that of another total.
func qualified(r *row) []hit {
	hits := slices.Clone(r.find(&words().Totals))
	for i := range hits {
		h := &hits[i]
		if h.field != "gross" && h.field != "net" && h.field != "lineTotal" {
			continue
		}
		end := len(r.words)
		if i+1 < len(hits) {
			if _, isQualifier := qualifierAt(r, hits[i+1].first); !isQualifier {
				end = hits[i+1].first
			}
		}
		for _, q := range r.find(&words().WithVat) {
			if q.first > h.last && q.first <= h.last+2 && q.first < end && (h.field != "lineTotal" || q.field == "gross") {
				h.field = q.field
				break
			}
		}
	}
	return hits
}

// labelsBeside scores the labels to the left of an amount. The nearest counts most, and
// one before a further amount hardly.
func labelsBeside(a *amount, hits []hit, at int) {
	for k := range hits {
		h := &hits[k]
		if h.first >= at { // the currency of an amount may be a part of its label, as in Total EUR 12.00
			break
		}
		score := 0.8 + 0.3*min(float64(h.length), 18)/18
		if h.startsCell {
			score += 0.1
		}
		if following := k+1 < len(hits) && hits[k+1].last < at; following {
			score -= 0.45
		}
		a.labels[h.field] = max(a.labels[h.field], score)
	}
}

// isBaseOfRate takes the label of VAT from an amount that is the base of a rate, as in "VAT 19 %
// of 100.00".
func (d *totalsDraft) isBaseOfRate(a *amount, at int) {
	if a.labels["vat"] == 0 || at < 2 || !words().OfBase[fold(a.row.words[at-1].Text)] {
		return
	}
	for i := max(at-4, 0); i < at-1; i++ {
		if n, used := d.notation.at(a.row.words[i:]); used > 0 && n.percent {
			a.labels["net"] = max(a.labels["net"], 0.6)
			delete(a.labels, "vat")
			return
		}
	}
}

// labelsAbove scores the labels in the rows above an amount, as in a table of totals.
func (d *totalsDraft) labelsAbove(a *amount) {
	first, last := a.words[0].Box, a.words[len(a.words)-1].Box
	beside := false // one that begins its cell speaks for the amount behind it
	for _, score := range a.labels {
		beside = beside || score > 0.8
	}
	for i, steps := a.row.index-1, 0; i >= 0 && steps < 3; i-- {
		r := d.layout.rows[i]
		if r.page != a.row.page || a.row.top-r.bottom > 45 {
			return
		}
		steps++
		for _, h := range qualified(r) {
			left, right := h.box()
			overlaps := left < last.Right+2 && right > first.Left-2
			cellOf := r.cells[r.cellAt(h.first)]
			if !overlaps && math.Abs(cellOf.right-last.Right) > 4 && math.Abs(cellOf.left-first.Left) > 4 {
				continue
			}
			score := 0.6 + 0.2*min(float64(h.length), 18)/18 - 0.12*float64(steps-1)
			if beside {
				score *= 0.5
			}
			a.labels[h.field] = max(a.labels[h.field], score)
		}
	}
}

// aroundReach is how many rows above and below an amount a part of its label may be.
const aroundReach = 2

// labelsAround scores the labels to the left of an amount that has its row for itself, in
// rows that overlap it and have no number: the amount beside a label of several rows is set
// in the middle of them.
func (d *totalsDraft) labelsAround(a *amount) {
	left := a.words[0].Box.Left
	if a.row.words[0] != a.words[0] {
		return
	}
	for i := max(a.row.index-aroundReach, 0); i <= min(a.row.index+aroundReach, len(d.layout.rows)-1); i++ {
		r := d.layout.rows[i]
		overlap := min(r.bottom, a.row.bottom) - max(r.top, a.row.top)
		if r == a.row || r.page != a.row.page || overlap <= 0 || slices.ContainsFunc(r.words, func(w *word) bool { return hasDigit(w.Text) }) {
			continue
		}
		for _, h := range qualified(r) {
			if _, right := h.box(); right < left && h.startsCell {
				a.labels[h.field] = max(a.labels[h.field], 0.6+0.2*min(float64(h.length), 18)/18)
			}
		}
	}
}

// best is the amount with the best label of a field.
func (d *totalsDraft) best(field string) (found *amount) {
	for i := range d.amounts {
		a := &d.amounts[i]
		if s := a.labels[field]; s > 0.3 && (found == nil || s >= found.labels[field]) {
			found = a
		}
	}
	return found
}
