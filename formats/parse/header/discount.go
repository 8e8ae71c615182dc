package header

import (
	"slices"
	"strings"
	"unicode"

	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// endsDiscount reports whether a day ends the term of a discount for early payment and not that of
// payment: its clause in the row names a discount, as in "2 % Skonto bis 13.11.2026, netto bis ...". What
// follows a day right behind the colon of its label says nothing about it.
func endsDiscount(h *layout.Hit, day []*layout.Word) bool {
	r := h.Row
	first := slices.Index(r.Words, day[0])
	last := slices.Index(r.Words, day[len(day)-1])
	if first < 0 || last < 0 { // part of the day is in another row
		return false
	}
	for i := first - 1; i >= 0 && !endsClause(r.Words[i]); i-- {
		if namesDiscount(r, i) {
			return true
		}
	}
	if h.Colon && first > h.Last && first <= h.Last+2 { // the colon may be a word
		return false
	}
	for i := last; i+1 < len(r.Words) && !endsClause(r.Words[i]) && !endsSentence(r, i); i++ {
		if namesDiscount(r, i+1) {
			return true
		}
	}
	return false
}

func namesDiscount(r *layout.Row, i int) bool {
	words := lexicon.Words()
	return isDiscount(r.Words[i]) && (i == 0 || !slices.Contains(words.Denials, folded(r.Words[i-1])))
}

// endsClause reports whether another clause begins behind a word, or with it.
func endsClause(w *layout.Word) bool {
	return strings.HasSuffix(w.Text, ",") || strings.HasSuffix(w.Text, ";") || slices.Contains(lexicon.Words().ClauseWords, folded(w))
}

// endsSentence reports whether a word ends with a point and a capital letter follows.
func endsSentence(r *layout.Row, i int) bool {
	return strings.HasSuffix(r.Words[i].Text, ".") && unicode.IsUpper([]rune(r.Words[i+1].Text)[0])
}

func folded(w *layout.Word) string { return lexicon.Fold(strings.Trim(w.Text, ".,;:()")) }

// isDiscount reports whether a word names a discount for early payment.
func isDiscount(w *layout.Word) bool { return slices.Contains(lexicon.Words().Discounts, folded(w)) }
