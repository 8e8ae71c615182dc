package ocr

import (
	"cmp"
	"slices"
	"strings"
)

// Bounds of words that two readings have at one place: how much of the smaller one is
// covered, how sure a word has to be that the first reading does not have at all, and how
// much surer one that replaces another.
const (
	samePlace  = 0.4
	leastAdded = 0.4
	surer      = 0.03
	unsure     = 0.6
)

// mostBeside bounds the words that a word is compared with.
const mostBeside = 500

// combine joins two readings of a page: what both read is as sure as the surer one, where
// they differ, the surer one counts, and what only the second has is added. If the second
// is in a foreign language, it counts for words with digits, and for such others that the
// first reading is not sure of.
func combine(first, second []inkWord, foreign bool) []inkWord {
	byTop := func(a, b *inkWord) int { return cmp.Compare(a.top, b.top) }
	sorted := make([]*inkWord, len(first))
	highest := 0.0
	for i := range first {
		sorted[i] = &first[i]
		highest = max(highest, first[i].bottom-first[i].top)
	}
	slices.SortFunc(sorted, byTop)
	replaced := map[*inkWord]bool{}
	var added []inkWord
	for _, w := range second {
		w.line = "2." + w.line
		w.row = w.line
		var same []*inkWord
		start, _ := slices.BinarySearchFunc(sorted, w.top-highest, func(o *inkWord, top float64) int { return cmp.Compare(o.top, top) })
		for _, o := range sorted[start:min(start+mostBeside, len(sorted))] {
			if o.top > w.bottom {
				break
			}
			if o.overlap(&w) > samePlace || w.overlap(o) > samePlace {
				same = append(same, o)
			}
		}
		for _, o := range same { // a line of the second reading is a row of the page
			o.row = w.row
		}
		switch {
		case len(same) == 0 && w.confidence >= leastAdded:
			added = append(added, w)
		case len(same) == 1 && same[0].text == w.text:
			same[0].confidence = max(same[0].confidence, w.confidence)
		case len(same) == 1 && !replaced[same[0]] && (w.confidence <= same[0].confidence+surer || foreign && !hasDigit(w.text) && same[0].confidence > unsure):
			same[0].other = w.text
		case foreign && !hasDigit(w.text) && certainty(same) > unsure:
		case len(same) > 0 && w.confidence > certainty(same)+surer && !slices.ContainsFunc(same, func(o *inkWord) bool { return replaced[o] }):
			for _, o := range same {
				replaced[o] = true
			}
			if len(same) == 1 {
				w.other = same[0].text
			}
			added = append(added, w)
		}
	}
	var all []inkWord
	for i := range first {
		if !replaced[&first[i]] {
			all = append(all, first[i])
		}
	}
	return append(all, added...)
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

// certainty is the least confidence of words.
func certainty(of []*inkWord) float64 {
	least := 1.0
	for _, w := range of {
		least = min(least, w.confidence)
	}
	return least
}
