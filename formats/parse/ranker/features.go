package ranker

import (
	"strings"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
)

// A Candidate is a printed text that may be the value of a field.
type Candidate struct {
	Kind     Kind
	Key      string // what is printed, such that equal values have equal keys
	Words    []*layout.Word
	Features []uint64 // hashes of their names; they are overwritten by those of the next candidate
}

// Candidates goes through those of pages. Named is told the name of each feature where it is not
// nil: training needs that.
func Candidates(p *candidate.Pages, named func(feature uint64, name string), each func(Candidate)) {
	s := newSurface(p, named, each)
	s.days()
	s.amounts()
	s.numbers()
	s.names()
}

// FNV-1a, 64 bits.
const (
	offset = 14695981039346656037
	prime  = 1099511628211
)

// Constant is the feature that each candidate has.
var Constant = hash("")

func hash(parts ...string) uint64 {
	h := uint64(offset)
	for _, part := range parts {
		for i := range len(part) {
			h = (h ^ uint64(part[i])) * prime
		}
	}
	return h
}

// features are those of one candidate.
type features struct {
	on    []uint64
	named func(uint64, string)
}

// add adds the feature whose name has some parts.
func (f *features) add(parts ...string) {
	h := hash(parts...)
	f.on = append(f.on, h)
	if f.named != nil {
		f.named(h, strings.Join(parts, ""))
	}
}

// when adds a feature if it holds.
func (f *features) when(holds bool, name string) {
	if holds {
		f.add(name)
	}
}

// count adds a feature for a number: each up to the last one.
func (f *features) count(name string, n, last int) {
	f.add(name, digits[min(max(n, 0), min(last, len(digits)-1))])
}

// step adds a feature for how many of the rising edges a number has reached.
func (f *features) step(name string, v float64, edges ...float64) {
	n := 0
	for n < len(edges) && v >= edges[n] {
		n++
	}
	f.count(name, n, len(edges))
}

var digits = [...]string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}

// longestWord is how many characters of a word count.
const longestWord = 14

// shape is what counts of a word: its first letters, or how many digits it has.
func shape(folded string) string {
	numbers := 0
	for i := range len(folded) {
		if folded[i] >= '0' && folded[i] <= '9' {
			numbers++
		}
	}
	switch {
	case folded == "":
		return "_"
	case numbers == len(folded):
		return "#" + digits[min(numbers, 6)]
	case numbers > 0:
		return "#x"
	}
	return folded[:min(len(folded), longestWord)]
}

// around adds what stands around words of a row: beside them, above them, and where on the page.
func (s *surface) around(f *features, r *row, first, n int) {
	last := first + n - 1
	cell := r.CellAt(first)
	c := &r.Cells[cell]
	s.beside(f, r, first, last, c)
	s.labels(f, r, first, c)
	for j, q := range s.above(r, r.Words[first].Box.Left, r.Words[last].Box.Right, 2) {
		at := digits[j]
		gap := digits[q.gapStep(s.height)]
		for i := q.cell.First; i <= min(q.cell.Last, q.cell.First+3); i++ {
			f.add("above ", at, ": ", q.row.shapes[i])
		}
		for _, h := range q.row.hitsIn(q.cell) {
			f.add("label above ", at, ": ", h.name, " at ", gap)
			f.add("label above ", at, ": ", h.name)
		}
	}
	for _, q := range s.below(r, r.Words[first].Box.Left, r.Words[last].Box.Right, 1) {
		for _, h := range q.row.hitsIn(q.cell) {
			f.add("label below: ", h.name)
		}
	}
	s.nextRows(f, r)
	s.place(f, r, first, last, cell)
}

// nextRows adds the labels of the rows right above and below, wherever they are in them.
func (s *surface) nextRows(f *features, r *row) {
	for i, name := range []string{"row above has: ", "row below has: "} {
		at := r.Index + 2*i - 1
		if at < 0 || at >= len(s.rows) || s.rows[at].Page != r.Page {
			f.add(name, "nothing")
			continue
		}
		hits := s.rows[at].hits
		for i := range hits[:min(len(hits), mostHits)] {
			f.add(name, hits[i].name)
		}
	}
}

// beside adds the words before and behind in the row.
func (s *surface) beside(f *features, r *row, first, last int, c *layout.Cell) {
	for j := 1; j <= 3 && first-j >= 0; j++ {
		where := " elsewhere: "
		if first-j >= c.First {
			where = " in the cell: "
		}
		f.add("before ", digits[j], where, r.shapes[first-j])
		f.add("before", where, r.shapes[first-j])
	}
	if first >= 2 {
		f.add("before: ", r.shapes[first-2], " ", r.shapes[first-1])
	}
	for j := 1; j <= 2 && last+j < len(r.Words); j++ {
		f.add("behind ", digits[j], ": ", r.shapes[last+j])
	}
	f.when(first == c.First, "starts the cell")
	f.when(first == 0, "starts the row")
	f.when(last == c.Last, "ends the cell")
	f.when(last == len(r.Words)-1, "ends the row")
	f.count("words before in the cell: ", first-c.First, 4)
	f.add("row begins: ", r.shapes[0])
	for _, shape := range r.shapes[:min(len(r.shapes), 6)] {
		f.add("row has: ", shape)
	}
}

// labels adds the labels before words in their row, the nearest above all, and those that they are in.
func (s *surface) labels(f *features, r *row, first int, c *layout.Cell) {
	var nearest *hit
	before := r.hitsBefore(first)
	for i := range before {
		h := &before[i]
		switch {
		case h.Last < first:
			f.add("label before", isIn(h, c), h.name)
			if nearest == nil || h.Last > nearest.Last {
				nearest = h
			}
		default:
			f.add("in the label ", h.name)
		}
	}
	if nearest == nil {
		f.add("no label before")
		return
	}
	f.add("nearest label", isIn(nearest, c), nearest.name, " at ", digits[min(first-nearest.Last-1, 3)])
	f.add("nearest label: ", nearest.name)
	if nearest.Colon {
		f.add("nearest label with a colon: ", nearest.name)
	}
}

func isIn(h *hit, c *layout.Cell) string {
	if h.Last >= c.First {
		return " in the cell: "
	}
	return " elsewhere: "
}

// place adds where words are on the page, and what their row is like.
func (s *surface) place(f *features, r *row, first, last, cell int) {
	sheet := &s.pages.Layout.Pages[r.Page-1]
	left, right := r.Words[first].Box.Left, r.Words[last].Box.Right
	f.count("cells: ", len(r.Cells), 5)
	f.count("cell: ", cell, 4)
	f.step("words in the row: ", float64(len(r.Words)), 2, 4, 7, 12)
	f.count("tenth from the top: ", int(10*r.Top/max(sheet.Height, 1)), 9)
	f.count("fifth from the left: ", int(5*left/max(sheet.Width, 1)), 4)
	f.count("ends in fifth: ", int(5*right/max(sheet.Width, 1)), 5)
	f.when(r.Page == 1, "first page")
	f.when(r.Page == len(s.pages.Layout.Pages), "last page")
	box := r.Words[first].Box
	f.step("size: ", (box.Bottom-box.Top)/s.height, .85, 1.15, 1.5)
	f.count("numbers in the row: ", len(r.numbers), 4)
}
