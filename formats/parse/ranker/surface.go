package ranker

import (
	"cmp"
	"slices"
	"strings"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// A surface is what is known of pages before candidates are looked at.
type surface struct {
	pages  *candidate.Pages
	rows   []row
	height float64 // of most words of the first page
	each   func(Candidate)
	on     features // of the candidate that is looked at
	words  []*layout.Word
}

// begin begins the features of a candidate with those that all have, and with what is around it.
func (s *surface) begin(r *row, first, n int) *features {
	s.on.on = s.on.on[:0]
	s.words = r.Words[first : first+n]
	s.on.add("")
	s.around(&s.on, r, first, n)
	return &s.on
}

func (s *surface) end(kind Kind, key string) { s.each(Candidate{kind, key, s.words, s.on.on}) }

// A row is one of the layout, with what it says.
type row struct {
	*layout.Row
	folded, shapes []string // by word
	isTyped        []bool   // by word: it is a part of a day, an amount or a share
	hits           []hit    // from left to right
	days           []day
	numbers        []number
}

// A hit is a label, with the name of its field.
type hit struct {
	layout.Hit
	name string
}

// A day is one at a word of a row.
type day struct {
	candidate.Date
	first, n int
}

// A number is one at a word of a row.
type number struct {
	candidate.Number
	first, n int
}

// isMoney reports whether a number may be an amount.
func (n *number) isMoney() bool { return n.Decimals == 2 && !n.Percent }

func newSurface(p *candidate.Pages, named func(uint64, string), each func(Candidate)) *surface {
	s := &surface{pages: p, rows: make([]row, len(p.Layout.Rows)), each: each, on: features{named: named}}
	var heights []float64
	for i, r := range p.Layout.Rows {
		s.rows[i] = s.rowOf(r)
		for _, w := range r.Words {
			if r.Page == 1 {
				heights = append(heights, w.Box.Bottom-w.Box.Top)
			}
		}
	}
	slices.Sort(heights)
	const usual = 10 // points
	s.height = usual
	if len(heights) > 0 && heights[len(heights)/2] > 0 {
		s.height = heights[len(heights)/2]
	}
	return s
}

func (s *surface) rowOf(r *layout.Row) row {
	out := row{Row: r, folded: make([]string, len(r.Words)), shapes: make([]string, len(r.Words))}
	for i, w := range r.Words {
		out.folded[i] = strings.Join(w.Tokens, "")
		out.shapes[i] = shape(out.folded[i])
	}
	words := lexicon.Words()
	for _, set := range []struct {
		name   string
		labels *lexicon.Labels
	}{{"", &words.Header}, {"total ", &words.Totals}, {"party ", &words.Parties}, {"part ", &words.PartyParts}, {"column ", &words.Columns}, {"title ", &words.Titles}} {
		for _, h := range r.Find(set.labels) {
			out.hits = append(out.hits, hit{h, set.name + h.Field})
		}
	}
	slices.SortStableFunc(out.hits, func(a, b hit) int { return cmp.Compare(a.First, b.First) })
	out.isTyped = make([]bool, len(r.Words))
	for i := 0; i < len(r.Words); {
		if d, n := s.pages.Notation.DateAt(r.Words[i:]); n > 0 {
			out.days = append(out.days, day{d, i, n})
			out.markTyped(i, n)
			i += n
		} else if v, n := s.pages.Notation.At(r.Words[i:]); n > 0 {
			out.numbers = append(out.numbers, number{v, i, n})
			if v.Percent || out.numbers[len(out.numbers)-1].isMoney() {
				out.markTyped(i, n)
			}
			i += n
		} else {
			i++
		}
	}
	return out
}

func (r *row) markTyped(first, n int) {
	for i := range n {
		r.isTyped[first+i] = true
	}
}

// mostHits is how many labels count before a word or in a cell.
const mostHits = 12

// hitsBefore are the nearest labels before a word, or at it, from left to right.
func (r *row) hitsBefore(word int) []hit {
	end, _ := slices.BinarySearchFunc(r.hits, word+1, func(h hit, word int) int { return cmp.Compare(h.First, word) })
	return r.hits[max(end-mostHits, 0):end]
}

// hitsIn are the labels that begin in a cell.
func (r *row) hitsIn(c *layout.Cell) []hit {
	begin, _ := slices.BinarySearchFunc(r.hits, c.First, func(h hit, word int) int { return cmp.Compare(h.First, word) })
	end := begin
	for end < len(r.hits) && end < begin+mostHits && r.hits[end].First <= c.Last {
		end++
	}
	return r.hits[begin:end]
}

// A neighbour is a cell above or below others.
type neighbour struct {
	row  *row
	cell *layout.Cell
	gap  float64 // to the one before
}

// gapStep is how wide the gap is, in steps.
func (n *neighbour) gapStep(height float64) int {
	switch gap := n.gap / height; {
	case gap < .8:
		return 0
	case gap < 1.6:
		return 1
	case gap < 3:
		return 2
	}
	return 3
}

// How far neighbours are above or below a cell: in heights of a word, and in rows.
const (
	reach    = 6
	mostRows = 12
)

// above are the nearest cells above a part of a row.
func (s *surface) above(r *row, left, right float64, most int) (found []neighbour) {
	edge := r.Top
	for i := r.Index - 1; i >= max(r.Index-mostRows, 0) && len(found) < most; i-- {
		q := &s.rows[i]
		if q.Page != r.Page || r.Top-q.Bottom >= reach*s.height {
			break
		}
		if c := q.cellAcross(left, right); c != nil {
			found = append(found, neighbour{q, c, edge - q.Bottom})
			edge = q.Top
		}
	}
	return found
}

// below are the nearest cells below a part of a row.
func (s *surface) below(r *row, left, right float64, most int) (found []neighbour) {
	edge := r.Bottom
	for i := r.Index + 1; i < min(r.Index+1+mostRows, len(s.rows)) && len(found) < most; i++ {
		q := &s.rows[i]
		if q.Page != r.Page || q.Top-r.Bottom >= reach*s.height {
			break
		}
		if c := q.cellAcross(left, right); c != nil {
			found = append(found, neighbour{q, c, q.Top - edge})
			edge = q.Bottom
		}
	}
	return found
}

// cellAcross is the first cell that is above or below a part of another row.
func (r *row) cellAcross(left, right float64) *layout.Cell {
	at, _ := slices.BinarySearchFunc(r.Cells, left, func(c layout.Cell, left float64) int {
		if r.Words[c.Last].Box.Right > left {
			return 1
		}
		return -1
	})
	if at < len(r.Cells) && r.Words[r.Cells[at].First].Box.Left < right {
		return &r.Cells[at]
	}
	return nil
}
