package lines

import (
	"slices"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
)

// factorsIn are a quantity and a price among words below a line that lead to its amount, as 3 pcs × 231.71: the quantity first.
func (d *draft) factorsIn(of []*layout.Word, net *candidate.Number) (quantity, price candidate.Number, ok bool) {
	numbers := slices.DeleteFunc(d.Notation.All(of), func(n candidate.Number) bool { return n.Percent })
	numbers = numbers[:min(len(numbers), mostMultiplied)]
	for i := range numbers {
		for j := i + 1; j < len(numbers); j++ {
			if numbers[j].Decimals >= 2 && closes(&numbers[i], &numbers[j], net) {
				return numbers[i], numbers[j], true
			}
		}
	}
	return quantity, price, false
}

// belowName is how many rows below the amount of a line its quantity and its price may stand.
const belowName = 3

// takeFactors takes the quantity and the price of a line that has none in its row from a row below its name.
func (d *draft) takeFactors(of int) {
	l := &d.Lines[of]
	_, hasQuantity := l.Numbers["quantity"]
	_, hasPrice := l.Numbers["unitPrice"]
	net := l.Numbers["lineNet"]
	end := min(l.Row.Index+1+belowName, len(d.Layout.Rows))
	if of+1 < len(d.Lines) {
		end = min(end, d.Lines[of+1].Row.Index)
	}
	for i := l.Row.Index + 1; i < end && !hasQuantity && !hasPrice; i++ {
		r := d.Layout.Rows[i]
		if r.Page != l.Row.Page || !d.IsLine[i] && len(l.More) == 0 || isTotalRow(r) {
			return
		}
		if quantity, price, ok := d.factorsIn(r.Words, &net); ok {
			l.Numbers["quantity"], l.Numbers["unitPrice"], l.IsFixed = quantity, price, true
			return
		}
	}
}

// readBelow reads rows of a text and an amount of which each has its quantity and its price in the row right below it, where the
// lines do not come to a total of the page: they have a discount, or one of them has no such row.
func (d *draft) readBelow() {
	var found []Line
	isProved := false // by more than an amount that is printed twice beside a one
	for i, r := range d.Layout.Rows {
		amount, ok := d.loneAmount(r)
		if !ok || isTotalRow(r) || i+1 == len(d.Layout.Rows) || len(found) >= d.most || d.IsOfAccount(r) {
			continue
		}
		below := d.Layout.Rows[i+1]
		name := nameBeside(r, &amount)
		if below.Page != r.Page || below.Top-r.Bottom > r.Height() || isTotalRow(below) || len(name) == 0 {
			continue
		}
		if quantity, _, ok := d.factorsIn(below.Words, &amount); ok {
			isProved = isProved || !isOne(&quantity)
			found = append(found, lineWithAmount(r, name, &amount))
		}
	}
	if isProved {
		d.takeSummed(found, nil)
	}
}

// lineWithAmount is a line of which a row has the name and the amount.
func lineWithAmount(r *layout.Row, name []*layout.Word, amount *candidate.Number) Line {
	return Line{Row: r, Name: name, Numbers: map[string]candidate.Number{"lineNet": *amount}, Texts: map[string][]*layout.Word{}, all: []candidate.Number{*amount}}
}
