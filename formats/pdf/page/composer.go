package page

import (
	"einvoice/model"
)

// A composer places texts on pages, from top to bottom.
type composer struct {
	invoice  model.Object
	language *language
	layout   *layout
	currency string // of the invoice
	unit     string // the same where it is as short as a code, and can stand in headings
	seen     map[any]bool

	usage *usage
	limit int // of pages
	pages []*page
	y     float64
	root  *element
	// bottom is where text ends for now: tables keep room for a line below.
	bottom float64
	// leave and enter stand on each page that is broken within a table.
	leave, enter func()
}

// page is the page that is being filled.
func (c *composer) page() *page { return c.pages[len(c.pages)-1] }

// breakPage goes on to the next page. Composing ends with a panic of *TooLong,
// which PDF takes, when there are too many.
func (c *composer) breakPage() {
	if c.leave != nil {
		c.leave()
	}
	if len(c.pages) == c.limit {
		panic(&TooLong{Pages: c.limit})
	}
	c.pages = append(c.pages, &page{})
	c.y = marginTop
	if c.enter != nil {
		c.enter()
	}
}

// room is what is left of the page.
func (c *composer) room() float64 { return c.bottom - c.y }

// need begins a new page unless there is room for what must stand together.
func (c *composer) need(height float64) {
	if c.room() < height {
		c.breakPage()
	}
}

// A line is one line of a cell.
type line struct {
	text    string
	style   *style
	element *element
	shift   float64 // to the left, of what is set to the right
	above   float64 // room above
}

// A cell is a stack of lines beside others.
type cell struct {
	x, width float64
	right    bool // set to the right
	lines    []line
}

// add wraps a text into lines of the cell.
func (l *cell) add(text string, st *style, e *element) {
	for _, s := range wrap(text, st, l.width) {
		l.lines = append(l.lines, line{text: s, style: st, element: e})
	}
}

// part is add, with room above.
func (l *cell) part(text string, st *style, e *element) {
	n := len(l.lines)
	l.add(text, st, e)
	if n > 0 {
		l.lines[n].above = 4
	}
}

// height is that of the line with the room above.
func (l *line) height() float64 { return l.above + l.style.leading() }

func (l *cell) height() float64 {
	height := 0.0
	for i := range l.lines {
		height += l.lines[i].height()
	}
	return height
}

// most is how much of a page is left empty rather than break a row.
const most = 0.4 * pageHeight

// row prints cells side by side. A row that does not fit goes to the next page; one
// that would leave too much empty is broken between its lines.
func (c *composer) row(cells ...cell) {
	height, first := 0.0, 0.0
	for i := range cells {
		height = max(height, cells[i].height())
		for _, l := range cells[i].lines[:min(2, len(cells[i].lines))] {
			first = max(first, 2*l.style.leading())
		}
	}
	if room := c.room(); height > room && (room < most || room < first) {
		c.breakPage()
	}
	for {
		deepest, rest := c.y, false
		for i := range cells {
			y := c.y
			printed := 0
			for _, l := range cells[i].lines {
				if y+l.height() > c.bottom+0.01 && (y > c.y || c.y > pageHeight/2) {
					break
				}
				c.print(&cells[i], l, y+l.above)
				y += l.height()
				printed++
			}
			cells[i].lines = cells[i].lines[printed:]
			rest = rest || len(cells[i].lines) > 0
			deepest = max(deepest, y)
		}
		c.y = deepest
		if !rest {
			return
		}
		c.breakPage()
	}
}

func (c *composer) print(in *cell, l line, y float64) {
	x := in.x
	if in.right {
		x += in.width - widthOf(l.text, l.style) - l.shift
	}
	c.text(l.element, x, y+l.style.size, l.text, l.style)
}

// text prints one line and notes which part of the page belongs to the element.
func (c *composer) text(e *element, x, baseline float64, s string, st *style) {
	p := c.page()
	p.text(e, c.usage, x, baseline, s, st)
	c.note(e)
}

// note makes what is marked on the page a part of its element.
func (c *composer) note(e *element) {
	p := c.page()
	if e.artifact || len(p.marked) == 0 || p.marked[len(p.marked)-1] != e {
		return
	}
	part := kid{page: int32(len(c.pages) - 1), mark: int32(len(p.marked) - 1)}
	if n := len(e.kids); n == 0 || e.kids[n-1] != part {
		e.kids = append(e.kids, part)
	}
}

// rule draws a line from one place to another at the present height.
func (c *composer) rule(x, width, thickness float64, col color) {
	c.page().rectangle(decoration, x, c.y, width, thickness, col)
}

// headingAbove is the room above a heading.
const headingAbove = 14

// heading begins a section. It stays together with the height that follows.
func (c *composer) heading(text string, follows float64) *element {
	const below = 4
	c.need(headingAbove + styleHeading.leading() + below + follows)
	if c.y > marginTop {
		c.y += headingAbove
	}
	section := c.root.add("Sect")
	title := cell{x: marginLeft, width: textWidth}
	title.add(text, styleHeading, section.add("H2"))
	c.row(title)
	c.y += below
	return section
}
