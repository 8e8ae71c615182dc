package source

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Position is a place in a document as an editor shows it: both numbers
// start at 1, columns count characters.
type Position struct {
	Line   int
	Column int
}

// Position finds line and column of a Ref. The first call reads the document
// once; each call after it reads a few kilobytes at most.
func (t *Tree) Position(r Ref) Position {
	if r == 0 {
		return Position{}
	}
	index := t.lines.Load()
	if index == nil {
		made := newLines(t.Data) // twice, if two callers race: equal results
		index = &made
		t.lines.Store(index)
	}
	return index.position(t.Data, t.offset(r))
}

// PositionIn finds line and column of a byte offset, counting from the start:
// for the one place of an error, where there is no Tree.
func PositionIn(data string, offset int) Position {
	before := data[:min(offset, len(data))]
	line := strings.LastIndexByte(before, '\n') + 1
	return Position{
		Line:   strings.Count(before, "\n") + 1,
		Column: utf8.RuneCountInString(before[line:]) + 1,
	}
}

func (t *Tree) offset(r Ref) int {
	if r < 0 {
		return int(t.Attributes[-1-r].Offset)
	}
	return int(t.Elements[r].Offset)
}

// Path is the XPath location of a Ref with conventional prefixes; an element
// that has siblings of its name carries its number:
// /ubl:Invoice/cac:InvoiceLine[2]/cbc:ID/@schemeID.
func (t *Tree) Path(r Ref) string {
	if r == 0 {
		return ""
	}
	var steps []string
	if r < 0 {
		steps = append(steps, "@"+t.NameOf(t.Attributes[-1-r].Name).String())
	}
	for n := t.Owner(r); n != 0; n = t.Parent(n) {
		steps = append(steps, t.NameOf(t.Name(n)).String()+t.index(n))
	}
	var b strings.Builder
	for i := len(steps) - 1; i >= 0; i-- {
		b.WriteByte('/')
		b.WriteString(steps[i])
	}
	return b.String()
}

func (t *Tree) index(n Node) string {
	if t.Parent(n) == 0 {
		return ""
	}
	if number := t.ordinal(n); number > 0 {
		return "[" + strconv.Itoa(number) + "]"
	}
	return ""
}
