package compose

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"einvoice/formats/pdf/page/language"
	"einvoice/formats/pdf/page/law"
	"einvoice/formats/pdf/page/layout"
	"einvoice/formats/pdf/page/look"
	"einvoice/formats/pdf/page/tagged"
	"einvoice/formats/pdf/page/typeset"
	"einvoice/model"
	"einvoice/model/problem"
)

// A composer sets the texts of an invoice on pages, from top to bottom. After an error
// nothing more is drawn: the methods that draw can be called, and do nothing.
type composer struct {
	ctx      context.Context // of the document; when it ends, nothing more is drawn
	inv      *model.Invoice
	invoice  model.Object
	language *language.Language
	ownWords *language.Language // without the labels of the look
	wording  language.Wording
	law      *law.Country // of the seller; nil where none is known
	layout   *layout.Layout
	look     *look.Look
	style    *look.Styles
	currency string // of the invoice
	unit     string // the same if it is as short as a code, so that it can be in headings
	home     string // code of the country of seller and buyer, which addresses in it do not name; empty if they are in two
	headless bool   // a letter without the issuer's name at the top, where the look has its own
	// Who makes the document, and whom it is for: the groups of seller and buyer, which change
	// places where the buyer makes it.
	issuer, addressee string
	shown             map[any]bool // terms that are shown already
	keeps             bool         // text and marks are kept for other formats than PDF

	fonts      *typeset.FontUse
	limit      int // of pages
	pages      []*tagged.Content
	current    int     // the index of the page that is drawn on
	y          float64 // where the next text begins
	reserved   float64 // by a table, above the bottom
	footTop    float64 // where the foot of the first page begins
	density    float64 // of the space between things: 1 is the usual one
	compact    bool    // what readers seldom need is small print, to save a page
	notesShown bool    // they are beside the totals
	// The payment is beside the totals.
	paymentShown bool
	smallPrint   []pair          // of parties, for the technical details
	footSection  *tagged.Element // of the first page; nil for none
	footCells    []cell
	footUnused   []string // what of the foot is not shown, in sentences
	footShown    map[any]bool
	last         string // the class of the section that was begun last
	root         *tagged.Element
	forPrograms  []pair // the terms of the technical details, once they are known
	// beforeBreak and afterBreak draw on the pages that a table is broken between.
	beforeBreak, afterBreak func()
	err                     error
}

// maxUnit is how long a currency code may be to be shown in headings.
const maxUnit = 8

// newComposer prepares to draw an invoice.
func newComposer(ctx context.Context, inv *model.Invoice, l *language.Language, o *Options, density float64) *composer {
	c := &composer{
		ctx: ctx, inv: inv, invoice: model.ObjectOf(inv), language: l, layout: layout.Default(), look: o.Look, ownWords: o.own,
		currency: inv.CurrencyCode.Raw, shown: map[any]bool{}, limit: o.Pages, density: density, keeps: o.Keeps,
		fonts: typeset.NewFontUse(ctx, o.Look.Plain, o.Look.Bold, o.Fonts),
		style: o.Look.Colours.Styles(density), root: &tagged.Element{Tag: "Document"},
	}
	c.issuer, c.addressee = seller, buyer
	if slices.Contains(c.layout.Title.SelfBilled, inv.TypeCode.Raw) {
		c.issuer, c.addressee = buyer, seller
	}
	if inv.Seller != nil && inv.Seller.PostalAddress != nil {
		country := inv.Seller.PostalAddress.CountryCode.Raw
		c.wording, c.law = l.WordingFor(country), law.Of(country)
	} else {
		c.wording = l.WordingFor("")
	}
	c.home = homeOf(inv)
	if len(c.currency) <= maxUnit {
		c.unit = typeset.Clean(c.currency)
	}
	c.footTop = typeset.PageHeight - o.Look.Page.Bottom*typeset.MM
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
	last := len(c.look.Sections) // of the sections that readers read
	for last > 0 && slices.Contains([]string{"technical", "further", "documents"}, c.look.Sections[last-1]) {
		last--
	}
	for i, name := range append(slices.Clone(c.look.Sections), "") {
		if i == last {
			c.ownText("after", c.look.After)
		}
		c.section(name)
		if c.err != nil {
			return c.err
		}
	}
	c.foot()
	c.everyPage()
	return c.err
}

// section draws a part of an invoice, by the name that looks have for it.
func (c *composer) section(name string) {
	switch name {
	case "parties":
		c.parties()
	case "facts":
		c.facts()
	case "lines":
		c.lines()
	case "adjustments":
		c.adjustments()
	case "totals":
		c.sums()
	case "payment":
		c.payment()
	case "notes":
		c.notes()
	case "documents":
		c.documents()
	case "further":
		c.further()
	case "technical":
		c.technical()
	}
}

// page is the page that is drawn on.
func (c *composer) page() *tagged.Content { return c.pages[c.current] }

func (c *composer) left() float64 { return c.look.Page.Left * typeset.MM }
func (c *composer) width() float64 {
	return typeset.PageWidth - (c.look.Page.Left+c.look.Page.Right)*typeset.MM
}
func (c *composer) right() float64 { return typeset.PageWidth - c.look.Page.Right*typeset.MM }
func (c *composer) top() float64   { return c.look.Page.Top * typeset.MM }

// bottom is where text ends on the page.
func (c *composer) bottom() float64 {
	if c.current == 0 {
		return c.footTop - c.reserved
	}
	return typeset.PageHeight - c.look.Page.Bottom*typeset.MM - c.reserved
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
	c.pages = append(c.pages, &tagged.Content{Begins: c.last})
	c.paper()
	c.stampPage()
	c.y = c.top()
	if c.afterBreak != nil {
		c.afterBreak()
	}
}

// paper draws the letter paper under a page.
func (c *composer) paper() {
	n := min(c.current, 1)
	if n == 1 && c.look.Papers[1] == nil {
		return
	}
	if c.look.Papers[n] != nil {
		c.page().Object(tagged.Background, tagged.PaperName+strconv.Itoa(n), 0, 0, typeset.PageWidth, typeset.PageHeight)
	}
}

// room is the height that is left on the page.
func (c *composer) room() float64 { return c.bottom() - c.y }

// need begins a new page unless this one has room for what must stay together, or a new
// one would not have it either.
func (c *composer) need(height float64) {
	full := typeset.PageHeight - (c.look.Page.Bottom+c.look.Page.Top)*typeset.MM
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

// stopped reports whether there was an error, of which the end of the context is one.
func (c *composer) stopped() bool {
	if c.err == nil {
		c.err = c.ctx.Err()
	}
	return c.err != nil
}

// text shows one line of text.
func (c *composer) text(e *tagged.Element, x, baseline float64, p typeset.Phrase, st *typeset.Style) {
	if c.stopped() || p.Empty() {
		return
	}
	c.page().Text(e, c.fonts, x, baseline, p, st)
	if c.keeps {
		c.page().Items = append(c.page().Items, tagged.Item{Text: &tagged.Styled{Phrase: p, Style: st}, X: x, Y: baseline, Width: c.fonts.Width(p.Text, st)})
	}
	c.addMarkedContent(e)
}

// addMarkedContent makes the last marked-content sequence of the page a kid of its
// element.
func (c *composer) addMarkedContent(e *tagged.Element) {
	p := c.page()
	if e.Artifact || len(p.Marked) == 0 || p.Marked[len(p.Marked)-1] != e {
		return
	}
	part := tagged.Kid{Page: int32(c.current), MCID: int32(len(p.Marked) - 1)}
	for i := len(e.Kids) - 1; i >= 0; i-- {
		if k := e.Kids[i]; k == part {
			return
		} else if k.Text == nil {
			break
		}
	}
	e.Kids = append(e.Kids, part)
}

// shade fills an area behind text.
func (c *composer) shade(x, y, width, height float64, fill typeset.Colour) {
	if c.err == nil {
		c.page().Rectangle(tagged.Decoration, x, y, width, height, fill)
		if c.keeps {
			c.page().Items = append(c.page().Items, tagged.Item{X: x, Y: y, Width: width, Height: height, Fill: fill})
		}
	}
}

// horizontalLine draws a line at the current height.
func (c *composer) horizontalLine(x, width, thickness float64, col typeset.Colour) {
	c.shade(x, c.y, width, thickness, col)
}

// headingAbove is the space above a heading.
const headingAbove = 14

// heading begins a section. It stays on one page with the height that follows.
func (c *composer) heading(class, text string, follows float64) *tagged.Element {
	const below = 4
	c.begin(class, c.style.Heading.Leading()+below+follows)
	c.space(headingAbove)
	section := c.root.Section(class)
	title := cell{x: c.left(), width: c.width()}
	c.add(&title, typeset.Words(text), &c.style.Heading, section.Add("H2"))
	c.row(title)
	c.y += below
	return section
}

// begin begins a section of which so much stays on one page.
func (c *composer) begin(class string, height float64) {
	c.last = class
	c.need(headingAbove*c.density + height)
	c.page().Classes = append(c.page().Classes, class)
}

// homeOf returns the code of the country that seller and buyer are both in, which letters then do
// not name, or nothing.
func homeOf(inv *model.Invoice) string {
	if inv.Seller == nil || inv.Buyer == nil || inv.Seller.PostalAddress == nil || inv.Buyer.PostalAddress == nil {
		return ""
	}
	if country := inv.Seller.PostalAddress.CountryCode.Raw; country == inv.Buyer.PostalAddress.CountryCode.Raw {
		return country
	}
	return ""
}
