package page

import (
	"slices"
	"strings"
)

// A textLine is one line of a cell.
type textLine struct {
	phrase
	style   *style
	element *element
	width   float64 // 0 if it is not known
	shift   float64 // to the left, of a line that is aligned to the right
	above   float64 // space above
	goesOn  bool    // the next line has text of the same element
}

// A cell is a column of lines beside others.
type cell struct {
	x, width float64
	right    bool // aligned to the right
	lines    []textLine
}

// add wraps a text into lines of a cell.
func (c *composer) add(to *cell, p phrase, st *style, e *element) {
	if !p.empty() {
		c.addStyled(to, &styled{phrase: p, style: st}, e)
	}
}

func (c *composer) addStyled(to *cell, p *styled, e *element) {
	st := p.style
	if c.keeps && !e.artifact {
		e.kids = append(e.kids, kid{text: &styled{phrase: p.phrase, style: st}})
	}
	if n := len(to.lines); n > 0 && to.lines[n-1].element == e {
		to.lines[n-1].goesOn = true // a space between them, for who listens to the page
	}
	if p.width > 0 && p.width <= to.width && !strings.Contains(p.text, "\n") && !strings.HasSuffix(p.text, " ") {
		whole := p.phrase
		whole.rightToLeft = needsShaping(p.text) && startsRightToLeft(p.text)
		to.lines = append(to.lines, textLine{phrase: whole, style: st, element: e, width: p.width})
		return
	}
	var few [4]line
	lines := c.fonts.appendLines(few[:0], p.text, st, to.width)
	to.lines = slices.Grow(to.lines, len(lines))
	shaped, paragraph, rightToLeft := needsShaping(p.text), -1, false
	for i, l := range lines {
		part := phrase{text: p.text[l.from:l.to]}
		if len(p.marks) > 0 {
			part = p.part(l.from, l.to)
		}
		if shaped {
			if begins := strings.LastIndexByte(p.text[:l.from], '\n') + 1; begins != paragraph {
				text, _, _ := strings.Cut(p.text[begins:], "\n")
				paragraph, rightToLeft = begins, startsRightToLeft(text)
			}
			part.rightToLeft = rightToLeft
		}
		to.lines = append(to.lines, textLine{phrase: part, style: st, element: e, goesOn: i+1 < len(lines)})
	}
}

// addApart is add, with space above.
func (c *composer) addApart(to *cell, p phrase, st *style, e *element, space float64) {
	n := len(to.lines)
	c.add(to, p, st, e)
	if n > 0 && len(to.lines) > n {
		to.lines[n].above = space
	}
}

// height is that of the line with the space above.
func (l *textLine) height() float64 { return l.above + l.style.leading() }

func (l *cell) height() float64 {
	height := 0.0
	for i := range l.lines {
		height += l.lines[i].height()
	}
	return height
}

// maxEmpty is the most of a page that is left empty so that a row is not broken.
const maxEmpty = 0.4 * pageHeight

// row draws cells side by side. A row that does not fit goes to the next page; one
// that would leave more than maxEmpty is broken between its lines.
func (c *composer) row(cells ...cell) {
	height, firstLines := 0.0, 0.0
	for i := range cells {
		height = max(height, cells[i].height())
		for _, l := range cells[i].lines[:min(2, len(cells[i].lines))] {
			firstLines = max(firstLines, 2*l.style.leading())
		}
	}
	if room := c.room(); height > room+tolerance && (room < maxEmpty || room < firstLines) {
		c.breakPage()
	}
	for c.err == nil {
		if more := c.rowOnPage(cells); !more {
			return
		}
		c.breakPage()
	}
}

// tolerance is of sums of heights.
const tolerance = 0.01

// rowOnPage draws what fits on the page, removes it from the cells, and tells whether
// lines are left.
func (c *composer) rowOnPage(cells []cell) (more bool) {
	lowest := c.y
	bottom := c.bottom()
	for i := range cells {
		y := c.y
		drawn := 0
		for _, l := range cells[i].lines {
			// At the top of a page, the first line is drawn even if it does not fit.
			if y+l.height() > bottom+tolerance && (y > c.y || c.y > pageHeight/2) {
				break
			}
			c.textLine(&cells[i], &l, y+l.above)
			y += l.height()
			drawn++
		}
		cells[i].lines = cells[i].lines[drawn:]
		more = more || len(cells[i].lines) > 0
		lowest = max(lowest, y)
	}
	c.y = lowest
	return more
}

// textLine draws a line of a cell. What runs from right to left begins at its right edge.
func (c *composer) textLine(in *cell, l *textLine, y float64) {
	x := in.x
	if in.right || l.rightToLeft {
		if l.width == 0 {
			l.width = c.fonts.width(l.text, l.style)
		}
		x += in.width - l.width - l.shift
	}
	p := l.phrase
	if l.goesOn && !l.element.artifact {
		p.text += " "
	}
	c.text(l.element, x, y+l.style.size, p, l.style)
}
