package page

import (
	"einvoice/model"
)

// notes draws the notes of the invoice, with line breaks as they were written.
func (c *composer) notes() {
	n := &c.layout.Notes
	var section *element
	each(c.invoice, n.groups, func(o model.Object) {
		subject, text := c.fill(n.Subject.template, o), c.fill(n.Text.template, o)
		if subject.empty() && text.empty() {
			return
		}
		if section == nil {
			section = c.heading("notes", c.language.word("notes"), 30)
		}
		e := section.add("P")
		block := cell{x: c.left(), width: c.width()}
		c.add(&block, subject, &c.style.label, e)
		c.add(&block, text, &c.style.text, e)
		c.row(block)
		c.y += 6 * c.density
	})
}

// paragraph draws a text with a label above it.
func (c *composer) paragraph(section *element, label string, text phrase, width float64) {
	e := section.add("P")
	block := cell{x: c.left(), width: width}
	c.add(&block, words(label), &c.style.label, e)
	c.add(&block, text, &c.style.text, e)
	c.row(block)
	c.y += 6 * c.density
}

// ownText draws a text of the look.
func (c *composer) ownText(class string, texts map[string]string) {
	text, found := texts[c.language.Tag]
	if !found {
		text = texts[anyLanguage]
	}
	if text = clean(text); text == "" {
		return
	}
	c.space(8)
	c.paragraph(c.root.section(class), "", words(text), c.width())
}

// documents draws the list of supporting documents.
func (c *composer) documents() {
	d := &c.layout.Documents
	w := c.language.word
	t := c.table("documents", c.left(), c.width(), []column{
		{title: w("reference")}, {title: w("description"), grows: true}, {title: w("file"), grows: true},
	})
	each(c.invoice, d.groups, func(o model.Object) {
		row := tableRow{cells: make([]tableCell, len(t.columns))}
		row.cells[0].add(c.fill(d.Reference.template, o), &c.style.text)
		row.cells[1].add(c.fill(d.Description.template, o), &c.style.text)
		row.cells[2].add(c.fill(d.File.template, o), &c.style.text)
		row.cells[2].add(c.fill(d.Location.template, o), &c.style.text)
		t.rows = append(t.rows, row)
	})
	if len(t.rows) > 0 {
		t.draw(c.heading("documents", w("documents"), t.begins()))
	}
}
