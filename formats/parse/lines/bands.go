package lines

import (
	"math"
	"slices"

	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// A band is a part of the width of a table that is filled below its head, with a gap to
// each side.
type band struct {
	left, right    float64
	numbers, texts int // pieces of both kinds
}

// A piece is what a row has in one column: a number, or a run of words.
type piece struct {
	left, right float64
	isNumber    bool
}

// Bounds of the rows that bands are made of.
const (
	bandRows  = 40
	bandCells = 24 // pieces of a row
	maxBands  = 24
)

// fitted are the columns of a head with the places of what is below them: heads are set
// narrower than their columns, in their middle or at another edge, and columns may be empty, so
// that the nearest head of a value is not always its own. Columns and bands are in one order.
func (d *draft) fitted(from int, columns []layout.Column) []layout.Column {
	bands := d.bandsBelow(from, columns)
	if len(bands) < 2 || len(bands) > maxBands || len(columns) > maxBands {
		return columns
	}
	columns = withDescription(bands, columns)
	of := matchBands(bands, columns)
	out := make([]layout.Column, len(columns))
	copy(out, columns)
	for i, at := range of {
		if at < 0 {
			continue
		}
		out[i].Left, out[i].Right = min(columns[i].Left, bands[at].left), max(columns[i].Right, bands[at].right)
		out[i].BandLeft, out[i].BandRight = bands[at].left, bands[at].right
	}
	return out
}

// withDescription adds the column of descriptions where its head has a name that nobody knows: the
// widest band of texts before the first number.
func withDescription(bands []band, columns []layout.Column) []layout.Column {
	if slices.ContainsFunc(columns, func(c layout.Column) bool { return c.Field == "description" }) {
		return columns
	}
	widest := -1
	for i, b := range bands {
		if b.texts > b.numbers && (widest < 0 || b.right-b.left > bands[widest].right-bands[widest].left) {
			widest = i
		}
	}
	if widest < 0 || slices.ContainsFunc(columns, func(c layout.Column) bool { return c.Left < bands[widest].right && c.Right > bands[widest].left }) {
		return columns
	}
	columns = append(slices.Clone(columns), layout.Column{Field: "description", Left: bands[widest].left, Right: bands[widest].right})
	layout.SortColumns(columns)
	return columns
}

// bandsBelow are the bands that the rows with amounts below a head fill, from left to right.
func (d *draft) bandsBelow(from int, columns []layout.Column) []band {
	var bands []band
	rows := d.Layout.Rows
	for i := from; i < len(rows) && i < from+bandRows && rows[i].Page == rows[from].Page; i++ {
		r := rows[i]
		if d.isBelowLines(r) {
			break
		}
		pieces := d.piecesOf(r)
		numbers := 0
		for _, p := range pieces {
			if p.isNumber {
				numbers++
			}
		}
		if numbers < 2 || !layout.HasMoney(r) || len(pieces) > bandCells {
			continue
		}
		for _, p := range pieces {
			bands = withPiece(bands, p)
		}
	}
	// Where numbers and texts are in one band, columns are set over each other.
	return slices.DeleteFunc(bands, func(b band) bool { return min(b.numbers, b.texts) > (b.numbers+b.texts)/4 })
}

// isBelowLines reports whether a row has a label of the totals before its first amount, or names
// several totals as the head of a table does.
func (d *draft) isBelowLines(r *layout.Row) bool {
	heads := 0
	for _, h := range r.Find(&lexicon.Words().Totals) {
		if !h.StartsCell {
			continue
		}
		heads++
		if d.countMoney(r.Words[:h.First]) == 0 && d.countMoney(r.Words[h.Last+1:]) > 0 {
			return true
		}
	}
	return heads > 1 && !layout.HasMoney(r)
}

// piecesOf are the numbers and the texts of a row. A number inside of a text is a part of it.
func (d *draft) piecesOf(r *layout.Row) (pieces []piece) {
	for i := range r.Cells {
		c := &r.Cells[i]
		of := c.Words()
		for j := 0; j < len(of); {
			n, used := d.Notation.At(of[j:])
			if used == 0 {
				pieces = append(pieces, piece{of[j].Box.Left, c.Right, false})
				break
			}
			pieces = append(pieces, piece{n.Words[0].Box.Left, n.Words[used-1].Box.Right, true})
			j += used
			if j < len(of) {
				if _, isUnit := lexicon.UnitCode(of[j].Text); isUnit {
					pieces = append(pieces, piece{of[j].Box.Left, of[j].Box.Right, false})
					j++
				}
			}
		}
	}
	return pieces
}

// withPiece adds a piece to the band that it overlaps, or as a new one; bands that overlap
// become one.
func withPiece(bands []band, p piece) []band {
	const slack = 1.0 // points
	add := band{left: p.left, right: p.right}
	if p.isNumber {
		add.numbers = 1
	} else {
		add.texts = 1
	}
	var out []band
	placed := false
	for _, b := range bands {
		switch {
		case b.right < add.left-slack:
			out = append(out, b)
		case b.left > add.right+slack:
			if !placed {
				out, placed = append(out, add), true
			}
			out = append(out, b)
		default:
			add.left, add.right = min(add.left, b.left), max(add.right, b.right)
			add.numbers, add.texts = add.numbers+b.numbers, add.texts+b.texts
		}
	}
	if !placed {
		out = append(out, add)
	}
	return out
}

// matchBands is the band of each column, -1 for none: of all ways that leave both in order,
// the one that is worth most.
func matchBands(bands []band, columns []layout.Column) []int {
	w := &lexicon.Weigh().Band
	best := make([][]float64, len(columns)+1)
	for i := range best {
		best[i] = make([]float64, len(bands)+1)
	}
	lostFor := func(c *layout.Column) float64 {
		if c.Field == "description" || c.Field == "lineNet" {
			return -w.Needed
		}
		return -w.Empty
	}
	for i := 0; i <= len(columns); i++ {
		for j := 0; j <= len(bands); j++ {
			if i == 0 && j == 0 {
				continue
			}
			v, set := 0.0, false
			take := func(x float64) {
				if !set || x > v {
					v, set = x, true
				}
			}
			if i > 0 {
				take(best[i-1][j] + lostFor(&columns[i-1]))
			}
			if j > 0 {
				take(best[i][j-1] - w.Headless)
			}
			if i > 0 && j > 0 {
				take(best[i-1][j-1] + worthBelow(&bands[j-1], &columns[i-1]))
			}
			best[i][j] = v
		}
	}
	of := make([]int, len(columns))
	for i, j := len(columns), len(bands); i > 0 || j > 0; {
		switch {
		case i > 0 && j > 0 && best[i][j] == best[i-1][j-1]+worthBelow(&bands[j-1], &columns[i-1]):
			i, j = i-1, j-1
			of[i] = j
		case i > 0 && best[i][j] == best[i-1][j]+lostFor(&columns[i-1]):
			i--
			of[i] = -1
		default:
			j--
		}
	}
	return of
}

// worthBelow is what a band is worth as that of a head.
func worthBelow(b *band, c *layout.Column) (v float64) {
	w := &lexicon.Weigh().Band
	if overlap := min(b.right, c.Right) - max(b.left, c.Left); overlap > 0 {
		v = w.Overlap
	} else {
		v = w.Point * overlap
	}
	if math.Abs(b.left-c.Left) < 3 || math.Abs(b.right-c.Right) < 3 {
		v += w.Edge
	}
	switch isNumber := b.numbers > b.texts; {
	case c.Field == "position" || c.Field == "article" || c.Field == "unit" || c.Field == "otherAmount":
	case numeric[c.Field] == isNumber:
		v += w.Kind
	default:
		v -= w.Other
	}
	return v
}
