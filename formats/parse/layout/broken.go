package layout

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"einvoice/formats/parse/lexicon"
)

// NextOfColumn is the cell in the row right above (-1) or below (1) one, from a left edge; nil where none is so near as the
// rows of one text are.
func (l *Layout) NextOfColumn(r *Row, left float64, step int) *Cell {
	const (
		apart = 0.8 // heights of a row between the two, at most
		near  = 3   // points between their left edges, at most
	)
	i := r.Index + step
	if i < 0 || i >= len(l.Rows) {
		return nil
	}
	next := l.Rows[i]
	if gap := max(next.Top-r.Bottom, r.Top-next.Bottom); next.Page != r.Page || gap > apart*r.Height() {
		return nil
	}
	at := slices.IndexFunc(next.Cells, func(c Cell) bool { return math.Abs(c.Left-left) < near })
	if at < 0 {
		return nil
	}
	return &next.Cells[at]
}

// RestOfLabel is the cell below one that may be the rest of its label, as d'échéance below Date in a narrow column, and the
// field that both ask for, if they are known: neither has a digit, and the lower one is not a label by itself, unless it begins in
// small letters as paiement below Date de. It is nil where none is.
func (l *Layout) RestOfLabel(c *Cell) (rest *Cell, field string) {
	if lexicon.HasDigit(c.Text()) || strings.HasSuffix(c.Text(), ":") {
		return nil, ""
	}
	below := l.NextOfColumn(c.Row, c.Left, 1)
	if below == nil || lexicon.HasDigit(below.Text()) {
		return nil, ""
	}
	if first, _ := utf8.DecodeRuneInString(below.Text()); IsLabel(below) && !unicode.IsLower(first) {
		return nil, ""
	}
	if of, known := lexicon.Words().Header.Exactly(c.Text() + " " + below.Text()); known {
		field = of
	}
	return below, field
}

// EndsLabel reports whether a cell is the rest of a label that begins in the row above.
func (l *Layout) EndsLabel(c *Cell) bool {
	above := l.NextOfColumn(c.Row, c.Left, -1)
	if above == nil || lexicon.HasDigit(above.Text()+c.Text()) {
		return false
	}
	_, known := lexicon.Words().Header.Exactly(above.Text() + " " + c.Text())
	return known
}
