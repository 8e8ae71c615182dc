package source

import (
	"strings"
	"unicode/utf8"
)

// stretch is the distance between two remembered positions. It is also the
// most that is read for one position, even where a document is a single line.
const stretch = 4096

// lines remembers line and column at regular offsets, so that the place of a
// finding costs the same at the end of a document as at its start.
type lines []landmark

type landmark struct {
	offset int // of the first whole character of the stretch
	line   int
	column int
}

func newLines(data string) lines {
	marks := make(lines, 0, len(data)/stretch+1)
	at := landmark{line: 1, column: 1}
	marks = append(marks, at)
	for next := stretch; next < len(data); next += stretch {
		end := next
		for end < len(data) && !utf8.RuneStart(data[end]) {
			end++
		}
		at = at.advance(data[at.offset:end])
		marks = append(marks, at)
	}
	return marks
}

// advance is the place after text, which begins at m.
func (m landmark) advance(text string) landmark {
	m.offset += len(text)
	if last := strings.LastIndexByte(text, '\n'); last >= 0 {
		m.line += strings.Count(text, "\n")
		m.column = 1
		text = text[last+1:]
	}
	m.column += utf8.RuneCountInString(text)
	return m
}

func (l lines) position(data string, offset int) Position {
	offset = min(offset, len(data))
	from := l[min(offset/stretch, len(l)-1)]
	if offset < from.offset { // inside a character that crosses into the stretch
		offset = from.offset
	}
	at := from.advance(data[from.offset:offset])
	return Position{Line: at.line, Column: at.column}
}
