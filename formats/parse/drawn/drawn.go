// Package drawn makes small pages for tests out of texts and their places.
package drawn

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"einvoice/formats/pdf/text"
)

const size = 10 // of letters, in points; each is half as wide

// Sheet is a page of rows such as "150|50 Qty|>330 Amount": the base line, and texts with
// their left edges in points, where ">" before an edge sets the text to its left. It panics
// where a number is none.
func Sheet(rows ...string) text.Sheet {
	sheet := text.Sheet{Width: 595, Height: 842}
	for _, row := range rows {
		at, rest, _ := strings.Cut(row, "|")
		for cell := range strings.SplitSeq(rest, "|") {
			edge, content, _ := strings.Cut(strings.TrimSpace(cell), " ")
			x := number(strings.TrimPrefix(edge, ">"))
			if strings.HasPrefix(edge, ">") {
				x -= float64(utf8.RuneCountInString(content)) * size / 2
			}
			sheet.Words = append(sheet.Words, Words(content, x, number(at), size/2)...)
		}
	}
	return sheet
}

// Words are the words of a text that begins at a place, with a gap between them.
func Words(content string, x, y, gap float64) (words []text.Word) {
	for part := range strings.SplitSeq(content, " ") {
		width := float64(utf8.RuneCountInString(part)) * size / 2
		if part != "" {
			words = append(words, text.Word{Text: part, Size: size, Box: text.Box{Left: x, Top: y - 7.4, Right: x + width, Bottom: y + 2.2}})
		}
		x += width + gap
	}
	return words
}

func number(s string) (v float64) {
	if _, err := fmt.Sscanf(s, "%g", &v); err != nil {
		panic(fmt.Sprintf("drawn: %q is not a place", s))
	}
	return v
}
