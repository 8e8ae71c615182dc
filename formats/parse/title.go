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
			if !h.startsCell {
				continue
			}
			of := r.words[h.first : h.last+1]
			score := of[0].Size * (1.2 - r.top/max(d.layout.pages[0].Height, 1))
			if of[0].Bold {
				score *= 1.2
			}
			// A label such as "Bestellung Nr." in the head is no title beside one.
			if h.colon || h.field == "" {
				score *= 0.7
			}
			if score > d.title.score {
				d.title = title{code: h.field, words: of, found: true, score: score}
			}
		}
	}
}
