package parse

// A title says what kind of document it is.
type title struct {
	code  string // UNTDID 1001; empty where it is no invoice
	words []*word
	found bool
	score float64
}

// readTitle finds the title: the words for a kind of document in the largest letters,
// or highest on the page, of the first page.
func (d *document) readTitle() {
	var other *title // of another document, in letters of the usual size
	defer func() {
		if other != nil && d.isOther(other) {
			d.title = *other
		}
	}()
	for _, r := range d.layout.rows {
		if r.page > 1 {
			return
		}
		for _, h := range r.find(words().titles) {
			of := r.words[h.first : h.last+1]
			score := of[0].Size * (1.2 - r.top/max(d.layout.pages[0].Height, 1))
			if of[0].Bold {
				score *= 1.2
			}
			if !h.startsCell { // within a sentence
				score *= 0.3
			}
			// The name of another document is a title only where it is all that is there:
			// in the head of an invoice, it is a label.
			if other == nil && h.field == "" && isAlone(r, &h) && r.top < topPart*d.layout.pages[0].Height {
				other = &title{words: of, found: true, score: score}
			}
			if h.field == "" && (h.colon || len(r.cells) > 1 || len(r.cells[0].words()) > h.last-h.first+1 || of[0].Size < 1.15*d.usual) {
				continue
			}
			if score > d.title.score {
				d.title = title{code: h.field, words: of, found: true, score: score}
			}
		}
	}
}

// topPart is the part of the first page that has the title of a document.
const topPart = 0.4

// isAlone tells whether a row has a title, with a number behind it at most.
func isAlone(r *row, h *hit) bool {
	if h.first > 0 || h.colon || len(r.cells) > 1 {
		return false
	}
	for _, w := range r.words[h.last+1:] {
		if !hasDigit(w.Text) && !isFiller(w.Text) {
			return false
		}
	}
	return true
}

// firstRows is in how many of the first rows the title of another document is, where a
// row below names an invoice, as a reminder does.
const firstRows = 3

// isOther tells whether the title of another document is that of the whole: no invoice is
// named as largely, or the first rows have it, above the name of an invoice.
func (d *document) isOther(other *title) bool {
	if !d.title.found {
		return true
	}
	of, invoice := other.words[0], d.title.words[0]
	row := 0
	for row < len(d.layout.rows) && d.layout.rows[row].bottom <= of.Box.Top {
		row++
	}
	return row < firstRows && of.Box.Bottom <= invoice.Box.Top && of.Size >= invoice.Size
}

// usualSize is the size of most letters of the first page.
func (d *document) usualSize() float64 {
	count := map[float64]int{}
	best := 0.0
	for _, r := range d.layout.rows {
		if r.page > 1 {
			break
		}
		for _, w := range r.words {
			count[w.Size] += len(w.Text)
			if n := count[w.Size]; n > count[best] || n == count[best] && w.Size < best {
				best = w.Size
			}
		}
	}
	return best
}
