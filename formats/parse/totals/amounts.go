package totals

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// maxAmounts bounds what the totals are chosen from.
const maxAmounts = 250

// readAmounts finds the numbers outside of the lines and the labels beside and above
// them.
func (d *draft) readAmounts() {
	for _, r := range d.Layout.Rows {
		if !d.IsLine[r.Index] {
			d.rowAmounts(r)
		}
	}
	if len(d.Amounts) > maxAmounts { // labelled ones first, then the last, where totals are
		slices.SortStableFunc(d.Amounts, func(a, b candidate.Amount) int {
			return cmp.Or(cmp.Compare(min(len(b.Labels), 1), min(len(a.Labels), 1)), cmp.Compare(b.Row.Index, a.Row.Index))
		})
		d.Amounts = d.Amounts[:maxAmounts]
	}
}

func (d *draft) rowAmounts(r *layout.Row) {
	hits, capital := qualified(r), r.Find(&lexicon.Words().Capital)
	from := len(d.Amounts)
	for i := 0; i < len(r.Words); {
		if _, n := d.Notation.DateAt(r.Words[i:]); n > 0 {
			i += n
			continue
		}
		n, used := d.Notation.At(r.Words[i:])
		if used == 0 {
			i++
			continue
		}
		if isMoney := n.HasCents() || n.Currency != ""; isMoney && !n.Percent && d.head.Used[r.Words[i]] != "iban" && d.head.Used[r.Words[i]] != "number" && !isCapital(r, capital, i) {
			a := candidate.Amount{Number: n, Row: r, Labels: map[string]float64{}}
			labelsBeside(&a, hits, i)
			d.isBaseOfRate(&a, i)
			d.labelsAbove(&a)
			d.labelsAround(&a)
			d.Amounts = append(d.Amounts, a)
		}
		i += used
	}
	labelSums(d.Amounts[from:], hits)
	if namesDiscount(r) { // what is to pay within its term
		for i := range d.Amounts[from:] {
			delete(d.Amounts[from+i].Labels, "due")
		}
	}
}

// namesDiscount reports whether a row names a discount for early payment.
func namesDiscount(r *layout.Row) bool {
	return slices.ContainsFunc(r.Words, func(w *layout.Word) bool {
		return slices.Contains(lexicon.Words().Discounts, lexicon.Fold(strings.Trim(w.Text, ".,;:()")))
	})
}

// longLabel is how many characters of a label count.
const longLabel = 18

// labelSums scores the amounts of a row of a total that has three, of which two add up to the
// third: they are net, VAT and gross, whatever heads they are below.
func labelSums(of []candidate.Amount, hits []layout.Hit) {
	isTotal := len(hits) > 0 && hits[0].StartsCell && (hits[0].Field == "gross" || hits[0].Field == "net" || hits[0].Field == "due")
	if len(of) != 3 || !isTotal {
		return
	}
	gross := 0
	for i := range of {
		if candidate.Abs(of[i].Value) > candidate.Abs(of[gross].Value) {
			gross = i
		}
	}
	net, vat := &of[(gross+1)%3], &of[(gross+2)%3]
	if candidate.Abs(net.Value) < candidate.Abs(vat.Value) {
		net, vat = vat, net
	}
	if net.Value+vat.Value != of[gross].Value || vat.Value == 0 || !canBeVat(vat.Value, net.Value) {
		return
	}
	net.Labels = map[string]float64{"net": lexicon.Weigh().Amount.Sum}
	vat.Labels = map[string]float64{"vat": lexicon.Weigh().Amount.Sum}
	of[gross].Labels = map[string]float64{"gross": lexicon.Weigh().Amount.Sum}
}

// isCapital reports whether an amount is the capital of a company: it follows a label for
// that in its cell.
func isCapital(r *layout.Row, capital []layout.Hit, at int) bool {
	return slices.ContainsFunc(capital, func(h layout.Hit) bool { return h.Last < at && r.CellAt(h.Last) == r.CellAt(at) })
}

// qualified are the labels for totals in a row, where a label that is followed by words
// such as "without VAT" is that of another total.
func qualified(r *layout.Row) []layout.Hit {
	hits := slices.Clone(r.Find(&lexicon.Words().Totals))
	for i := range hits {
		h := &hits[i]
		if h.Field != "gross" && h.Field != "net" && h.Field != "lineTotal" {
			continue
		}
		end := len(r.Words)
		if i+1 < len(hits) {
			if _, isQualifier := layout.QualifierAt(r, hits[i+1].First); !isQualifier {
				end = hits[i+1].First
			}
		}
		for _, q := range r.Find(&lexicon.Words().WithVat) {
			if q.First > h.Last && q.First <= h.Last+2 && q.First < end && (h.Field != "lineTotal" || q.Field == "gross") {
				h.Field = q.Field
				break
			}
		}
	}
	return hits
}

// labelsBeside scores the labels to the left of an amount. The nearest counts most, and
// one before a further amount hardly.
func labelsBeside(a *candidate.Amount, hits []layout.Hit, at int) {
	w := &lexicon.Weigh().Amount
	for k := range hits {
		h := &hits[k]
		if h.First >= at { // the currency of an amount may be a part of its label, as in Total EUR 12.00
			break
		}
		score := w.Beside + w.Length*min(float64(h.Length), longLabel)/longLabel
		if h.StartsCell {
			score += w.Start
		}
		if following := k+1 < len(hits) && hits[k+1].Last < at; following {
			score -= w.Further
		}
		a.Labels[h.Field] = max(a.Labels[h.Field], score)
	}
}

// isBaseOfRate takes the label of VAT from an amount that is the base of a rate, as in "VAT 19 %
// of 100.00".
func (d *draft) isBaseOfRate(a *candidate.Amount, at int) {
	if a.Labels["vat"] == 0 || at < 2 || !lexicon.Words().OfBase[lexicon.Fold(a.Row.Words[at-1].Text)] {
		return
	}
	for i := max(at-4, 0); i < at-1; i++ {
		if n, used := d.Notation.At(a.Row.Words[i:]); used > 0 && n.Percent {
			a.Labels["net"] = max(a.Labels["net"], lexicon.Weigh().Amount.Base)
			delete(a.Labels, "vat")
			return
		}
	}
}

// labelsAbove scores the labels in the rows above an amount, as in a table of totals.
func (d *draft) labelsAbove(a *candidate.Amount) {
	first, last := a.Words[0].Box, a.Words[len(a.Words)-1].Box
	w := &lexicon.Weigh().Amount
	beside := false // one that begins its cell speaks for the amount behind it
	for _, score := range a.Labels {
		beside = beside || score > w.Beside
	}
	for i, steps := a.Row.Index-1, 0; i >= 0 && steps < 3; i-- {
		r := d.Layout.Rows[i]
		if r.Page != a.Row.Page || a.Row.Top-r.Bottom > 45 {
			return
		}
		steps++
		for _, h := range qualified(r) {
			left, right := h.Box()
			overlaps := left < last.Right+2 && right > first.Left-2
			cellOf := r.Cells[r.CellAt(h.First)]
			if !overlaps && math.Abs(cellOf.Right-last.Right) > 4 && math.Abs(cellOf.Left-first.Left) > 4 {
				continue
			}
			score := w.Above + w.Longer*min(float64(h.Length), longLabel)/longLabel - w.Row*float64(steps-1)
			if beside {
				score *= w.Second
			}
			a.Labels[h.Field] = max(a.Labels[h.Field], score)
		}
	}
}

// aroundReach is how many rows above and below an amount a part of its label may be.
const aroundReach = 2

// labelsAround scores the labels to the left of an amount that has its row for itself, in
// rows that overlap it and have no number: the amount beside a label of several rows is set
// in the middle of them.
func (d *draft) labelsAround(a *candidate.Amount) {
	w, left := &lexicon.Weigh().Amount, a.Words[0].Box.Left
	if a.Row.Words[0] != a.Words[0] {
		return
	}
	for i := max(a.Row.Index-aroundReach, 0); i <= min(a.Row.Index+aroundReach, len(d.Layout.Rows)-1); i++ {
		r := d.Layout.Rows[i]
		overlap := min(r.Bottom, a.Row.Bottom) - max(r.Top, a.Row.Top)
		if r == a.Row || r.Page != a.Row.Page || overlap <= 0 || slices.ContainsFunc(r.Words, func(w *layout.Word) bool { return lexicon.HasDigit(w.Text) }) {
			continue
		}
		for _, h := range qualified(r) {
			if _, right := h.Box(); right < left && h.StartsCell {
				a.Labels[h.Field] = max(a.Labels[h.Field], w.Above+w.Longer*min(float64(h.Length), longLabel)/longLabel)
			}
		}
	}
}

// best is the amount with the best label of a field.
func (d *draft) best(field string) (found *candidate.Amount) {
	for i := range d.Amounts {
		a := &d.Amounts[i]
		if s := a.Labels[field]; s > 0.3 && (found == nil || s >= found.Labels[field]) {
			found = a
		}
	}
	return found
}
