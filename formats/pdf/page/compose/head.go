package compose

import (
	"maps"
	"slices"
	"strings"

	"einvoice/formats/pdf/page/language"
	"einvoice/formats/pdf/page/layout"
	"einvoice/formats/pdf/page/tagged"
	"einvoice/formats/pdf/page/typeset"
	"einvoice/model"
)

// documentTitle is the name of the document's type, with what is said below it.
func (c *composer) documentTitle() language.Title {
	field := c.layout.Title.Type.Parts[0].Path[0]
	code := c.invoice.Text(field).Raw
	if t, own := c.wording.Titles[code]; own {
		return t
	}
	if name := c.language.CodeName(field, code); name != "" {
		return language.Title{Title: name}
	}
	title := c.language.Word("invoice")
	if code = typeset.Clean(code); code != "" { // whatever it is
		title += " (" + code + ")"
	}
	return language.Title{Title: title}
}

// title is the title of the document, for lists of files and windows.
func (c *composer) title() string {
	title := c.documentTitle().Title
	for _, s := range c.stamps() {
		title += " (" + c.language.Word(s.word) + ")"
	}
	return strings.TrimSpace(title + " " + c.fill(c.layout.Title.Number.Template, c.invoice).Text)
}

// author is the name of who makes the document.
func (c *composer) author() (name string) {
	if from := c.partyLayout(c.issuer); from != nil {
		each(c.invoice, from.Groups, func(o model.Object) { name = c.fill(from.Name.Template, o).Text })
	}
	return name
}

// heading1 adds the document's type and number to a cell.
func (c *composer) heading1(to *cell, section *tagged.Element, beside bool) {
	t := c.documentTitle()
	h1 := section.Add("H1")
	name := c.layout.Title.Type.Parts[0].Path[0]
	title := c.marked(t.Title, c.invoice, name)
	for _, s := range c.stamps() {
		title = title.Plus(c.marked(" ("+c.language.Word(s.word)+")", c.invoice, s.field))
		c.markShown(c.invoice, s.field)
	}
	c.markShown(c.invoice, name)
	number := c.fill(c.layout.Title.Number.Template, c.invoice)
	if beside && c.fonts.Width(title.Text+" "+number.Text, &c.style.Title) <= to.width {
		c.add(to, title.Plus(typeset.Words(" ")).Plus(number), &c.style.Title, h1)
	} else {
		c.add(to, title, &c.style.Title, h1)
		c.add(to, number, &c.style.Number, h1)
	}
	for _, about := range append([]string{t.About}, c.stampsAbout()...) {
		if about != "" {
			c.addApart(to, typeset.Words(about), &c.style.Text, section.Add("P"), 2)
		}
	}
}

// head draws the document's type and number, and the amount due.
func (c *composer) head() {
	section := c.root.Section("head")
	c.logo(section)
	const dueWidth = 66 * typeset.MM
	left := cell{x: c.left(), width: c.width() - dueWidth - 6*typeset.MM}
	c.heading1(&left, section, false)
	right := cell{x: c.right() - dueWidth, width: dueWidth, right: true}
	if due := c.fill(c.layout.Title.Due.Template, c.invoice); !due.Empty() {
		p := section.Add("P")
		c.add(&right, typeset.Words(c.dueLabel()), &c.style.Label, p)
		c.add(&right, c.withCurrency(due), &c.style.Due, p)
		c.add(&right, c.dueOn(), &c.style.Text, p)
	}
	c.row(left, right)
	c.y += 4
	c.horizontalLine(c.left(), c.width(), 1.2, c.look.Colours.Accent.Colour)
	c.y += 12
}

// gutter is the space between blocks side by side.
const gutter = 8 * typeset.MM

// parties draws the parties, two side by side.
func (c *composer) parties() {
	section := &tagged.Element{Tag: "Sect", Class: "parties"}
	side := 2
	if c.compact {
		shown, smallPrint := maps.Clone(c.shown), c.smallPrint
		if len(c.partyBlocks(&tagged.Element{Tag: "Sect"}, mostBeside)) >= mostBeside {
			side = mostBeside // and otherwise no place beside is left empty
		}
		c.shown, c.smallPrint = shown, smallPrint
	}
	cells := c.partyBlocks(section, side)
	if len(cells) == 0 {
		return
	}
	c.begin("parties", cells[0].height())
	if c.look.Letter != nil {
		c.space(headingAbove)
	}
	c.root.Kids = append(c.root.Kids, tagged.Kid{Element: section})
	for len(cells) > 0 {
		n := min(side, len(cells))
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

// mostBeside is how many parties are beside each other where a page is saved.
const mostBeside = 3

// partyBlocks are the blocks of parties, so many beside each other.
func (c *composer) partyBlocks(section *tagged.Element, side int) (cells []cell) {
	width := (c.width() - gutter*float64(side-1)) / float64(side)
	for _, p := range c.layout.Parties {
		each(c.invoice, p.Groups, func(o model.Object) {
			if c.compact && c.partyInSmallPrint(p, o) {
				return
			}
			block := cell{x: c.left() + float64(len(cells)%side)*(width+gutter), width: width}
			if c.party(&block, p, o, section) {
				cells = append(cells, block)
			}
		})
	}
	return cells
}

// partyInSmallPrint leaves a party to the technical details whose name and address are shown
// elsewhere, unless the name is not where readers look for it.
func (c *composer) partyInSmallPrint(p *layout.Party, o model.Object) bool {
	if !slices.Contains(c.look.Sections, "technical") || p.At == c.issuer && c.headless || !c.isShown(p.Name.Template, o) ||
		slices.ContainsFunc(p.Address, func(s layout.Source) bool { return !c.isShown(s.Template, o) }) {
		return false
	}
	var fresh []*layout.Entry
	for _, e := range p.Details {
		is := false
		each(o, e.Groups, func(o model.Object) { is = is || !c.isShown(e.Template, o) })
		if is && e.Field != nil && (e.Field.Name == "vatIdentifier" || e.Field.Name == "taxRegistrationIdentifier") {
			return false // the law wants it to be said: it is not a technical detail
		}
		if is {
			fresh = append(fresh, e)
		}
	}
	rest := c.pairs(fresh, o)
	if len(rest) > 0 {
		c.smallPrint = append(c.smallPrint, pair{label: c.language.Label(p.Groups[len(p.Groups)-1]), value: c.inline(rest)})
	}
	return true
}

// party fills the block of a party, and reports whether it has a term that is not shown
// elsewhere. It begins with the name, so that nobody has to look for whose terms these are. The
// issuer's name is not shown elsewhere where a logo or letter paper has the place of it.
func (c *composer) party(block *cell, p *layout.Party, o model.Object, section *tagged.Element) bool {
	group := section.Add("Div")
	c.add(block, typeset.Words(c.language.Label(p.Groups[len(p.Groups)-1])), &c.style.Column, group.Add("H2"))
	labelLines := len(block.lines)
	without := labelLines // what follows
	if c.isShown(p.Name.Template, o) {
		c.add(block, c.fill(p.Name.Template, o), &c.style.Name, group.Add("P"))
		if p.At != c.issuer || !c.headless {
			without = len(block.lines)
		}
	}
	c.address(block, p, o, group)
	first := true
	for _, e := range p.Details {
		fresh := false
		each(o, e.Groups, func(o model.Object) { fresh = fresh || !c.isShown(e.Template, o) })
		if !fresh {
			continue
		}
		for _, pair := range c.pairs([]*layout.Entry{e}, o) {
			space := 0.0
			if first && len(block.lines) > labelLines {
				space = 4
			}
			text, style := c.labelled(pair), &c.style.Detail
			if c.fonts.WidestWord(text.Text, style) > block.width {
				style = &c.style.Small // an address that would be broken
			}
			c.addApart(block, text, style, group.Add("P"), space)
			first = false
		}
	}
	if len(block.lines) == without {
		section.Drop()
		return false
	}
	return true
}

// address adds the name and the address of a party, as far as they are not shown yet. A
// trading name that is the name is there once.
func (c *composer) address(block *cell, p *layout.Party, o model.Object, section *tagged.Element) {
	isNew := !c.isShown(p.Name.Template, o)
	name := c.fill(p.Name.Template, o)
	if isNew && !name.Empty() {
		c.add(block, name, &c.style.Name, section.Add("P"))
	}
	var address *tagged.Element
	for _, s := range p.Address {
		if text := c.fillNew(s.Template, o); strings.TrimSpace(text.Text) != "" && text.Text != name.Text {
			if address == nil {
				address = section.Add("P")
			}
			c.add(block, text, &c.style.Text, address)
		}
	}
}
