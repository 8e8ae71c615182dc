package xmlparse

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"weak"

	"einvoice/model/source"
)

// A parser that goes back to the pool keeps nothing of its last document, and only
// little memory after a large one.
func TestParserForgetsDocument(t *testing.T) {
	const piece = `<p%[1]d:b%[1]d xmlns:p%[1]d="urn:%[1]d" a%[1]d="&lt;&#10;">text<!-- c -->more<c/>mixed</p%[1]d:b%[1]d>`
	for name, c := range map[string]struct {
		pieces int
		end    string
	}{
		"small": {5, "</a>"}, "large": {5000, "</a>"}, "not closed": {5, "<d>text<!-- c -->"}, "not well-formed": {5, "&x;"},
	} {
		t.Run(name, func(t *testing.T) {
			var doc strings.Builder
			doc.WriteString("<a>")
			for i := range c.pieces {
				fmt.Fprintf(&doc, piece, i)
			}
			doc.WriteString(c.end)
			p := new(parser)
			text, tree := parseAndReset(t, p, []byte(doc.String()))
			doc.Reset()
			runtime.GC()
			if text.Value() != nil || tree.Value() != nil {
				t.Error("the document is still in memory")
			}
			if kept := p.names.table != nil; kept != (c.pieces < 1000) {
				t.Errorf("the table of names is kept: %v", kept)
			}
			if strings.Contains(string(p.textBuf[:cap(p.textBuf)]), "text") {
				t.Error("the buffer holds text of the document")
			}
			runtime.KeepAlive(p)
		})
	}
}

// parseAndReset parses a document and returns weak pointers to its text and tree.
func parseAndReset(t *testing.T, p *parser, data []byte) (weak.Pointer[byte], weak.Pointer[source.Tree]) {
	t.Helper()
	text, err := decode(data)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = p.parse(t.Context(), text, DefaultLimits()) // some of the documents are wrong
	tree := weak.Make(p.tree)
	p.reset()
	return weak.Make(&data[0]), tree
}
