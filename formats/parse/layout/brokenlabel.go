package layout

import (
	"math"
	"strings"

	"einvoice/formats/parse/lexicon"
)

// breakLabels finds the labels of the head that are broken over two rows, as Kenmerk van de / koper in a narrow column, in
// the rows from an index on. Each part alone would be taken for a value, for a name, or for a shorter label, as Référence
// of Référence comptable / de l'acheteur.
func (l *Layout) breakLabels(from int) {
	for _, r := range l.Rows[from:] {
		for i := range r.Cells {
			upper := &r.Cells[i]
			begin := upper.lastPart()
			if begin > upper.Last || !isUnfinished(r, upper, begin) {
				continue
			}
			lower := l.cellBelow(upper)
			hasValue := lower != nil && hasValueBeside(upper, lower)
			if lower == nil || !hasValue && isBesideNumber(r, upper, begin) || lower.Token >= len(lower.Row.Tokens) || lower.Row.Tokens[lower.Token].Word != lower.First {
				continue
			}
			above := r.tokensOf(begin, upper.Last)
			below := lower.Row.Tokens[lower.Token:lower.Row.CellEnd(lower.Token)]
			m, ok := lexicon.Words().Header.Longest(append(above[:len(above):len(above)], below...))
			if !ok || m.Used <= len(above) || lower.Row.goesOn(lower.Token+m.Used-len(above)) {
				continue
			}
			h := Hit{Row: lower.Row, Field: m.Field, First: lower.First, Last: below[m.Used-len(above)-1].Word, Tokens: m.Used, Length: m.Length, StartsCell: true}
			h.setColon()
			if !h.Colon && h.Last < lower.Last { // a sentence goes on
				continue
			}
			if hasValue {
				lower.Row.begun = append(lower.Row.begun, [2]int{h.First, h.Last})
				h.Row, h.First, h.Last = r, begin, upper.Last
				r.broken = append(r.broken, h)
				continue
			}
			r.begun = append(r.begun, [2]int{begin, upper.Last})
			lower.Row.broken = append(lower.Row.broken, h)
		}
	}
}

// isUnfinished reports whether the words from one on to the end of a cell may be the beginning of a label: they have no
// digit and no colon.
func isUnfinished(r *Row, c *Cell, begin int) bool {
	s := TextOf(r.Words[begin : c.Last+1])
	return !lexicon.HasDigit(s) && !strings.HasSuffix(s, ":")
}

// isBesideNumber reports whether the words from one on to the end of a cell are a label themselves, with a value beside it.
func isBesideNumber(r *Row, c *Cell, begin int) bool {
	_, isWhole := lexicon.Words().Header.Exactly(TextOf(r.Words[begin : c.Last+1]))
	return isWhole && c.Last+1 < len(r.Words) && lexicon.HasDigit(r.Cells[r.CellAt(c.Last+1)].Text())
}

// hasValueBeside reports whether what stands beside a cell is no label, and nothing is below it beside the cell below: of a
// label in a column of labels the value is beside its first row.
func hasValueBeside(upper, lower *Cell) bool {
	r := upper.Row
	if upper.Last+1 >= len(r.Words) {
		return false
	}
	beside := &r.Cells[r.CellAt(upper.Last+1)]
	if IsLabel(beside) {
		return false
	}
	for i := range lower.Row.Cells {
		if math.Abs(lower.Row.Cells[i].Left-beside.Left) < 2 {
			return false
		}
	}
	return true
}

// lastPart is the word that begins what stands behind the last bullet of a cell, or the cell.
func (c *Cell) lastPart() int {
	for i := c.Last; i >= c.First; i-- {
		if IsBullet(c.Row.Words[i]) {
			return i + 1
		}
	}
	return c.First
}

// tokensOf are the tokens of words from one to another, none where they are more than a label has.
func (r *Row) tokensOf(first, last int) (of []lexicon.Token) {
	for _, t := range r.Tokens {
		if t.Word >= first && t.Word <= last {
			of = append(of, t)
		}
	}
	if len(of) > maxLabel {
		return nil
	}
	return of
}

// cellBelow is the cell of the next row of a text, from the same left edge; nil where none is.
func (l *Layout) cellBelow(c *Cell) *Cell {
	const (
		near = 2 // points
		most = 4 // rows, with those of other columns between
	)
	for _, r := range l.Rows[c.Row.Index+1 : min(c.Row.Index+1+most, len(l.Rows))] {
		if r.Page != c.Row.Page || r.Top-c.Row.Bottom > 0.8*c.Row.Height() {
			return nil
		}
		for i := range r.Cells {
			if math.Abs(r.Cells[i].Left-c.Left) < near && r.Top > c.Row.Top+0.5*c.Row.Height() {
				return &r.Cells[i]
			}
		}
	}
	return nil
}

// withBroken are the labels of the head that were found in a row, without what is a part of a broken one, and with those
// of which the end is here.
func (r *Row) withBroken(hits []Hit) []Hit {
	if len(r.begun) == 0 && len(r.broken) == 0 {
		return hits
	}
	var of []Hit
	left := r.broken
	for _, h := range hits {
		for len(left) > 0 && left[0].First < h.First {
			of, left = append(of, left[0]), left[1:]
		}
		if !r.isPart(h.First) {
			of = append(of, h)
		}
	}
	return append(of, left...)
}

// isPart reports whether a word is of a label that is broken over two rows.
func (r *Row) isPart(word int) bool {
	for _, of := range r.begun {
		if of[0] <= word && word <= of[1] {
			return true
		}
	}
	for i := range r.broken {
		if r.broken[i].First <= word && word <= r.broken[i].Last {
			return true
		}
	}
	return false
}

// OfBroken are the words of the labels of a row that are broken over two.
func (r *Row) OfBroken() (of []*Word) {
	if len(r.begun) == 0 && len(r.broken) == 0 {
		return nil
	}
	for i, w := range r.Words {
		if r.isPart(i) {
			of = append(of, w)
		}
	}
	return of
}
