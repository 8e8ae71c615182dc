package page

import (
	"slices"
	"strings"

	"einvoice/model"
)

// letter draws the first page of a letter as far as its first section: the sender, the
// recipient in the window of the envelope, dates and references, and the title.
func (c *composer) letter() {
	l := c.look.Letter
	sender := c.root.section("sender")
	c.logo(sender)
	c.sender(sender)
	c.recipient()
	end := c.information()
	c.y = max(l.Body*mm, end+6*mm, c.y+6*mm)
	section := c.root.section("head")
	title := cell{x: c.left(), width: c.width()}
	c.heading1(&title, section, true)
	c.row(title)
	c.y += 6
	c.marks()
}

// sender draws the name of the seller over the letter, and the seller's address where the
// look has it there. Letter paper and logos have the name on them.
func (c *composer) sender(section *element) {
	l := c.look.Letter
	seller := c.partyLayout("seller")
	if seller == nil || c.look.logo != nil || c.look.paper[0] != nil {
		return
	}
	each(c.invoice, seller.groups, func(o model.Object) {
		block := cell{x: c.left(), width: l.Sender.Width * mm}
		c.y = l.Sender.Y * mm
		if l.Sender.Address {
			c.again(func() { c.address(&block, seller, o, section) })
		} else {
			c.add(&block, c.fill(seller.Name.template, o), &c.style.due, section.add("P"))
		}
		c.row(block)
	})
}

// partyLayout is the layout of the party in a group of the invoice.
func (c *composer) partyLayout(group string) *partyLayout {
	for _, p := range c.layout.Parties {
		if p.At == group {
			return p
		}
	}
	return nil
}

// recipient draws the address of the buyer, with the sender's in one line above.
func (c *composer) recipient() {
	box := c.look.Letter.Recipient
	section := c.root.section("recipient")
	y := box.Y * mm
	if c.look.Letter.ReturnLine > 0 {
		c.returnLine(section, box)
	}
	block := cell{x: box.X * mm, width: box.Width * mm}
	if buyer := c.partyLayout("buyer"); buyer != nil {
		each(c.invoice, buyer.groups, func(o model.Object) { c.address(&block, buyer, o, section) })
	}
	for i := range block.lines {
		if st := block.lines[i].style; st == &c.style.name {
			block.lines[i].style = &c.style.strong // names in windows are as large as the address
		}
	}
	c.y = y
	c.row(block)
}

// returnLine draws the sender's address in one small line.
func (c *composer) returnLine(section *element, box box) {
	seller := c.partyLayout("seller")
	if seller == nil {
		return
	}
	var parts []string
	each(c.invoice, seller.groups, func(o model.Object) {
		shown := c.shown
		c.shown = map[any]bool{} // it is not where readers look for the address
		for _, s := range append([]templateSource{seller.Name}, seller.Address...) {
			if text := strings.TrimSpace(c.fill(s.template, o).text); text != "" && !slices.Contains(parts, text) {
				parts = append(parts, text)
			}
		}
		c.shown = shown
	})
	if len(parts) == 0 {
		return
	}
	st := &c.style.label
	const between = " · "
	for len(parts) > 2 && c.fonts.width(strings.Join(parts, between), st) > box.Width*mm {
		parts = append(parts[:1], parts[2:]...) // the name and the town are what a postman needs
	}
	text := c.fonts.shorten(strings.Join(parts, between), st, box.Width*mm)
	at := c.look.Letter.ReturnLine * mm
	line := cell{x: box.X * mm, width: box.Width * mm}
	c.add(&line, words(text), st, section.add("P"))
	if len(line.lines) > 0 {
		c.textLine(&line, &line.lines[0], at)
	}
	c.shade(box.X*mm, at+st.leading()+1, box.Width*mm, 0.4, c.look.Colours.Line.colour)
}

// information draws dates and references beside the address, as many as there is room for,
// and returns where they end.
func (c *composer) information() float64 {
	box := c.look.Letter.Information
	if box.Width == 0 {
		return 0
	}
	section := c.root.section("information")
	below := c.y
	c.y = box.Y * mm
	limit := (box.Y + box.Height) * mm
	between := 3 * mm
	rowHeight := c.style.text.leading() + 1.5
	var pairs []pair
	labelWidth := 0.0
	for _, e := range c.layout.Information {
		if c.y+float64(len(pairs)+1)*rowHeight > limit {
			break
		}
		pairs = append(pairs, c.pairs([]*entry{e}, c.invoice)...)
	}
	widestWord, widestValue := 0.0, 0.0
	for _, p := range pairs {
		labelWidth = max(labelWidth, c.fonts.width(p.label, &c.style.label))
		widestWord = max(widestWord, c.fonts.widestWord(p.label, &c.style.label))
		if w := c.fonts.width(p.value.text, &c.style.text); w < 0.6*box.Width*mm { // others are broken anyway
			widestValue = max(widestValue, w)
		}
	}
	labelWidth = max(min(labelWidth, 0.4*box.Width*mm), min(widestWord, 0.5*box.Width*mm))
	between = max(1.2*mm, min(between, box.Width*mm-labelWidth-widestValue))
	for _, p := range pairs {
		element := section.add("P")
		label := cell{x: box.X * mm, width: labelWidth}
		value := cell{x: box.X*mm + labelWidth + between, width: box.Width*mm - labelWidth - between}
		c.add(&label, words(p.label), &c.style.label, element)
		if n := len(label.lines); n > 0 {
			label.lines[n-1].goesOn = true
			label.lines[0].above = c.style.text.size - c.style.label.size // the same base line
		}
		c.add(&value, p.value, &c.style.text, element)
		c.row(label, value)
		c.y += 1.5
	}
	end := c.y
	c.y = below
	return end
}

// marks draws the marks at which a letter is folded and punched.
func (c *composer) marks() {
	for _, m := range c.look.Letter.Marks {
		c.page().rectangle(decoration, m.X*mm, m.Y*mm, m.Width*mm, 0.4, c.look.Colours.Muted.colour)
		if c.keeps {
			c.page().items = append(c.page().items, item{x: m.X * mm, y: m.Y * mm, width: m.Width * mm, height: 0.4, fill: c.look.Colours.Muted.colour})
		}
	}
}

// logo draws the logo of the look.
func (c *composer) logo(section *element) {
	logo := c.look.logo
	if logo == nil {
		return
	}
	at := c.look.Logo
	width, height := logo.fit(at.Width*mm, at.Height*mm)
	x, y := at.X*mm, at.Y*mm
	if at.Right {
		x = at.X*mm - width
	}
	alt := at.Alt
	if alt == "" {
		alt = strings.Replace(c.language.word("logo"), "#", c.author(), 1)
	}
	c.picture(section, logo, alt, x, y, width, height)
	if c.look.Letter == nil {
		c.y = max(c.y, y+height+6*mm)
	}
}
