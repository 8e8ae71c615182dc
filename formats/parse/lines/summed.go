package lines

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// readSummed reads rows of a text and an amount, where no line has a quantity and a price: those
// right above a total that they add up to, as on the bill of a telephone company.
func (d *draft) readSummed() {
	var run []Line
	sum := int64(0)
	for _, r := range d.Layout.Rows {
		amount, ok := d.loneAmount(r)
		if isTotalRow(r) {
			if len(run) > 0 && (ok && amount.Value == sum || !ok && d.isBelowTotals(r, sum)) {
				lines, end := withoutSteps(run), r
				if len(lines) < len(run) {
					end = run[len(lines)].Row
				}
				d.takeSummed(lines, end)
				return
			}
			run, sum = nil, 0
			continue
		}
		if !ok {
			continue
		}
		if len(run) > 0 && d.isOfLine(&run[len(run)-1], r) {
			continue
		}
		name := nameBeside(r, &amount)
		aligned := len(run) == 0 || math.Abs(endOf(&run[0])-amount.Words[len(amount.Words)-1].Box.Right) < 2
		if len(name) == 0 || !aligned {
			run, sum = nil, 0
		}
		if len(name) == 0 || len(run) >= d.most {
			continue
		}
		run = append(run, lineWithAmount(r, name, &amount))
		sum += amount.Value
	}
}

// isOfLine reports whether a row right below a line has its quantity and its price: its amount is that of no other line.
func (d *draft) isOfLine(l *Line, r *layout.Row) bool {
	net := l.Numbers["lineNet"]
	_, _, ok := d.factorsIn(r.Words, &net)
	return ok && r.Index == l.Row.Index+1
}

// isBelowTotals reports whether a sum is among the amounts right below a row that has labels of totals and no amount: a strip of
// totals has them in columns.
func (d *draft) isBelowTotals(r *layout.Row, sum int64) bool {
	if layout.HasMoney(r) || r.Index+1 == len(d.Layout.Rows) {
		return false
	}
	below := d.Layout.Rows[r.Index+1]
	return below.Page == r.Page && below.Top-r.Bottom <= 2*r.Height() && slices.ContainsFunc(d.NumbersOf(below), func(n candidate.Number) bool {
		return n.Value == sum && n.HasCents() && !n.Percent
	})
}

// withoutSteps drops the allowances and charges at the end of a run, which are not lines.
func withoutSteps(run []Line) []Line {
	for len(run) > 1 {
		field, is := lexicon.Words().Totals.Exactly(layout.TextOf(run[len(run)-1].Name))
		if !is || field != "allowance" && field != "charge" {
			break
		}
		run = run[:len(run)-1]
	}
	return run
}

// loneAmount is the only amount of a row, at its end.
func (d *draft) loneAmount(r *layout.Row) (found candidate.Number, ok bool) {
	for _, n := range d.NumbersOf(r) {
		if n.Percent || !n.HasCents() {
			continue
		}
		if ok {
			return found, false
		}
		found, ok = n, true
	}
	return found, ok && found.Words[len(found.Words)-1] == r.Words[len(r.Words)-1]
}

// isTotalRow reports whether a row begins with the label of a total that lines can add up to.
func isTotalRow(r *layout.Row) bool {
	return slices.ContainsFunc(r.Find(&lexicon.Words().Totals), func(h layout.Hit) bool {
		return h.StartsCell && h.Field != "allowance" && h.Field != "charge" && h.Field != "carried"
	})
}

// nameBeside are the words of a row before its amount.
func nameBeside(r *layout.Row, amount *candidate.Number) (name []*layout.Word) {
	for _, w := range r.Words {
		_, isCurrency := lexicon.CurrencyWord(w.Text)
		if w == amount.Words[0] {
			break
		}
		if !isCurrency {
			name = append(name, w)
		}
	}
	says := func(w *layout.Word) bool { return len(w.Text) > 1 && strings.ContainsFunc(w.Text, unicode.IsLetter) }
	if !slices.ContainsFunc(name, says) || slices.ContainsFunc(name, func(w *layout.Word) bool { return strings.HasSuffix(w.Text, ":") }) {
		return nil
	}
	return name
}

func endOf(l *Line) float64 {
	of := l.Numbers["lineNet"].Words
	return of[len(of)-1].Box.Right
}

// takeSummed takes rows as the lines, above the first row that is none. Quantity and price of one may be in the row below it.
func (d *draft) takeSummed(run []Line, end *layout.Row) {
	for i := range run {
		l := &run[i]
		net := l.Numbers["lineNet"]
		d.IsLine[l.Row.Index] = true
		for at := l.Row.Index + 1; at < len(d.Layout.Rows) && at <= l.Row.Index+belowName; at++ {
			r := d.Layout.Rows[at]
			if i+1 < len(run) && at >= run[i+1].Row.Index || r.Page != l.Row.Page || r == end || isTotalRow(r) {
				break
			}
			if quantity, price, ok := d.factorsIn(r.Words, &net); ok && !l.IsFixed {
				l.Numbers["quantity"], l.Numbers["unitPrice"], l.IsFixed = quantity, price, true
			}
			l.More = append(l.More, r.Words)
			d.IsLine[at] = true
		}
	}
	d.Lines = run
}
