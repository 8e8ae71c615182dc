package report

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"einvoice/model/quote"
	"einvoice/model/source"
)

// quotedBytes is how much of a line is looked at on both sides of a place: as many
// characters as are shown, each of up to four bytes.
const quotedBytes = 4 * textWidth

// sourceOf is the document to quote lines of; nil if there is none.
func sourceOf(o *Outcome) *source.Tree {
	if o.Document == nil {
		return nil
	}
	return o.Document.Source
}

// quoteLine prints the line of a place with its number and a mark below the column. A long
// line is shown from the place on.
func quoteLine(b *bytes.Buffer, t *textWriter, from *source.Tree, at source.Position) {
	place, ok := from.OffsetOf(at)
	if !ok {
		return
	}
	before := from.Data[max(0, place-quotedBytes):place]
	switch i := strings.LastIndexAny(before, "\r\n"); {
	case i < 0 && place > quotedBytes:
		before = ""
	default:
		before = strings.TrimLeft(before[i+1:], " \t")
	}
	if utf8.RuneCountInString(before) > textWidth/2 {
		before = ""
	}
	after := from.Data[place:min(len(from.Data), place+quotedBytes)]
	if end := strings.IndexAny(after, "\r\n"); end >= 0 {
		after = after[:end]
	}
	before, after = onOneLine(before), onOneLine(after)
	shown := before + after
	if runes := []rune(shown); len(runes) > textWidth-12 {
		shown = string(runes[:textWidth-12]) + "..."
	}
	number := fmt.Sprintf("%6d", at.Line)
	fmt.Fprintf(b, "    %s %s\n", t.paint(dim, number+" │"), shown)
	fmt.Fprintf(b, "    %s %s%s\n", t.paint(dim, strings.Repeat(" ", len(number))+" │"), strings.Repeat(" ", utf8.RuneCountInString(before)), t.paint(red, "^"))
}

// onOneLine is a part of a line as a terminal shows it. It may end within a character.
func onOneLine(text string) string {
	text = strings.ToValidUTF8(text, "")
	return quote.Visible(strings.ReplaceAll(text, "\t", " "))
}
