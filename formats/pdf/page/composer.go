package page

import (
	"fmt"

	"einvoice/model"
	"einvoice/model/problem"
)

// A composer sets the texts of an invoice on pages, from top to bottom. After an error
// nothing more is drawn: the methods that draw can be called, and do nothing.
type composer struct {
	invoice  model.Object
	language *language
	layout   *layout
	currency string       // of the invoice
	unit     string       // the same if it is as short as a code, so that it can be in headings
	shown    map[any]bool // terms that are shown already

	fonts   *fontUse
	limit   int // of pages
	pages   []*content
	current int // the index of the page that is drawn on
	y       float64
	bottom  float64 // where text ends; tables reserve a line below it
	root    *element
	// beforeBreak and afterBreak draw on the pages that a table is broken between.
	beforeBreak, afterBreak func()
	err                     error
}

// maxUnit is how long a currency code may be to be shown in headings.
const maxUnit = 8

// newComposer prepares to draw an invoice.
func newComposer(inv *model.Invoice, l *language, pages int) *composer {
	c := &composer{
		invoice: model.ObjectOf(inv), language: l, layout: theLayout(), currency: inv.CurrencyCode.Raw,
		shown: map[any]bool{}, fonts: newFontUse(), limit: pages, bottom: textBottom,
		root: &element{tag: "Document"},
	}
	if len(c.currency) <= maxUnit {
		c.unit = c.currency
	}
	c.breakPage()
	return c
}

// compose draws the invoice, from its title to the terms that no other section shows.
func (c *composer) compose(inv *model.Invoice) error {
	for _, section := range []func(){
		c.head, c.parties, c.facts, c.lines, c.adjustments, c.sums, func() { c.payment(inv) },
		c.notes, c.documents, c.technical, c.further, c.footers,
	} {
		section()
		if c.err != nil {
			return c.err
		}
	}
	return nil
}

// page is the page that is drawn on.
func (c *composer) page() *content { return c.pages[c.current] }

// breakPage goes on to the next page. If there are too many, it sets the error.
func (c *composer) breakPage() {
	if c.err != nil {
		return
	}
	if c.beforeBreak != nil {
		c.beforeBreak()
	}
	if len(c.pages) == c.limit {
		c.err = &problem.Error{
			Code: CodeTooLong, Message: fmt.Sprintf("the invoice needs more than %d pages", c.limit), Remedy: "split it, or take it as XML",
		}
		return
	}
	c.current = len(c.pages)
	c.pages = append(c.pages, &content{})
	c.y = marginTop
	if c.afterBreak != nil {
		c.afterBreak()
	}
}

// room is the height that is left on the page.
func (c *composer) room() float64 { return c.bottom - c.y }

// need begins a new page unless this one has room for what must stay together.
func (c *composer) need(height float64) {
	if c.room() < height {
		c.breakPage()
	}
}

// text shows one line of text.
func (c *composer) text(e *element, x, baseline float64, s string, st *style) {
	if c.err != nil {
		return
	}
	c.page().text(e, c.fonts, x, baseline, s, st)
	c.addMarkedContent(e)
}

// addMarkedContent makes the last marked-content sequence of the page a kid of its
// element.
func (c *composer) addMarkedContent(e *element) {
	p := c.page()
	if e.artifact || len(p.marked) == 0 || p.marked[len(p.marked)-1] != e {
		return
	}
	part := kid{page: int32(c.current), mcid: int32(len(p.marked) - 1)}
	if n := len(e.kids); n == 0 || e.kids[n-1] != part {
		e.kids = append(e.kids, part)
	}
}

// shade fills an area behind text.
func (c *composer) shade(x, y, width, height float64, fill colour) {
	if c.err == nil {
		c.page().rectangle(decoration, x, y, width, height, fill)
	}
}

// horizontalLine draws a line at the current height.
func (c *composer) horizontalLine(x, width, thickness float64, col colour) {
	c.shade(x, c.y, width, thickness, col)
}

// headingAbove is the space above a heading.
const headingAbove = 14

// heading begins a section. It stays on one page with the height that follows.
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
