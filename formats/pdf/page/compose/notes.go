package compose

import (
	"maps"
	"slices"

	"einvoice/formats/pdf/page/language"
	"einvoice/formats/pdf/page/tagged"
	"einvoice/formats/pdf/page/typeset"
	"einvoice/model"
)

// notes draws the notes of the invoice, with line breaks as they were written.
func (c *composer) notes() {
	if c.notesShown {
		return
	}
	var section *tagged.Element
	c.eachNote(func(subject, text typeset.Phrase) {
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

// eachNote calls do for each note; where space is short, the subject is before the text.
func (c *composer) eachNote(do func(subject, text typeset.Phrase)) {
	n := &c.layout.Notes
	each(c.invoice, n.Groups, func(o model.Object) {
		subject, text := c.fill(n.Subject.Template, o), c.fill(n.Text.Template, o)
		if c.compact && !subject.Empty() && !text.Empty() {
			subject, text = typeset.Phrase{}, subject.Plus(typeset.Words(c.language.Word("colon"))).Plus(text)
		}
		if !subject.Empty() || !text.Empty() {
			do(subject, text)
		}
	})
}

// notesBeside draws the notes below the VAT breakdown, beside the totals, where they end not
// much lower than these.
func (c *composer) notesBeside(width, end float64) {
	if !c.compact || !slices.Contains(c.look.Sections, "notes") || c.notesShown {
		return
	}
	section := &tagged.Element{Tag: "Sect", Class: "notes"}
	block := cell{x: c.left(), width: width}
	before := maps.Clone(c.shown)
	c.eachNote(func(subject, text typeset.Phrase) {
		e := section.Add("P")
		c.addApart(&block, subject, &c.style.Label, e, 4*c.density)
		if subject.Empty() {
			c.addApart(&block, text, &c.style.Text, e, 4*c.density)
		} else {
			c.add(&block, text, &c.style.Text, e)
		}
	})
	const deeper = 30
	if len(block.lines) == 0 || c.y+padY*2+block.height() > min(end+deeper, c.bottom()) {
		c.shown = before
		return
	}
	c.y += 2 * padY
	c.root.Kids = append(c.root.Kids, tagged.Kid{Element: section})
	c.row(block)
	c.notesShown = true
}

// documentLines draws each supporting document in muted text.
func (c *composer) documentLines() {
	d := &c.layout.Documents
	block := cell{x: c.left(), width: c.width()}
	section := &tagged.Element{Tag: "Sect", Class: "documents"}
	each(c.invoice, d.Groups, func(o model.Object) {
		parts := slices.DeleteFunc([]typeset.Phrase{
			c.fill(d.Reference.Template, o), c.fill(d.Description.Template, o), c.fill(d.File.Template, o), c.fill(d.Location.Template, o),
		}, typeset.Phrase.Empty)
		c.add(&block, c.labelled(pair{label: c.language.Label(d.Groups[len(d.Groups)-1]), value: typeset.Joined(parts, "  ·  ")}), &c.style.Detail, section.Add("P"))
	})
	if len(block.lines) > 0 {
		c.begin("documents", min(block.height(), maxEmpty))
		c.space(8)
		c.root.Kids = append(c.root.Kids, tagged.Kid{Element: section})
		c.row(block)
	}
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
	if c.compact {
		c.documentLines()
		return
	}
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
