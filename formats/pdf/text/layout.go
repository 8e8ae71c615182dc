package text

import (
	"math"
	"strings"
	"unicode/utf8"
)

// How far text moves before it is another word, or another line, in parts of its
// size. A space is a quarter wide in most fonts; letters are moved less to look
// well beside each other.
const (
	wordGap = 0.17
	lineGap = 0.45
	backGap = 0.6
)

// layout puts the pieces of text together as they are drawn.
type layout struct {
	text strings.Builder
	// Where the last piece ended, how large it was, and in which direction it ran.
	x, y, size float64
	dx, dy     float64
	begun      bool
}

// A piece is text that is drawn without a break.
type piece struct {
	text         string
	fromX, fromY float64
	toX, toY     float64
	size         float64
}

// add appends a piece, with what separates it from the one before.
func (l *layout) add(p *piece) {
	dx, dy := p.toX-p.fromX, p.toY-p.fromY
	if n := math.Hypot(dx, dy); n > 0 {
		dx, dy = dx/n, dy/n
	} else {
		dx, dy = l.dx, l.dy
	}
	if l.begun {
		l.separate(p, dx, dy)
	}
	l.text.WriteString(p.text)
	l.x, l.y, l.size, l.dx, l.dy, l.begun = p.toX, p.toY, p.size, dx, dy, true
}

func (l *layout) separate(p *piece, dx, dy float64) {
	small, large := max(min(l.size, p.size), 0.01), max(l.size, p.size)
	movedX, movedY := p.fromX-l.x, p.fromY-l.y
	along, across := movedX*l.dx+movedY*l.dy, math.Abs(movedX*l.dy-movedY*l.dx)
	turned := dx*l.dx+dy*l.dy < 0.9
	switch {
	case turned, across > lineGap*large, along < -backGap*small:
		l.end('\n')
	case along > wordGap*small:
		l.end(' ')
	}
}

// end ends a word or a line, unless it has just ended.
func (l *layout) end(with byte) {
	s := l.text.String()
	if last, _ := utf8.DecodeLastRuneInString(s); s == "" || last == '\n' || last == ' ' && with == ' ' {
		return
	}
	l.text.WriteByte(with)
}

// String is the text of the page.
func (l *layout) String() string { return l.text.String() }
