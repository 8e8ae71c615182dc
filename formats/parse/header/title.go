package header

import (
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// A Title says what kind of document it is.
type Title struct {
	Code  string // UNTDID 1001; empty where it is no invoice
	Words []*layout.Word
	Found bool
	score float64
}

// ReadTitle finds the title: the words for a kind of document in the largest letters,
// or highest on the page, of the first page.
func ReadTitle(l *layout.Layout) (found Title) {
	w := &lexicon.Weigh().Title
	var other *Title // of another document, in letters of the usual size
	for _, r := range l.Rows {
		if r.Page > 1 {
			break
		}
		for _, h := range r.Find(&lexicon.Words().Titles) {
			of := r.Words[h.First : h.Last+1]
			score := of[0].Size * (w.High - r.Top/max(l.Pages[0].Height, 1))
			if of[0].Bold {
				score *= w.Bold
			}
			if !h.StartsCell { // within a sentence
				score *= w.Sentence
			}
			// The name of another document is a title only where it is all that is there:
			// in the head of an invoice, it is a label.
			if other == nil && h.Field == "" && isAlone(r, &h) && r.Top < topPart*l.Pages[0].Height {
				other = &Title{Words: of, Found: true, score: score}
			}
			if h.Field == "" && (h.Colon || len(r.Cells) > 1 || len(r.Cells[0].Words()) > h.Last-h.First+1 || of[0].Size < 1.15*l.Usual) {
				continue
			}
			if score > found.score {
				found = Title{Code: h.Field, Words: of, Found: true, score: score}
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
func isAlone(r *layout.Row, h *layout.Hit) bool {
	if h.First > 0 || h.Colon || len(r.Cells) > 1 {
		return false
	}
	for _, w := range r.Words[h.Last+1:] {
		if !lexicon.HasDigit(w.Text) && !isFiller(w.Text) {
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
func isOther(l *layout.Layout, found Title, other *Title) bool {
	if !found.Found {
		return true
	}
	of, invoice := other.Words[0], found.Words[0]
	row := 0
	for row < len(l.Rows) && l.Rows[row].Bottom <= of.Box.Top {
		row++
	}
	return row < firstRows && of.Box.Bottom <= invoice.Box.Top && of.Size >= invoice.Size
}
