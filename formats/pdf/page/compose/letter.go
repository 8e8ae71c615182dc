package compose

import (
	"slices"
	"strings"

	"einvoice/formats/pdf/page/layout"
	"einvoice/formats/pdf/page/look"
	"einvoice/formats/pdf/page/tagged"
	"einvoice/formats/pdf/page/typeset"
	"einvoice/model"
)

// letter draws the first page of a letter as far as its first section: the sender, the
// recipient in the window of the envelope, dates and references, and the title.
func (c *composer) letter() {
	l := c.look.Letter
	sender := c.root.Section("sender")
	c.logo(sender)
	c.sender(sender)
	c.recipient()
	end := c.information()
	c.y = max(l.Body*typeset.MM, end+6*typeset.MM, c.y+6*typeset.MM)
	section := c.root.Section("head")
	title := cell{x: c.left(), width: c.width()}
	c.heading1(&title, section, true)
	c.row(title)
	c.y += 6
	c.marks()
}

// sender draws the name of the issuer over the letter, and the issuer's address where the
// look has it there. Letter paper and logos have the name on them.
func (c *composer) sender(section *tagged.Element) {
	l := c.look.Letter
	from := c.partyLayout(c.issuer)
	if c.headless = c.look.Picture != nil || c.look.Papers[0] != nil; from == nil || c.headless {
		return
	}
	each(c.invoice, from.Groups, func(o model.Object) {
		block := cell{x: c.left(), width: l.Sender.Width * typeset.MM}
		c.y = l.Sender.Y * typeset.MM
		if l.Sender.Address {
			c.again(func() { c.address(&block, from, o, section) })
		} else {
			c.add(&block, c.fill(from.Name.Template, o), &c.style.Due, section.Add("P"))
		}
		c.row(block)
	})
}

// The groups of the parties that letters are between.
const (
	seller = "seller"
	buyer  = "buyer"
)

// partyLayout is the layout of the party in a group of the invoice.
func (c *composer) partyLayout(group string) *layout.Party {
	for _, p := range c.layout.Parties {
		if p.At == group {
			return p
		}
	}
	return nil
}

// recipient draws the address of whom the document is for, with the sender's in one line above.
func (c *composer) recipient() {
	box := c.look.Letter.Recipient
	section := c.root.Section("recipient")
	y := box.Y * typeset.MM
	if c.look.Letter.ReturnLine > 0 {
		c.returnLine(section, box)
	}
	block := cell{x: box.X * typeset.MM, width: box.Width * typeset.MM}
	if to := c.partyLayout(c.addressee); to != nil {
		each(c.invoice, to.Groups, func(o model.Object) { c.address(&block, to, o, section) })
	}
	for i := range block.lines {
		if st := block.lines[i].style; st == &c.style.Name {
			block.lines[i].style = &c.style.Strong // names in windows are as large as the address
		}
	}
	c.y = y
	c.row(block)
}

// returnLine draws the sender's address in one small line, or two where it is long.
func (c *composer) returnLine(section *tagged.Element, box look.Box) {
	from := c.partyLayout(c.issuer)
	if from == nil {
		return
	}
	var parts, names []string
	each(c.invoice, from.Groups, func(o model.Object) {
		shown := c.shown
		c.shown = map[any]bool{} // it is not where readers look for the address
		for _, s := range append([]layout.Source{from.Name}, from.Address...) {
			text := strings.ReplaceAll(strings.TrimSpace(c.fill(s.Template, o).Text), "\n", ", ")
			if text != "" && !slices.Contains(parts, text) {
				parts, names = append(parts, text), append(names, s.Last())
			}
		}
		c.shown = shown
	})
	if len(parts) == 0 {
		return
	}
	st := &c.style.Label
	const between = " · "
	// The name, the street and the town are what a postman needs.
	for _, name := range []string{"tradingName", "line3", "line2"} {
		if i := slices.Index(names, name); i >= 0 && c.fonts.Width(strings.Join(parts, between), st) > box.Width*typeset.MM {
			parts, names = slices.Delete(parts, i, i+1), slices.Delete(names, i, i+1)
		}
	}
	lines := []string{strings.Join(parts, between)}
	if len(parts) > 1 && c.fonts.Width(lines[0], st) > box.Width*typeset.MM { // the town is not cut off
		lines = []string{parts[0], strings.Join(parts[1:], between)}
	}
	at := c.look.Letter.ReturnLine * typeset.MM
	line := cell{x: box.X * typeset.MM, width: box.Width * typeset.MM}
	e := section.Add("P")
	for _, text := range lines {
		c.add(&line, typeset.Words(c.fonts.Shorten(text, st, line.width)), st, e)
	}
	for i := range line.lines {
		c.textLine(&line, &line.lines[i], at-float64(len(line.lines)-1-i)*st.Leading())
	}
	c.shade(box.X*typeset.MM, at+st.Leading()+1, box.Width*typeset.MM, 0.4, c.look.Colours.Line.Colour)
}

// information draws dates and references beside the address, as many as there is room for,
// and returns where they end.
func (c *composer) information() float64 {
	box := c.look.Letter.Information
	if box.Width == 0 {
		return 0
	}
	section := c.root.Section("information")
	below := c.y
	c.y = box.Y * typeset.MM
	limit := (box.Y + box.Height) * typeset.MM
	between := 3 * typeset.MM
	rowHeight := c.style.Text.Leading() + 1.5
	var pairs []pair
	labelWidth := 0.0
	for _, e := range c.layout.Information {
		if c.y+float64(len(pairs)+1)*rowHeight > limit {
			break
		}
		pairs = append(pairs, c.pairs([]*layout.Entry{e}, c.invoice)...)
	}
	widestWord, widestValue := 0.0, 0.0
	for _, p := range pairs {
		labelWidth = max(labelWidth, c.fonts.Width(p.label, &c.style.Label))
		widestWord = max(widestWord, c.fonts.WidestWord(p.label, &c.style.Label))
		if w := c.fonts.Width(p.value.Text, &c.style.Text); w < 0.6*box.Width*typeset.MM { // others are broken anyway
			widestValue = max(widestValue, w)
		}
	}
	labelWidth = max(min(labelWidth, 0.4*box.Width*typeset.MM), min(widestWord, 0.5*box.Width*typeset.MM))
	between = max(1.2*typeset.MM, min(between, box.Width*typeset.MM-labelWidth-widestValue))
	for _, p := range pairs {
		element := section.Add("P")
		label := cell{x: box.X * typeset.MM, width: labelWidth}
		value := cell{x: box.X*typeset.MM + labelWidth + between, width: box.Width*typeset.MM - labelWidth - between}
		c.add(&label, typeset.Words(p.label), &c.style.Label, element)
		if n := len(label.lines); n > 0 {
			label.lines[n-1].goesOn = true
			label.lines[0].above = c.style.Text.Size - c.style.Label.Size // the same base line
		}
		c.add(&value, p.value, &c.style.Text, element)
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
		c.shade(m.X*typeset.MM, m.Y*typeset.MM, m.Width*typeset.MM, 0.4, c.look.Colours.Muted.Colour)
	}
}

// logo draws the logo of the look.
func (c *composer) logo(section *tagged.Element) {
	logo := c.look.Picture
	if logo == nil {
		return
	}
	at := c.look.Logo
	width, height := logo.Fit(at.Width*typeset.MM, at.Height*typeset.MM)
	x, y := at.X*typeset.MM, at.Y*typeset.MM
	if at.Right {
		x = at.X*typeset.MM - width
	}
	alt := at.Alt
	if alt == "" {
		alt = strings.Replace(c.language.Word("logo"), "#", c.author(), 1)
	}
	c.picture(section, logo, alt, x, y, width, height)
	if c.look.Letter == nil {
		c.y = max(c.y, y+height+6*typeset.MM)
	}
}
