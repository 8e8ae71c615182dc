package page

import (
	"fmt"
	"strconv"

	"einvoice/model"
	"einvoice/model/problem"
)

// A composer sets the texts of an invoice on pages, from top to bottom. After an error
// nothing more is drawn: the methods that draw can be called, and do nothing.
type composer struct {
	inv      *model.Invoice
	invoice  model.Object
	language *language
	wording  wording
	layout   *layout
	look     *Look
	style    *styles
	currency string       // of the invoice
	unit     string       // the same if it is as short as a code, so that it can be in headings
	domestic bool         // all addresses are in one country
	shown    map[any]bool // terms that are shown already
	keeps    bool         // text and marks are kept for other formats than PDF

	fonts       *fontUse
	limit       int // of pages
	pages       []*content
	current     int      // the index of the page that is drawn on
	y           float64  // where the next text begins
	reserved    float64  // by a table, above the bottom
	footTop     float64  // where the foot of the first page begins
	density     float64  // of the space between things: 1 is the usual one
	footSection *element // of the first page; nil for none
	footCells   []cell
	footShown   map[any]bool
	last        string // the class of the section that was begun last
	root        *element
	// beforeBreak and afterBreak draw on the pages that a table is broken between.
	beforeBreak, afterBreak func()
	err                     error
}

// maxUnit is how long a currency code may be to be shown in headings.
const maxUnit = 8

// newComposer prepares to draw an invoice.
func newComposer(inv *model.Invoice, l *language, look *Look, o *Options, density float64) *composer {
	c := &composer{
		inv: inv, invoice: model.ObjectOf(inv), language: l, layout: theLayout(), look: look,
		currency: inv.CurrencyCode.Raw, shown: map[any]bool{}, limit: o.Pages, density: density, keeps: o.keeps,
		fonts: newFontUse(look.plain, look.bold, o.Fonts),
		style: look.Colours.styles(density), root: &element{tag: "Document"},
	}
	if inv.Seller != nil && inv.Seller.PostalAddress != nil {
		c.wording = l.wording(inv.Seller.PostalAddress.CountryCode.Raw)
	} else {
		c.wording = l.wording("")
	}
	c.domestic = isDomestic(inv)
	if len(c.currency) <= maxUnit {
		c.unit = clean(c.currency)
	}
	c.footTop = pageHeight - look.Page.Bottom*mm
	c.prepareFoot()
	c.breakPage()
	return c
}

// compose draws the invoice: its head, the sections in the order of the look, and what is
// on every page.
func (c *composer) compose() error {
	if c.look.Letter != nil {
		c.letter()
	} else {
		c.head()
	}
	c.ownText("before", c.look.Before)
	for _, name := range c.look.Sections {
		sections[name](c)
		if c.err != nil {
			return c.err
		}
	}
	c.ownText("after", c.look.After)
	c.foot()
	c.everyPage()
	return c.err
}

// sections draw the parts of an invoice, by the names that looks have for them.
var sections map[string]func(*composer)

func init() { //nolint:gochecknoinits // sections refer to composers, and these to sections
	sections = map[string]func(*composer){
		"parties": (*composer).parties, "facts": (*composer).facts, "lines": (*composer).lines,
		"adjustments": (*composer).adjustments, "totals": (*composer).sums, "payment": (*composer).payment,
		"notes": (*composer).notes, "documents": (*composer).documents,
		"further": (*composer).further, "technical": (*composer).technical,
	}
}

// page is the page that is drawn on.
func (c *composer) page() *content { return c.pages[c.current] }

func (c *composer) left() float64  { return c.look.Page.Left * mm }
func (c *composer) width() float64 { return pageWidth - (c.look.Page.Left+c.look.Page.Right)*mm }
func (c *composer) right() float64 { return pageWidth - c.look.Page.Right*mm }
func (c *composer) top() float64   { return c.look.Page.Top * mm }

// bottom is where text ends on the page.
func (c *composer) bottom() float64 {
	if c.current == 0 {
		return c.footTop - c.reserved
	}
	return pageHeight - c.look.Page.Bottom*mm - c.reserved
}

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
	c.pages = append(c.pages, &content{begins: c.last})
	c.paper()
	c.y = c.top()
	if c.afterBreak != nil {
		c.afterBreak()
	}
}

// paper draws the letter paper under a page.
func (c *composer) paper() {
	n := min(c.current, 1)
	if n == 1 && c.look.paper[1] == nil {
		return
	}
	if c.look.paper[n] != nil {
		c.page().object(background, paperName+strconv.Itoa(n), 0, 0, pageWidth, pageHeight)
	}
}

// room is the height that is left on the page.
func (c *composer) room() float64 { return c.bottom() - c.y }

// need begins a new page unless this one has room for what must stay together, or a new
// one would not have it either.
func (c *composer) need(height float64) {
	full := pageHeight - (c.look.Page.Bottom+c.look.Page.Top)*mm
	if c.room() < height && height <= full && c.y > c.top() {
		c.breakPage()
	}
}

// space leaves space between things.
func (c *composer) space(height float64) {
	if c.y > c.top() {
		c.y += height * c.density
	}
}

// text shows one line of text.
func (c *composer) text(e *element, x, baseline float64, p phrase, st *style) {
	if c.err != nil || p.empty() {
		return
	}
	c.page().text(e, c.fonts, x, baseline, p, st)
	if c.keeps {
		c.page().items = append(c.page().items, item{text: &styled{phrase: p, style: st}, x: x, y: baseline, width: c.fonts.width(p.text, st)})
	}
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
	for i := len(e.kids) - 1; i >= 0; i-- {
		if k := e.kids[i]; k == part {
			return
		} else if k.text == nil {
			break
		}
	}
	e.kids = append(e.kids, part)
}

// shade fills an area behind text.
func (c *composer) shade(x, y, width, height float64, fill colour) {
	if c.err == nil {
		c.page().rectangle(decoration, x, y, width, height, fill)
		if c.keeps {
			c.page().items = append(c.page().items, item{x: x, y: y, width: width, height: height, fill: fill})
		}
	}
}

// horizontalLine draws a line at the current height.
func (c *composer) horizontalLine(x, width, thickness float64, col colour) {
	c.shade(x, c.y, width, thickness, col)
}

// headingAbove is the space above a heading.
const headingAbove = 14

// heading begins a section. It stays on one page with the height that follows.
func (c *composer) heading(class, text string, follows float64) *element {
	const below = 4
	c.begin(class, c.style.heading.leading()+below+follows)
	c.space(headingAbove)
	section := c.root.section(class)
	title := cell{x: c.left(), width: c.width()}
	c.add(&title, words(text), &c.style.heading, section.add("H2"))
	c.row(title)
	c.y += below
	return section
}

// begin begins a section of which so much stays on one page.
func (c *composer) begin(class string, height float64) {
	c.last = class
	c.need(headingAbove*c.density + height)
	c.page().classes = append(c.page().classes, class)
}

// isDomestic tells whether seller and buyer are in the same country, which letters then
// do not name.
func isDomestic(inv *model.Invoice) bool {
	if inv.Seller == nil || inv.Buyer == nil || inv.Seller.PostalAddress == nil || inv.Buyer.PostalAddress == nil {
		return false
	}
	country := inv.Seller.PostalAddress.CountryCode.Raw
	return country != "" && country == inv.Buyer.PostalAddress.CountryCode.Raw
}
