package text

import (
	"math"
	"strings"
	"unicode/utf8"
)

// How far text has to move to begin another word or another line, as a part of its
// size. A space is a quarter of the size wide in most fonts; kerning moves less.
const (
	wordGap = 0.17
	lineGap = 0.45
	backGap = 0.6
)

// pageText joins the strings of a page in the order in which they are shown.
type pageText struct {
	text strings.Builder
	// The end, the size and the direction of the last string.
	x, y, size float64
	dx, dy     float64
	begun      bool
}

// A shownString is the text of one string, and where it begins and ends.
type shownString struct {
	text         string
	fromX, fromY float64
	toX, toY     float64
	size         float64
}

// add appends a string, after a space or a line break if it is apart from the last.
func (t *pageText) add(s *shownString) {
	dx, dy := s.toX-s.fromX, s.toY-s.fromY
	if n := math.Hypot(dx, dy); n > 0 {
		dx, dy = dx/n, dy/n
	} else {
		dx, dy = t.dx, t.dy
	}
	if t.begun {
		t.separate(s, dx, dy)
	}
	t.text.WriteString(s.text)
	t.x, t.y, t.size, t.dx, t.dy, t.begun = s.toX, s.toY, s.size, dx, dy, true
}

func (t *pageText) separate(s *shownString, dx, dy float64) {
	smaller, larger := max(min(t.size, s.size), 0.01), max(t.size, s.size)
	movedX, movedY := s.fromX-t.x, s.fromY-t.y
	along, across := movedX*t.dx+movedY*t.dy, math.Abs(movedX*t.dy-movedY*t.dx)
	turned := dx*t.dx+dy*t.dy < 0.9
	switch {
	case turned, across > lineGap*larger, along < -backGap*smaller:
		t.end('\n')
	case along > wordGap*smaller:
		t.end(' ')
	}
}

// end ends a word or a line, unless it has just ended.
func (t *pageText) end(with byte) {
	s := t.text.String()
	if last, _ := utf8.DecodeLastRuneInString(s); s == "" || last == '\n' || last == ' ' && with == ' ' {
		return
	}
	t.text.WriteByte(with)
}

// String is the text of the page.
func (t *pageText) String() string { return t.text.String() }
