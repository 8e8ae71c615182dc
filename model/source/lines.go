package source

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// checkpointInterval is the distance between two checkpoints in bytes, and the most
// that is read to find one position, even if the document is a single line.
const checkpointInterval = 4096

// A lineIndex holds line and column at regular offsets, so that finding a position
// takes the same time at the end of a document as at its beginning.
type lineIndex []checkpoint

type checkpoint struct {
	offset int // of the first complete character of the interval
	line   int
	column int
}

func newLineIndex(data string) lineIndex {
	checkpoints := make(lineIndex, 0, len(data)/checkpointInterval+1)
	at := checkpoint{line: 1, column: 1}
	checkpoints = append(checkpoints, at)
	for next := checkpointInterval; next < len(data); next += checkpointInterval {
		end := next
		for end < len(data) && (!utf8.RuneStart(data[end]) || isInLineEnd(data, end)) {
			end++
		}
		at = at.advance(data[at.offset:end])
		checkpoints = append(checkpoints, at)
	}
	return checkpoints
}

// advance is the checkpoint after text, which begins at c.
func (c checkpoint) advance(text string) checkpoint {
	c.offset += len(text)
	if ends, last := lineEnds(text); ends > 0 {
		c.line += ends
		c.column = 1
		text = text[last:]
	}
	c.column += utf8.RuneCountInString(text)
	return c
}

// lineEnds counts the line ends in a text, and says where the line behind the last begins. Line ends
// are those of XML 1.0 (2.11), which editors know too: LF, CR LF, and a CR alone.
func lineEnds(text string) (count, last int) {
	count, last = strings.Count(text, "\n"), strings.LastIndexByte(text, '\n')+1
	for i := strings.IndexByte(text, '\r'); i >= 0 && i < len(text); i++ {
		if text[i] == '\r' && !isInLineEnd(text, i+1) {
			count, last = count+1, max(last, i+1)
		}
	}
	return count, last
}

// isInLineEnd reports whether an offset is between the two characters of CR LF.
func isInLineEnd(text string, offset int) bool {
	return 0 < offset && offset < len(text) && text[offset-1] == '\r' && text[offset] == '\n'
}

func (l lineIndex) position(data string, offset int) Position {
	if offset = min(offset, len(data)); isInLineEnd(data, offset) {
		offset--
	}
	from := l[min(offset/checkpointInterval, len(l)-1)]
	if offset < from.offset { // inside a character that begins in the interval before
		offset = from.offset
	}
	at := from.advance(data[from.offset:offset])
	return Position{Line: at.line, Column: at.column}
}

// offset is the inverse of position.
func (l lineIndex) offset(data string, p Position) (offset int, ok bool) {
	after, _ := slices.BinarySearchFunc(l, p, func(c checkpoint, p Position) int {
		if c.line < p.Line || c.line == p.Line && c.column <= p.Column {
			return -1
		}
		return 1
	})
	if after == 0 {
		return 0, false
	}
	at := l[after-1]
	for i, r := range data[at.offset:] {
		if at.line == p.Line && at.column == p.Column {
			return at.offset + i, true
		}
		at.column++
		if r == '\n' || r == '\r' && !isInLineEnd(data, at.offset+i+1) {
			at.line, at.column = at.line+1, 1
		}
		if at.line > p.Line {
			return 0, false
		}
	}
	return len(data), at.line == p.Line && at.column == p.Column
}
