package page

import (
	"strconv"
	"strings"

	"einvoice/model"
)

// newComposer prepares to print an invoice.
func newComposer(inv *model.Invoice, l *language, pages int) *composer {
	c := &composer{
		invoice: model.ObjectOf(inv), language: l, layout: theLayout(), currency: inv.CurrencyCode.Raw,
		seen: map[any]bool{}, usage: newUsage(), limit: pages, bottom: textBottom,
		root: &element{tag: "Document"},
	}
	if len(c.currency) <= longestUnit {
		c.unit = c.currency
	}
	c.breakPage()
	return c
}

// longestUnit is more than a currency code has.
const longestUnit = 8

// compose prints the invoice, from its title to what is left.
func (c *composer) compose(inv *model.Invoice) (err error) {
	defer func() {
		if r := recover(); r != nil {
			long, ok := r.(*TooLong)
			if !ok {
				panic(r)
			}
			err = long
		}
	}()
	c.head()
	c.parties()
	c.facts()
	c.lines()
	c.adjustments()
	c.sums()
	c.payment(inv)
	c.notes()
	c.documents()
	c.technical()
	c.further()
	c.footers()
	return nil
}

// titleType is the name of the document's type.
func (c *composer) titleType() string {
	t := c.layout.Title.Type
	field := t.parts[0].path[0]
	if name := c.language.codeName(field, c.invoice.Text(field).Raw); name != "" {
		return name
	}
	return c.language.word("invoice")
}

// title is the name of the document, for lists of files and windows.
func (c *composer) title() string {
	return strings.TrimSpace(c.titleType() + " " + c.fill(c.layout.Title.Number.template, c.invoice))
}

func (c *composer) author() string { return c.fill(c.layout.Title.Author.template, c.invoice) }

// head prints what the document is, and what it asks for.
func (c *composer) head() {
	section := c.root.add("Sect")
	const dueWidth = 62 * mm
	left := cell{x: marginLeft, width: textWidth - dueWidth - 6*mm}
	h1 := section.add("H1")
	left.add(c.titleType(), styleTitle, h1)
	left.add(c.fill(c.layout.Title.Number.template, c.invoice), styleNumber, h1)
	right := cell{x: pageWidth - marginLeft - dueWidth, width: dueWidth, right: true}
	if due := c.fill(c.layout.Title.Due.template, c.invoice); due != "" {
		p := section.add("P")
		right.add(c.language.word("due"), styleLabel, p)
		right.add(c.withCurrency(due), styleDue, p)
	}
	c.row(left, right)
	c.y += 4
	c.rule(marginLeft, textWidth, 1.2, accent)
	c.y += 12
}

// gutter is between blocks side by side.
const gutter = 8 * mm

// parties prints who is involved, two side by side.
func (c *composer) parties() {
	section := c.root.add("Sect")
	width := (textWidth - gutter) / 2
	var cells []cell
	for _, p := range c.layout.Parties {
		each(c.invoice, p.at, func(o model.Object) {
			block := cell{x: marginLeft + float64(len(cells)%2)*(width+gutter), width: width}
			label := section.add("H2")
			block.add(c.language.label(p.at[len(p.at)-1]), styleColumn, label)
			named := len(block.lines)
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
					block.part(text, styleSmall, section.add("P"))
				} else {
					block.add(text, styleSmall, section.add("P"))
				}
			}
			if len(block.lines) == named { // its terms stand elsewhere
				section.kids = section.kids[:len(section.kids)-1]
				return
			}
			cells = append(cells, block)
		})
	}
	for len(cells) > 0 {
		n := min(2, len(cells))
		c.row(cells[:n]...)
		c.y += 12
		cells = cells[n:]
	}
}

// facts prints dates and references in columns.
func (c *composer) facts() {
	pairs := c.pairs(c.layout.Facts, c.invoice)
	if len(pairs) == 0 {
		return
	}
	c.rule(marginLeft, textWidth, 0.5, rule)
	c.y += 8
	c.grid(c.root.add("Sect"), pairs, textWidth, 4)
	c.y -= 2
}

// grid prints pairs in columns, each label above its value. What is long has a row
// of its own.
func (c *composer) grid(section *element, pairs []pair, width float64, columns int) {
	const between = 5 * mm
	columnWidth := (width - between*float64(columns-1)) / float64(columns)
	var row []cell
	flush := func() {
		if len(row) > 0 {
			c.row(row...)
			c.y += 6
			row = nil
		}
	}
	for _, p := range pairs {
		if p.apart {
			flush()
		}
		e := section.add("P")
		at := cell{x: marginLeft + float64(len(row))*(columnWidth+between), width: columnWidth}
		if p.label != "" {
			at.add(p.label, styleLabel, e)
		}
		at.add(p.value, styleText, e)
		if len(at.lines) > 5 {
			flush()
			whole := cell{x: marginLeft, width: width}
			whole.add(p.label, styleLabel, e)
			whole.add(p.value, styleText, e)
			row = append(row, whole)
			flush()
			continue
		}
		if row = append(row, at); len(row) == columns {
			flush()
		}
	}
	flush()
}

// adjustments prints the allowances and charges of the whole document.
func (c *composer) adjustments() {
	var t *table
	for _, a := range c.layout.Adjustments {
		each(c.invoice, a.at, func(o model.Object) {
			if t == nil {
				w := c.language.word
				section := c.heading(w("adjustments"), 40)
				t = c.table(section, marginLeft, []column{
					{w("kind"), 26 * mm, false},
					{w("reason"), 62 * mm, false},
					{w("base"), 26 * mm, true},
					{w("percentage"), 16 * mm, true},
					{w("vat"), 18 * mm, true},
					{c.inCurrency("amount"), 26 * mm, true},
				})
			}
			t.write(styleText,
				c.language.label(a.at[len(a.at)-1]), c.fill(a.Reason.template, o), c.fill(a.Base.template, o),
				c.fill(a.Percentage.template, o), c.fill(a.Vat.template, o), c.fill(a.Amount.template, o))
		})
	}
	if t != nil {
		t.end()
	}
}

// inCurrency is a heading that names the currency of the amounts below it.
func (c *composer) inCurrency(word string) string {
	text := c.language.word(word)
	if c.unit == "" {
		return strings.Replace(text, " (#)", "", 1)
	}
	return strings.Replace(text, "#", c.unit, 1)
}

// write prints a row of texts.
func (t *table) write(st *style, texts ...string) {
	row := t.body.add("TR")
	t.y += padY
	cells := t.cells(0)
	for i := range cells {
		td := row.add("TD")
		if texts[i] != "" {
			cells[i].add(texts[i], st, td)
		}
	}
	t.row(cells...)
	t.separate()
}

// notes prints texts as they were written.
func (c *composer) notes() {
	n := &c.layout.Notes
	var section *element
	each(c.invoice, n.at, func(o model.Object) {
		subject, text := c.fill(n.Subject.template, o), c.fill(n.Text.template, o)
		if subject == "" && text == "" {
			return
		}
		if section == nil {
			section = c.heading(c.language.word("notes"), 30)
		}
		c.paragraph(section, subject, text, textWidth)
	})
}

// paragraph prints a text with a label above it.
func (c *composer) paragraph(section *element, label, text string, width float64) {
	e := section.add("P")
	block := cell{x: marginLeft, width: width}
	if label != "" {
		block.add(label, styleLabel, e)
	}
	if text != "" {
		block.add(text, styleText, e)
	}
	c.row(block)
	c.y += 6
}

func (c *composer) documents() {
	var t *table
	d := &c.layout.Documents
	each(c.invoice, d.at, func(o model.Object) {
		if t == nil {
			w := c.language.word
			section := c.heading(w("documents"), 40)
			t = c.table(section, marginLeft, []column{
				{w("reference"), 44 * mm, false},
				{w("description"), 58 * mm, false},
				{w("file"), 72 * mm, false},
			})
		}
		file := strings.TrimSpace(c.fill(d.File.template, o) + "\n" + c.fill(d.Location.template, o))
		t.write(styleText, c.fill(d.Reference.template, o), c.fill(d.Description.template, o), file)
	})
	if t != nil {
		t.end()
	}
}

func (c *composer) technical() {
	if pairs := c.pairs(c.layout.Technical, c.invoice); len(pairs) > 0 {
		c.grid(c.heading(c.language.word("technical"), 30), pairs, textWidth, 2)
	}
}

// further prints every term that stands nowhere else.
func (c *composer) further() {
	lines, _ := c.invoice.Type.Field("lines") // each has said what is left of it
	if pairs := c.rest(nil, c.invoice, "", lines); len(pairs) > 0 {
		c.grid(c.heading(c.language.word("further"), 30), pairs, textWidth, 2)
	}
}

// rest collects the terms of a group that are not printed yet.
func (c *composer) rest(pairs []pair, o model.Object, prefix string, without *model.Field) []pair {
	for i := range o.Type.Fields {
		f := &o.Type.Fields[i]
		switch {
		case f == without || !o.Has(f):
		case f.Kind.IsLeaf():
			if c.seen[leafOf(o, f)] || o.Raw(f) == "" {
				continue
			}
			c.take(o, f)
			pairs = append(pairs, pair{label: prefix + c.language.label(f), value: c.language.leaf(o, f, c.currency)})
		case f.Kind == model.KindGroup:
			pairs = c.rest(pairs, o.Group(f), prefix+c.language.label(f)+", ", without)
		default:
			list := o.List(f)
			for j := range list.Len() {
				label := prefix + c.language.label(f)
				if list.Len() > 1 {
					label += " " + strconv.Itoa(j+1)
				}
				pairs = c.rest(pairs, list.At(j), label+", ", without)
			}
		}
	}
	return pairs
}

// footers prints at the foot of each page whose page it is.
func (c *composer) footers() {
	about := c.title()
	if author := c.author(); author != "" {
		about = author + " · " + about
	}
	about = shorten(about, styleLabel, textWidth-40*mm)
	for i, p := range c.pages {
		number := strings.NewReplacer("#", strconv.Itoa(i+1), "{pages}", strconv.Itoa(len(c.pages))).
			Replace(c.language.word("page"))
		y := pageHeight - 13*mm
		p.rectangle(footer, marginLeft, y-10, textWidth, 0.5, rule)
		p.text(footer, c.usage, marginLeft, y, about, styleLabel)
		p.text(footer, c.usage, pageWidth-marginLeft-widthOf(number, styleLabel), y, number, styleLabel)
	}
}
