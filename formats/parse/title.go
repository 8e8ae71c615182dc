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
func readTitle(l *layout) (found title) {
	var other *title // of another document, in letters of the usual size
	for _, r := range l.rows {
		if r.page > 1 {
			break
		}
		for _, h := range r.find(&words().Titles) {
			of := r.words[h.first : h.last+1]
			score := of[0].Size * (1.2 - r.top/max(l.pages[0].Height, 1))
			if of[0].Bold {
				score *= 1.2
			}
			if !h.startsCell { // within a sentence
				score *= 0.3
			}
			// The name of another document is a title only where it is all that is there:
			// in the head of an invoice, it is a label.
			if other == nil && h.field == "" && isAlone(r, &h) && r.top < topPart*l.pages[0].Height {
				other = &title{words: of, found: true, score: score}
			}
			if h.field == "" && (h.colon || len(r.cells) > 1 || len(r.cells[0].words()) > h.last-h.first+1 || of[0].Size < 1.15*l.usual) {
				continue
			}
			if score > found.score {
				found = title{code: h.field, words: of, found: true, score: score}
			}
		}
	}
	if other != nil && isOther(l, found, other) {
		return *other
	}
	return found
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
func isOther(l *layout, found title, other *title) bool {
	if !found.found {
		return true
	}
	of, invoice := other.words[0], found.words[0]
	row := 0
	for row < len(l.rows) && l.rows[row].bottom <= of.Box.Top {
		row++
	}
	return row < firstRows && of.Box.Bottom <= invoice.Box.Top && of.Size >= invoice.Size
}
