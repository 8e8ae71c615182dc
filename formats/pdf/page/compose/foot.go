package compose

import (
	"fmt"
	"strconv"
	"strings"

	"einvoice/formats/pdf/page/layout"
	"einvoice/formats/pdf/page/tagged"
	"einvoice/formats/pdf/page/typeset"
)

// prepareFoot makes the columns of the foot of the first page, and leaves room for them.
func (c *composer) prepareFoot() {
	columns := c.look.Foot
	if len(columns) == 0 {
		return
	}
	const between = 5 * typeset.MM
	n := len(columns)
	width := c.width() - between*float64(n-1)
	texts := make([][]typeset.Phrase, n)
	least, natural, fit := make([]float64, n), make([]float64, n), make([]column, n)
	label := &c.style.Label
	c.footSection = &tagged.Element{Tag: "Sect", Class: "foot"}
	height := 0.0
	shown := c.shown
	c.shown = map[any]bool{} // what the foot shows is shown where readers look for it as well
	for i, entries := range columns {
		fit[i].right = true // account numbers and the like are not broken
		entries = c.issuedBy(entries)
		for _, e := range entries {
			if text := e.Literal(); text != "" { // a text of the look's own
				texts[i] = append(texts[i], typeset.Words(typeset.Clean(text)))
				natural[i] = max(natural[i], c.fonts.Width(text, label))
			} else if len(c.pairs([]*layout.Entry{e}, c.invoice)) == 0 {
				c.footUnused = append(c.footUnused, fmt.Sprintf("column %d: %s shows nothing of an invoice that has every term", i+1, e.Show))
			}
		}
		for _, p := range c.pairs(entries, c.invoice) {
			text := c.labelled(p)
			texts[i] = append(texts[i], text)
			least[i] = max(least[i], c.fonts.WidestWord(text.Text, label))
			for line := range strings.SplitSeq(text.Text, "\n") {
				natural[i] = max(natural[i], c.fonts.Width(line, label))
			}
		}
	}
	for n > 1 && sumOf(least) > width { // a column below another, rather than broken addresses
		n--
		texts[n-1] = append(texts[n-1], texts[n]...)
		least[n-1], natural[n-1] = max(least[n-1], least[n]), max(natural[n-1], natural[n])
		texts, least, natural, fit = texts[:n], least[:n], natural[:n], fit[:n]
		width += between
	}
	x := c.left()
	for i, columnWidth := range fitColumns(least, natural, fit, width) {
		block := cell{x: x, width: columnWidth}
		x += columnWidth + between
		column := c.footSection.Add("Div") // stays together where the columns are others
		for _, text := range texts[i] {
			c.add(&block, text, label, column.Add("P"))
		}
		height = max(height, block.height())
		c.footCells = append(c.footCells, block)
	}
	c.footShown = c.shown
	c.shown = shown
	const most = 0.2 * typeset.PageHeight // hostile names do not take the page
	if height > most {
		c.footUnused = append(c.footUnused, fmt.Sprintf("it is %.0f mm high, and is left out where it has more than %.0f; take something out of it", height/typeset.MM, most/typeset.MM))
		c.footCells, c.footSection, c.footShown = nil, nil, nil
		return
	}
	c.footTop = typeset.PageHeight - c.look.Page.Bottom*typeset.MM - height - 4*typeset.MM
	for leaf := range c.footShown {
		c.shown[leaf] = true
	}
}

func sumOf(widths []float64) (sum float64) {
	for _, w := range widths {
		sum += w
	}
	return sum
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
	about := c.title()
	if author := c.author(); author != "" {
		about = author + " · " + about
	}
	about = c.fonts.Shorten(about, label, c.width()-40*typeset.MM)
	for i := range c.pages {
		number := strings.Replace(c.language.Word("page"), "#", strconv.Itoa(i+1), 1)
		number = strings.Replace(number, "{pages}", strconv.Itoa(len(c.pages)), 1)
		y := typeset.PageHeight - max(c.look.Page.Bottom-7, 5)*typeset.MM
		c.current = i
		c.shade(c.left(), y-10, c.width(), 0.5, c.look.Colours.Line.Colour)
		c.text(tagged.Footer, c.left(), y, typeset.Words(about), label)
		c.text(tagged.Footer, c.right()-c.fonts.Width(number, label), y, typeset.Words(number), label)
	}
}
