package layout

import (
	"strings"
	"unicode"
)

// repeatedRows are the rows that another page has at the same place, as letterheads and
// footers: the same text but for its digits, such as the number of the page.
func repeatedRows(l *Layout) []bool {
	type place struct {
		text      string
		left, top int
	}
	first := map[place]*Row{}
	repeated := make([]bool, len(l.Rows))
	for _, r := range l.Rows {
		text := strings.Map(func(c rune) rune {
			if unicode.IsDigit(c) {
				return '0'
			}
			return c
		}, TextOf(r.Words))
		const grid = 2 // points
		at := place{text, int(r.Words[0].Box.Left) / grid, int(r.Top) / grid}
		switch f := first[at]; {
		case f == nil:
			first[at] = r
		case f.Page != r.Page:
			repeated[f.Index], repeated[r.Index] = true, true
		}
	}
	return repeated
}
