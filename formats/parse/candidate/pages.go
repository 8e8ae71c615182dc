package candidate

import (
	"einvoice/formats/parse/layout"
	"einvoice/formats/pdf/text"
)

// Pages are pages whose notation of numbers and days is known.
type Pages struct {
	Layout   *layout.Layout
	Notation Notation
	numbers  [][]Number // by index of the row
}

// Of lays out pages and decides their notation.
func Of(sheets []text.Sheet) *Pages {
	l := layout.New(sheets)
	p := &Pages{Layout: l, Notation: NotationOf(l)}
	for _, r := range l.Rows {
		p.numbers = append(p.numbers, p.Notation.All(r.Words))
	}
	return p
}

// NumbersOf are the numbers of a row.
func (d *Pages) NumbersOf(r *layout.Row) []Number { return d.numbers[r.Index] }

// All are the numbers in words, from left to right.
func (n Notation) All(of []*layout.Word) (all []Number) {
	for i := 0; i < len(of); {
		number, used := n.At(of[i:])
		if used > 0 {
			all = append(all, number)
		} else { // the groups of a number that is too large are none of their own
			_, used = joinGroups(of[i:], n.spaced)
		}
		i += max(used, 1)
	}
	return all
}

// Printed is a value with the words that it was read from.
type Printed struct {
	Value string
	Words []*layout.Word
}

// RowBelow is the row right below another one, which a text may go on in; nil where there is none.
func (d *Pages) RowBelow(r *layout.Row) *layout.Row {
	if r.Index+1 >= len(d.Layout.Rows) {
		return nil
	}
	below := d.Layout.Rows[r.Index+1]
	if below.Page != r.Page || below.Top-r.Bottom > r.Height() {
		return nil
	}
	return below
}

// rowsBelow are the rows that a text may go on in where other columns have rows between them.
func (d *Pages) rowsBelow(r *layout.Row) []*layout.Row {
	const most = 3
	end := r.Index + 1
	for end < len(d.Layout.Rows) && end <= r.Index+most && d.Layout.Rows[end].Page == r.Page && d.Layout.Rows[end].Top-r.Bottom <= r.Height() {
		end++
	}
	return d.Layout.Rows[r.Index+1 : end]
}
