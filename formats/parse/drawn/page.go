package drawn

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"einvoice/formats/pdf/text"
)

// A Page is a page of paper on which rows are drawn from the top.
type Page struct {
	// Sheet has what was drawn.
	Sheet text.Sheet

	y float64 // of the last row's base line
}

// NewPage returns an empty page of A4.
func NewPage() *Page { return &Page{Sheet: text.Sheet{Width: 595, Height: 842}} }

const (
	blank  = 0.3 // the width of a space, of the size of the letters
	margin = 8.0 // at the top, in points
	foot   = 20.0
)

// Add draws a row such as "14|50@7 Qty|>330 Amount": how far its base line is below that of the row before
// (or, behind "=", from the top of the page), and texts with their left edges in points, ">" before an
// edge for the right one, and "@" behind it for the size of the letters. It returns an error where a
// place is no number, or a text has no room.
func (p *Page) Add(row string) error {
	step, rest, _ := strings.Cut(row, "|")
	by := 0.0
	if _, err := fmt.Sscan(strings.TrimPrefix(step, "="), &by); err != nil {
		return fmt.Errorf("%q: %w", row, err)
	}
	if strings.HasPrefix(step, "=") {
		by -= p.y
	}
	if p.y += by; p.y < margin || p.y > p.Sheet.Height-foot {
		return fmt.Errorf("%q has no room", row)
	}
	end := 0.0
	for cell := range strings.SplitSeq(rest, "|") {
		place, content, _ := strings.Cut(strings.TrimSpace(cell), " ")
		edge, size, isSized := strings.Cut(place, "@")
		x, letters := 0.0, 10.0
		if _, err := fmt.Sscan(strings.TrimPrefix(edge, ">"), &x); err != nil {
			return fmt.Errorf("%q: %w", row, err)
		}
		if _, err := fmt.Sscan(size, &letters); err != nil && isSized {
			return fmt.Errorf("%q: %w", row, err)
		}
		words := strings.FieldsFunc(content, unicode.IsSpace)
		width := blank * letters * float64(len(words)-1)
		for _, word := range words {
			width += widthOf(word, letters)
		}
		if strings.HasPrefix(edge, ">") {
			x -= width
		}
		if x < end+1 || x+width > p.Sheet.Width {
			return fmt.Errorf("%q has no room in %q", content, row)
		}
		end = x + width
		for _, word := range words {
			w := widthOf(word, letters)
			p.Sheet.Words = append(p.Sheet.Words, text.Word{Text: word, Size: letters, Box: text.Box{Left: x, Top: p.y - 0.74*letters, Right: x + w, Bottom: p.y + 0.22*letters}})
			x += w + blank*letters
		}
	}
	return nil
}

// widthOf is how wide a word is in letters of a size.
func widthOf(word string, letters float64) float64 {
	return float64(utf8.RuneCountInString(word)) * letters / 2
}
