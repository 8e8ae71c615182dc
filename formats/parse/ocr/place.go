package ocr

import (
	"cmp"
	"math"
)

// A placedWord is a word with the size of its font and its base line, in pixels.
type placedWord struct {
	*inkWord
	size, base float64
}

// Of a line with few words, a size that differs that much from the usual one is not
// trusted: the ink of a table's line or a speck may have been taken for a part of a letter.
const (
	fewInLine = 3
	leastPart = 0.75
	mostPart  = 1.3
)

// oneRow is how far a word is from the base line of its row at most, in sizes of its font,
// that is set on it.
const oneRow = 0.3

// placed finds size and base line of words: by the middle one of the sizes in their line,
// or, where that is not trusted, by a word beside them.
func placed(ink []inkWord) (words []placedWord) {
	byLine := map[string][]float64{}
	var all []float64
	for i := range ink {
		list := byLine[ink[i].line]
		if size := ink[i].size(); size > 0 {
			list, all = append(list, size), append(all, size)
		}
		byLine[ink[i].line] = list
	}
	usual := middle(all)
	sizes, doubtful := map[string]float64{}, map[string]bool{}
	for line, list := range byLine {
		size := cmp.Or(middle(list), usual)
		sizes[line] = size
		doubtful[line] = len(list) < fewInLine && (size < leastPart*usual || size > mostPart*usual)
	}
	bases := map[string][]float64{}
	for i := range ink {
		w := &ink[i]
		base := w.base(sizes[w.line])
		words = append(words, placedWord{w, sizes[w.line], base})
		bases[w.row] = append(bases[w.row], base)
	}
	seat(words, doubtful)
	// The words of a row are on one base line, also those whose ink has a speck.
	rows := map[string]float64{}
	for row, list := range bases {
		rows[row] = middle(list)
	}
	for i := range words {
		if w := &words[i]; !doubtful[w.line] && math.Abs(w.base-rows[w.row]) < oneRow*w.size {
			w.base = rows[w.row]
		}
	}
	return words
}

// seatReach is how many words before and after a word of the output are looked at for one
// that is beside it.
const seatReach = 400

// seat gives words whose size is doubtful the size and base line of the nearest word
// beside them whose base line runs through their lower part.
func seat(words []placedWord, doubtful map[string]bool) {
	for i := range words {
		w := &words[i]
		if !doubtful[w.line] {
			continue
		}
		height, nearest := w.bottom-w.top, 0.0
		var found *placedWord
		for j := max(i-seatReach, 0); j < min(i+seatReach, len(words)); j++ {
			o := &words[j]
			distance := max(o.left-w.right, w.left-o.right)
			if doubtful[o.line] || o.base < w.top+0.5*height || o.base > w.bottom+0.1*height || o.size > height/xHeight {
				continue
			}
			if found == nil || distance < nearest {
				found, nearest = o, distance
			}
		}
		if found != nil {
			w.size, w.base = found.size, found.base
		}
	}
}
