package source

import (
	"strconv"
)

// A Position is a line and column of a document, as an editor shows them: both begin at
// 1, and columns count characters. A line ends with LF, CR LF, or a CR alone.
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
	if offset = min(offset, len(data)); isInLineEnd(data, offset) {
		offset--
	}
	at := checkpoint{line: 1, column: 1}.advance(data[:offset])
	return Position{Line: at.line, Column: at.column}
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
	const usual = 200 // bytes
	b := t.appendPath(make([]byte, 0, usual), t.Owner(r))
	if r < 0 {
		b = t.NameOf(t.Attributes[r.Attribute()].Name).append(append(b, "/@"...))
	}
	return string(b)
}

// appendPath appends the path of an element; each step has a positional predicate where it
// needs one.
func (t *Tree) appendPath(b []byte, n Node) []byte {
	parent := t.Parent(n)
	if parent != 0 {
		b = t.appendPath(b, parent)
	}
	b = t.NameOf(t.Name(n)).append(append(b, '/'))
	if parent == 0 {
		return b
	}
	if number := t.ordinal(n); number > 0 {
		b = append(strconv.AppendInt(append(b, '['), int64(number), 10), ']')
	}
	return b
}
