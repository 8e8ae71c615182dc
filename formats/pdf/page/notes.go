package page

import (
	"strings"

	"einvoice/model"
)

// notes draws the notes of the invoice, with line breaks as they were written.
func (c *composer) notes() {
	n := &c.layout.Notes
	var section *element
	each(c.invoice, n.groups, func(o model.Object) {
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

// paragraph draws a text with a label above it.
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

// documents draws the list of supporting documents.
func (c *composer) documents() {
	var t *table
	d := &c.layout.Documents
	each(c.invoice, d.groups, func(o model.Object) {
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
		t.textRow(styleText, c.fill(d.Reference.template, o), c.fill(d.Description.template, o), file)
	})
	if t != nil {
		t.end()
	}
}
