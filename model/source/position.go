package source

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Position is a line and column of a document, as an editor shows them: both begin at
// 1, and columns count characters.
type Position struct {
	Line   int
	Column int
}

// Position is the position of an element or attribute. The first call reads the whole
// document; each further call reads a few kilobytes at most.
func (t *Tree) Position(r Ref) Position {
	if r == 0 {
		return Position{}
	}
	return t.lineIndex().position(t.Data, t.offset(r))
}

// OffsetOf is the byte offset of a position in Data; false if there is no such position. It
// costs as much as Position.
func (t *Tree) OffsetOf(p Position) (offset int, ok bool) { return t.lineIndex().offset(t.Data, p) }

func (t *Tree) lineIndex() lineIndex {
	index := t.lines.Load()
	if index == nil {
		made := newLineIndex(t.Data) // two concurrent callers make equal ones
		index = &made
		t.lines.Store(index)
	}
	return *index
}

// PositionIn is the position of a byte offset. It counts from the start, which is
// sufficient for the single position of an error.
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
		return int(t.Attributes[r.Attribute()].Offset)
	}
	return int(t.Elements[r].Offset)
}

// Path is the XPath location of an element or attribute, with conventional prefixes. An
// element that has siblings of the same name has a positional predicate:
// /ubl:Invoice/cac:InvoiceLine[2]/cbc:ID/@schemeID.
func (t *Tree) Path(r Ref) string {
	if r == 0 {
		return ""
	}
	var steps []string
	if r < 0 {
		steps = append(steps, "@"+t.NameOf(t.Attributes[r.Attribute()].Name).String())
	}
	for n := t.Owner(r); n != 0; n = t.Parent(n) {
		steps = append(steps, t.NameOf(t.Name(n)).String()+t.predicate(n))
	}
	var b strings.Builder
	for i := len(steps) - 1; i >= 0; i-- {
		b.WriteByte('/')
		b.WriteString(steps[i])
	}
	return b.String()
}

// predicate is the positional predicate of an element; empty if it needs none.
func (t *Tree) predicate(n Node) string {
	if t.Parent(n) == 0 {
		return ""
	}
	if number := t.ordinal(n); number > 0 {
		return "[" + strconv.Itoa(number) + "]"
	}
	return ""
}
