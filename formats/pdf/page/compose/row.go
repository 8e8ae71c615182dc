package compose

import (
	"slices"
	"strings"

	"einvoice/formats/pdf/page/tagged"
	"einvoice/formats/pdf/page/typeset"
)

// A textLine is one line of a cell.
type textLine struct {
	typeset.Phrase
	style   *typeset.Style
	element *tagged.Element
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
func (c *composer) add(to *cell, p typeset.Phrase, st *typeset.Style, e *tagged.Element) {
	if !p.Empty() {
		c.addStyled(to, &tagged.Styled{Phrase: p, Style: st}, e)
	}
}

func (c *composer) addStyled(to *cell, p *tagged.Styled, e *tagged.Element) {
	if c.stopped() {
		return
	}
	st := p.Style
	if c.keeps && !e.Artifact {
		e.Kids = append(e.Kids, tagged.Kid{Text: &tagged.Styled{Phrase: p.Phrase, Style: st}})
	}
	if n := len(to.lines); n > 0 && to.lines[n-1].element == e {
		to.lines[n-1].goesOn = true // a space between them, for who listens to the page
	}
	if p.Width > 0 && p.Width <= to.width && !strings.Contains(p.Text, "\n") && !strings.HasSuffix(p.Text, " ") {
		whole := p.Phrase
		whole.RightToLeft = typeset.NeedsShaping(p.Text) && typeset.StartsRightToLeft(p.Text)
		to.lines = append(to.lines, textLine{Phrase: whole, style: st, element: e, width: p.Width})
		return
	}
	var few [4]typeset.Line
	lines := c.fonts.AppendLines(few[:0], p.Text, st, to.width)
	to.lines = slices.Grow(to.lines, len(lines))
	shaped, seen, rightToLeft := typeset.NeedsShaping(p.Text), -1, false
	for i, l := range lines {
		part := typeset.Phrase{Text: p.Text[l.From:l.To]}
		if len(p.Marks) > 0 {
			part = p.Part(l.From, l.To)
		}
		if shaped {
			if seen < 0 || strings.Contains(p.Text[seen:l.From], "\n") { // a paragraph begins
				text, _, _ := strings.Cut(p.Text[l.From:], "\n")
				rightToLeft = typeset.StartsRightToLeft(text)
			}
			seen = l.From
			part.RightToLeft = rightToLeft
		}
		to.lines = append(to.lines, textLine{Phrase: part, style: st, element: e, goesOn: i+1 < len(lines)})
	}
}

// addApart is add, with space above.
func (c *composer) addApart(to *cell, p typeset.Phrase, st *typeset.Style, e *tagged.Element, space float64) {
	n := len(to.lines)
	c.add(to, p, st, e)
	if n > 0 && len(to.lines) > n {
		to.lines[n].above = space
	}
}

// height is that of the line with the space above.
func (l *textLine) height() float64 { return l.above + l.style.Leading() }

func (l *cell) height() float64 {
	height := 0.0
	for i := range l.lines {
		height += l.lines[i].height()
	}
	return height
}

// maxEmpty is the most of a page that is left empty so that a row is not broken.
const maxEmpty = 0.4 * typeset.PageHeight

// row draws cells side by side. A row that does not fit goes to the next page; one
// that would leave more than maxEmpty is broken between its lines.
func (c *composer) row(cells ...cell) {
	height, firstLines := 0.0, 0.0
	for i := range cells {
		height = max(height, cells[i].height())
		for _, l := range cells[i].lines[:min(2, len(cells[i].lines))] {
			firstLines = max(firstLines, 2*l.style.Leading())
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

// rowOnPage draws what fits on the page, removes it from the cells, and reports whether
// lines are left.
func (c *composer) rowOnPage(cells []cell) (more bool) {
	lowest := c.y
	bottom := c.bottom()
	for i := range cells {
		y := c.y
		drawn := 0
		for _, l := range cells[i].lines {
			// At the top of a page, the first line is drawn even if it does not fit.
			if y+l.height() > bottom+tolerance && (y > c.y || c.y > typeset.PageHeight/2) {
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
	if in.right || l.RightToLeft {
		if l.width == 0 {
			l.width = c.fonts.Width(l.Text, l.style)
		}
		x += in.width - l.width - l.shift
	}
	p := l.Phrase
	if l.goesOn && !l.element.Artifact {
		p.Text += " "
	}
	c.text(l.element, x, y+l.style.Size, p, l.style)
}
