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
			if h.field == "" && (h.colon || len(r.cells) > 1 || len(r.cells[0].words()) > h.last-h.first+1 || of[0].Size < 1.15*d.usual) {
				continue
			}
			if score > d.title.score {
				d.title = title{code: h.field, words: of, found: true, score: score}
			}
		}
	}
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
