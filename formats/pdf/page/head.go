package page

import (
	"strings"

	"einvoice/model"
)

// documentTitle is the name of the document's type, with what is said below it.
func (c *composer) documentTitle() documentTitle {
	field := c.layout.Title.Type.parts[0].path[0]
	code := c.invoice.Text(field).Raw
	if t, own := c.wording.Titles[code]; own {
		return t
	}
	if name := c.language.codeName(field, code); name != "" {
		return documentTitle{Title: name}
	}
	title := c.language.word("invoice")
	if code = clean(code); code != "" { // whatever it is
		title += " (" + code + ")"
	}
	return documentTitle{Title: title}
}

// title is the title of the document, for lists of files and windows.
func (c *composer) title() string {
	return strings.TrimSpace(c.documentTitle().Title + " " + c.fill(c.layout.Title.Number.template, c.invoice).text)
}

func (c *composer) author() string { return c.fill(c.layout.Title.Author.template, c.invoice).text }

// heading1 adds the document's type and number to a cell.
func (c *composer) heading1(to *cell, section *element, beside bool) {
	t := c.documentTitle()
	h1 := section.add("H1")
	name := c.layout.Title.Type.parts[0].path[0]
	title := c.marked(t.Title, c.invoice, name)
	c.markShown(c.invoice, name)
	number := c.fill(c.layout.Title.Number.template, c.invoice)
	if beside && c.fonts.width(title.text+" "+number.text, &c.style.title) <= to.width {
		c.add(to, title.plus(words(" ")).plus(number), &c.style.title, h1)
	} else {
		c.add(to, title, &c.style.title, h1)
		c.add(to, number, &c.style.number, h1)
	}
	if t.About != "" {
		c.addApart(to, words(t.About), &c.style.text, section.add("P"), 2)
	}
}

// head draws the document's type and number, and the amount due.
func (c *composer) head() {
	section := c.root.section("head")
	c.logo(section)
	const dueWidth = 66 * mm
	left := cell{x: c.left(), width: c.width() - dueWidth - 6*mm}
	c.heading1(&left, section, false)
	right := cell{x: c.right() - dueWidth, width: dueWidth, right: true}
	if due := c.fill(c.layout.Title.Due.template, c.invoice); !due.empty() {
		p := section.add("P")
		c.add(&right, words(c.dueLabel()), &c.style.label, p)
		c.add(&right, c.withCurrency(due), &c.style.due, p)
		c.add(&right, c.dueOn(), &c.style.text, p)
	}
	c.row(left, right)
	c.y += 4
	c.horizontalLine(c.left(), c.width(), 1.2, c.look.Colours.Accent.colour)
	c.y += 12
}

// gutter is the space between blocks side by side.
const gutter = 8 * mm

// parties draws the parties, two side by side.
func (c *composer) parties() {
	section := &element{tag: "Sect", class: "parties"}
	width := (c.width() - gutter) / 2
	var cells []cell
	for _, p := range c.layout.Parties {
		each(c.invoice, p.groups, func(o model.Object) {
			block := cell{x: c.left() + float64(len(cells)%2)*(width+gutter), width: width}
			if c.party(&block, p, o, section) {
				cells = append(cells, block)
			}
		})
	}
	if len(cells) == 0 {
		return
	}
	c.begin("parties", cells[0].height())
	if c.look.Letter != nil {
		c.space(headingAbove)
	}
	c.root.kids = append(c.root.kids, kid{element: section})
	for len(cells) > 0 {
		n := min(2, len(cells))
		c.row(cells[:n]...)
		cells = cells[n:]
		if len(cells) > 0 {
			c.y += 12 * c.density
		}
	}
	if c.look.Letter == nil {
		c.y += 12 * c.density
	}
}

// party fills the block of a party, and tells whether it has a term that is not shown
// elsewhere.
func (c *composer) party(block *cell, p *partyLayout, o model.Object, section *element) bool {
	group := section.add("Div")
	c.add(block, words(c.language.label(p.groups[len(p.groups)-1])), &c.style.column, group.add("H2"))
	labelLines := len(block.lines)
	c.address(block, p, o, group)
	first := true
	for _, e := range p.Details {
		fresh := false
		each(o, e.groups, func(o model.Object) { fresh = fresh || !c.isShown(e.template, o) })
		if !fresh {
			continue
		}
		for _, pair := range c.pairs([]*entry{e}, o) {
			space := 0.0
			if first && len(block.lines) > labelLines {
				space = 4
			}
			c.addApart(block, c.labelled(pair), &c.style.small, group.add("P"), space)
			first = false
		}
	}
	if len(block.lines) == labelLines {
		section.drop()
		return false
	}
	return true
}

// address adds the name and the address of a party, as far as they are not shown yet. A
// trading name that is the name is there once.
func (c *composer) address(block *cell, p *partyLayout, o model.Object, section *element) {
	name := c.fillNew(p.Name.template, o)
	if !name.empty() {
		c.add(block, name, &c.style.name, section.add("P"))
	}
	var address *element
	for _, s := range p.Address {
		if text := c.fillNew(s.template, o); strings.TrimSpace(text.text) != "" && text.text != name.text {
			if address == nil {
				address = section.add("P")
			}
			c.add(block, text, &c.style.text, address)
		}
	}
}
