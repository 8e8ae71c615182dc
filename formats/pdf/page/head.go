package page

import (
	"strings"

	"einvoice/model"
)

// typeName is the name of the document's type.
func (c *composer) typeName() string {
	t := c.layout.Title.Type
	field := t.parts[0].path[0]
	if name := c.language.codeName(field, c.invoice.Text(field).Raw); name != "" {
		return name
	}
	return c.language.word("invoice")
}

// title is the title of the document, for lists of files and windows.
func (c *composer) title() string {
	return strings.TrimSpace(c.typeName() + " " + c.fill(c.layout.Title.Number.template, c.invoice))
}

func (c *composer) author() string { return c.fill(c.layout.Title.Author.template, c.invoice) }

// head draws the document's type and number, and the amount due.
func (c *composer) head() {
	section := c.root.add("Sect")
	const dueWidth = 62 * mm
	left := cell{x: marginLeft, width: textWidth - dueWidth - 6*mm}
	h1 := section.add("H1")
	left.add(c.typeName(), styleTitle, h1)
	left.add(c.fill(c.layout.Title.Number.template, c.invoice), styleNumber, h1)
	right := cell{x: pageWidth - marginLeft - dueWidth, width: dueWidth, right: true}
	if due := c.fill(c.layout.Title.Due.template, c.invoice); due != "" {
		p := section.add("P")
		right.add(c.language.word("due"), styleLabel, p)
		right.add(c.withCurrency(due), styleDue, p)
	}
	c.row(left, right)
	c.y += 4
	c.horizontalLine(marginLeft, textWidth, 1.2, accentColour)
	c.y += 12
}

// gutter is the space between blocks side by side.
const gutter = 8 * mm

// parties draws the parties, two side by side.
func (c *composer) parties() {
	section := c.root.add("Sect")
	width := (textWidth - gutter) / 2
	var cells []cell
	for _, p := range c.layout.Parties {
		each(c.invoice, p.groups, func(o model.Object) {
			block := cell{x: marginLeft + float64(len(cells)%2)*(width+gutter), width: width}
			if c.party(&block, p, o, section) {
				cells = append(cells, block)
			}
		})
	}
	for len(cells) > 0 {
		n := min(2, len(cells))
		c.row(cells[:n]...)
		c.y += 12
		cells = cells[n:]
	}
}

// party fills the block of a party, and tells whether it has a term that is not shown
// elsewhere.
func (c *composer) party(block *cell, p *partyLayout, o model.Object, section *element) bool {
	block.add(c.language.label(p.groups[len(p.groups)-1]), styleColumn, section.add("H2"))
	labelLines := len(block.lines)
	if name := c.fill(p.Name.template, o); name != "" {
		block.add(name, styleName, section.add("P"))
	}
	var address *element
	for _, s := range p.Address {
		if text := c.fill(s.template, o); strings.TrimSpace(text) != "" {
			if address == nil {
				address = section.add("P")
			}
			block.add(text, styleText, address)
		}
	}
	for i, pair := range c.pairs(p.Details, o) {
		text := pair.label + ": " + pair.value
		if i == 0 {
			block.addApart(text, styleSmall, section.add("P"))
		} else {
			block.add(text, styleSmall, section.add("P"))
		}
	}
	if len(block.lines) == labelLines {
		section.kids = section.kids[:len(section.kids)-1] // the H2
		return false
	}
	return true
}
