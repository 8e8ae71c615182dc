package report

import (
	"bytes"
	"fmt"
	"strings"
)

// sourceLines are the lines of a document, to quote them.
type sourceLines []string

func sourceOf(o *Outcome) sourceLines {
	if o.Document == nil || o.Document.Source == nil || len(o.Report.Findings) == 0 {
		return nil
	}
	return strings.Split(o.Document.Source.Data, "\n")
}

// quote prints a line with its number and a mark below the column.
func (s sourceLines) quote(b *bytes.Buffer, t *textWriter, line, column int) {
	if line > len(s) {
		return
	}
	text := []rune(strings.ReplaceAll(strings.TrimRight(s[line-1], "\r"), "\t", " "))
	cut := len(text) - len([]rune(strings.TrimLeft(string(text), " ")))
	if column-1 < cut || column-1-cut > textWidth/2 { // long lines are shown from the place on
		cut = column - 1
	}
	shown := string(text[min(cut, len(text)):])
	if runes := []rune(shown); len(runes) > textWidth-12 {
		shown = string(runes[:textWidth-12]) + "..."
	}
	number := fmt.Sprintf("%6d", line)
	fmt.Fprintf(b, "    %s %s\n", t.paint(dim, number+" │"), shown)
	fmt.Fprintf(b, "    %s %s%s\n", t.paint(dim, strings.Repeat(" ", len(number))+" │"), strings.Repeat(" ", column-1-cut), t.paint(red, "^"))
}
