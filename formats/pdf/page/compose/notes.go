package compose

import (
	"einvoice/formats/pdf/page/language"
	"einvoice/formats/pdf/page/tagged"
	"einvoice/formats/pdf/page/typeset"
	"einvoice/model"
)

// notes draws the notes of the invoice, with line breaks as they were written.
func (c *composer) notes() {
	n := &c.layout.Notes
	var section *tagged.Element
	each(c.invoice, n.Groups, func(o model.Object) {
		subject, text := c.fill(n.Subject.Template, o), c.fill(n.Text.Template, o)
		if subject.Empty() && text.Empty() {
			return
		}
		if section == nil {
			section = c.heading("notes", c.language.Word("notes"), 30)
		}
		e := section.Add("P")
		block := cell{x: c.left(), width: c.width()}
		c.add(&block, subject, &c.style.Label, e)
		c.add(&block, text, &c.style.Text, e)
		c.row(block)
		c.y += 6 * c.density
	})
}

// paragraph draws a text with a label above it.
func (c *composer) paragraph(section *tagged.Element, label string, text typeset.Phrase, width float64) {
	e := section.Add("P")
	block := cell{x: c.left(), width: width}
	c.add(&block, typeset.Words(label), &c.style.Label, e)
	c.add(&block, text, &c.style.Text, e)
	c.row(block)
	c.y += 6 * c.density
}

// ownText draws a text of the look.
func (c *composer) ownText(class string, texts map[string]string) {
	text, found := texts[c.language.Tag]
	if !found {
		text = texts[language.Any]
	}
	if text = typeset.Clean(text); text == "" {
		return
	}
	c.space(8)
	c.paragraph(c.root.Section(class), "", typeset.Words(text), c.width())
}

// documents draws the list of supporting documents.
func (c *composer) documents() {
	d := &c.layout.Documents
	w := c.language.Word
	t := c.table("documents", c.left(), c.width(), []column{
		{title: w("reference")}, {title: w("description"), grows: true}, {title: w("file"), grows: true},
	})
	each(c.invoice, d.Groups, func(o model.Object) {
		row := tableRow{cells: make([]tableCell, len(t.columns))}
		row.cells[0].add(c.fill(d.Reference.Template, o), &c.style.Text)
		row.cells[1].add(c.fill(d.Description.Template, o), &c.style.Text)
		row.cells[2].add(c.fill(d.File.Template, o), &c.style.Text)
		row.cells[2].add(c.fill(d.Location.Template, o), &c.style.Text)
		t.rows = append(t.rows, row)
	})
	if len(t.rows) > 0 {
		t.draw(c.heading("documents", w("documents"), t.begins()))
	}
}
