package header

import (
	"strconv"

	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// markZone is the part of a page at its head and at its foot that has its number.
const markZone = 0.2

// PageMark is what a page says of its number, as in Page 1 of 3; 0 where it says none.
func PageMark(l *layout.Layout, page int) int {
	height := l.Pages[page-1].Height
	for _, r := range l.Rows {
		if r.Page != page || r.Top > markZone*height && r.Bottom < (1-markZone)*height {
			continue
		}
		for i := range r.Tokens {
			if !lexicon.Words().PageWords[r.Tokens[i].Text] {
				continue
			}
			for j := i + 1; j < min(i+3, len(r.Tokens)); j++ { // Page no. 1
				if n, err := strconv.Atoi(r.Tokens[j].Text); err == nil && n > 0 {
					return n
				}
			}
		}
	}
	return 0
}
