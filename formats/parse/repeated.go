package parse

import (
	"strings"
	"unicode"
)

// repeatedRows are the rows that another page has at the same place, as letterheads and
// footers: the same text but for its digits, such as the number of the page.
func repeatedRows(l *layout) []bool {
	type place struct {
		text      string
		left, top int
	}
	first := map[place]*row{}
	repeated := make([]bool, len(l.rows))
	for _, r := range l.rows {
		text := strings.Map(func(c rune) rune {
			if unicode.IsDigit(c) {
				return '0'
			}
			return c
		}, textOf(r.words))
		const grid = 2 // points
		at := place{text, int(r.words[0].Box.Left) / grid, int(r.top) / grid}
		switch f := first[at]; {
		case f == nil:
			first[at] = r
		case f.page != r.page:
			repeated[f.index], repeated[r.index] = true, true
		}
	}
	return repeated
}
