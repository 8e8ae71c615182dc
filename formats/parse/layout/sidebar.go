package layout

import (
	"cmp"
	"math"
	"slices"

	"einvoice/formats/parse/lexicon"
	"einvoice/formats/pdf/text"
)

// What makes a column beside the body of a page, such as one with the seller and the
// invoice's number down its left edge.
const (
	sideWords  = 6    // of each column, at least
	sideLabels = 2    // of the invoice's head in the column, at least
	sideGap    = 8.0  // points between both
	sideWidth  = 0.4  // of the page, at most
	sideExtent = 0.15 // of the page's height, at least, which both share
	sameLine   = 0.6  // points that base lines of one row differ by at most
	sharedRows = 0.4  // of its rows, at most, are on a base line of the body
	maxGutters = 50   // that are tried, so that work stays about proportional to the words
)

// besideBody parts the words of a page into those of a column beside the body and the others;
// side is nil where there is no such column. Columns of a table are none: their rows are on one
// base line. Pages that were recognised are not parted, as their base lines are not exact.
func besideBody(sheet *text.Sheet, all []*Word) (side, body []*Word) {
	if sheet.Recognised || len(all) < 2*sideWords {
		return nil, nil
	}
	byLeft := slices.SortedFunc(slices.Values(all), func(a, b *Word) int { return cmp.Compare(a.Box.Left, b.Box.Left) })
	reach, gutters := byLeft[0].Box.Right, 0
	for i := 1; i < len(byLeft) && gutters < maxGutters; i++ {
		gap := byLeft[i].Box.Left - reach
		reach = max(reach, byLeft[i].Box.Right)
		if gap < sideGap || i < sideWords || len(byLeft)-i < sideWords {
			continue
		}
		gutters++
		left, right := byLeft[:i], byLeft[i:]
		side, body := left, right
		if width(left) > width(right) {
			side, body = right, left
		}
		if width(side) <= sideWidth*sheet.Width && sharedExtent(side, body) >= sideExtent*sheet.Height && sharesFewRows(side, body) && isAboutInvoice(side) && hasTable(body) {
			return inOrder(all, side), inOrder(all, body)
		}
	}
	return nil, nil
}

// isAboutInvoice reports whether words have labels of the head of an invoice, and no amounts of
// a table.
func isAboutInvoice(of []*Word) bool {
	labels, amounts := 0, 0
	for _, r := range rowsOf(of) {
		for _, h := range r.Find(&lexicon.Words().Header) {
			if h.StartsCell && h.Field != "other" {
				labels++
			}
		}
		if HasMoney(r) {
			amounts++
		}
	}
	return labels >= sideLabels && amounts < sideLabels
}

// hasTable reports whether words have the head of a table of lines, with a column for what was
// delivered.
func hasTable(of []*Word) bool {
	rows := rowsOf(of)
	for i := range rows {
		columns := columnsOf(rows[i])
		if slices.ContainsFunc(columns, func(c Column) bool { return c.Field == "description" || c.Field == "article" }) {
			return true
		}
	}
	return false
}

func rowsOf(of []*Word) []*Row {
	l := &Layout{}
	l.addRows(slices.Clone(of), 1)
	return l.Rows
}

func width(of []*Word) float64 {
	left, right := of[0].Box.Left, of[0].Box.Right
	for _, w := range of {
		left, right = min(left, w.Box.Left), max(right, w.Box.Right)
	}
	return right - left
}

// sharedExtent is how high the part of the page is that both columns are in.
func sharedExtent(a, b []*Word) float64 {
	topA, bottomA := extent(a)
	topB, bottomB := extent(b)
	return min(bottomA, bottomB) - max(topA, topB)
}

func extent(of []*Word) (top, bottom float64) {
	top, bottom = of[0].Box.Top, of[0].Box.Bottom
	for _, w := range of {
		top, bottom = min(top, w.Box.Top), max(bottom, w.Box.Bottom)
	}
	return top, bottom
}

// sharesFewRows reports whether few of the rows of a column that are beside the body are on a base line of it.
func sharesFewRows(side, body []*Word) bool {
	lines := baseLines(body)
	top, bottom := extent(body)
	rows, shared := 0, 0
	for _, line := range baseLines(side) {
		if line < top || line > bottom {
			continue
		}
		rows++
		at, _ := slices.BinarySearch(lines, line-sameLine)
		if at < len(lines) && lines[at] <= line+sameLine {
			shared++
		}
	}
	return float64(shared) <= sharedRows*float64(rows)
}

// baseLines are the different base lines of words, from top to bottom.
func baseLines(of []*Word) []float64 {
	lines := make([]float64, len(of))
	for i, w := range of {
		lines[i] = w.baseLine()
	}
	slices.Sort(lines)
	return slices.CompactFunc(lines, func(a, b float64) bool { return math.Abs(b-a) < sameLine })
}

// inOrder are the words of a part in the order in which the page shows them.
func inOrder(all, part []*Word) []*Word {
	of := make(map[*Word]bool, len(part))
	for _, w := range part {
		of[w] = true
	}
	out := make([]*Word, 0, len(part))
	for _, w := range all {
		if of[w] {
			out = append(out, w)
		}
	}
	return out
}
