package compose

import (
	"fmt"
	"strconv"
	"strings"

	"einvoice/formats/pdf/page/layout"
	"einvoice/formats/pdf/page/tagged"
	"einvoice/formats/pdf/page/typeset"
)

// highestFoot is the most of the page that the foot takes: hostile names do not fill it.
const highestFoot = 0.2 * typeset.PageHeight

// prepareFoot makes the columns of the foot of the first page, and leaves room for them. Where
// the terms of the invoice make it too high, it has the look's own texts alone.
func (c *composer) prepareFoot() {
	if len(c.look.Foot) == 0 {
		return
	}
	shown := c.shown
	c.shown = map[any]bool{} // what the foot shows is shown where readers look for it as well
	columns := c.footTexts()
	height := c.layFoot(columns)
	if height > highestFoot {
		c.footUnused = append(c.footUnused, fmt.Sprintf("foot: it is %.0f mm high, and its terms are left out where it has more than %.0f; take something out of it", height/typeset.MM, highestFoot/typeset.MM))
		c.shown = map[any]bool{}
		height = c.layFoot(fixedTexts(columns))
	}
	if height > highestFoot {
		c.footUnused = append(c.footUnused, fmt.Sprintf("foot: its own texts alone are %.0f mm high, and a page has no foot of more than %.0f; take some of them out", height/typeset.MM, highestFoot/typeset.MM))
	}
	c.footShown, c.shown = c.shown, shown
	if height == 0 || height > highestFoot {
		c.footCells, c.footSection, c.footShown = nil, nil, nil
		return
	}
	c.footTop = typeset.PageHeight - c.look.Page.Bottom*typeset.MM - height - 4*typeset.MM
	for leaf := range c.footShown {
		c.shown[leaf] = true
	}
}

// layFoot makes cells of columns, and returns their height.
func (c *composer) layFoot(columns []footColumn) (height float64) {
	c.footSection, c.footCells = &tagged.Element{Tag: "Sect", Class: "foot"}, nil
	columns, widths := c.fitFoot(columns)
	x := c.left()
	for i := range columns {
		block := cell{x: x, width: widths[i]}
		x += widths[i] + betweenColumns
		element := c.footSection.Add("Div") // stays together where the columns are others
		for _, t := range columns[i].texts {
			c.add(&block, t.Phrase, &c.style.Label, element.Add("P"))
		}
		height = max(height, block.height())
		c.footCells = append(c.footCells, block)
	}
	return height
}

// issuedBy are the entries of a foot for who makes the document: where that is the buyer, the
// terms of the seller become those of the buyer, and others, such as accounts that the seller
// is paid to, are left to the places where readers look for them.
func (c *composer) issuedBy(entries []*layout.Entry) []*layout.Entry {
	if c.issuer == seller {
		return entries
	}
	var own []*layout.Entry
	for _, e := range entries {
		if moved := e.Moved(seller, c.issuer); moved != nil {
			own = append(own, moved)
		}
	}
	return own
}

// foot draws the foot of the first page.
func (c *composer) foot() {
	if c.footSection == nil || c.err != nil {
		return
	}
	current, y := c.current, c.y
	c.current = 0
	c.shade(c.left(), c.footTop+2*typeset.MM, c.width(), 0.5, c.look.Colours.Line.Colour)
	for i := range c.footCells {
		at := c.footTop + 4*typeset.MM
		for j := range c.footCells[i].lines {
			c.textLine(&c.footCells[i], &c.footCells[i].lines[j], at)
			at += c.footCells[i].lines[j].style.Leading()
		}
	}
	c.root.Kids = append(c.root.Kids, tagged.Kid{Element: c.footSection})
	c.current, c.y = current, y
}

// everyPage draws seller, title and page number at the bottom of each page.
func (c *composer) everyPage() {
	if c.err != nil {
		return
	}
	label := &c.style.Label
	width := c.width() - 40*typeset.MM
	about := c.fonts.Shorten(c.title(), label, width)
	if author := c.author(); author != "" { // a long name gives way to the number
		title := " · " + about
		if rest := width - c.fonts.Width(title, label); rest > 20*typeset.MM {
			about = c.fonts.Shorten(author, label, rest) + title
		}
	}
	for i := range c.pages {
		number := strings.Replace(c.language.Word("page"), "#", strconv.Itoa(i+1), 1)
		number = strings.Replace(number, "{pages}", strconv.Itoa(len(c.pages)), 1)
		y := c.look.FooterLine()
		c.current = i
		c.shade(c.left(), y-10, c.width(), 0.5, c.look.Colours.Line.Colour)
		c.text(tagged.Footer, c.left(), y, typeset.Words(about), label)
		c.text(tagged.Footer, c.right()-c.fonts.Width(number, label), y, typeset.Words(number), label)
	}
}
