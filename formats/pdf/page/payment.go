package page

import (
	"strings"

	"rsc.io/qr"

	"einvoice/model"
)

// Sizes of the code for a transfer. Phones want 0.4 mm a module and more.
const (
	codeSize   = 32 * mm
	codeColumn = 46 * mm
)

// payment prints how to pay, beside a code that pays where there is one.
func (c *composer) payment(inv *model.Invoice) {
	pairs := c.pairs(c.layout.Payment.Facts, c.invoice)
	terms := c.fill(c.layout.Payment.Terms.template, c.invoice)
	var code *qr.Code
	t := transferOf(inv, c.layout)
	if t != nil {
		code, _ = t.code() // what does not fit is paid without it
	}
	if len(pairs) == 0 && terms == "" && code == nil {
		return
	}
	follows, width := 30.0, textWidth
	if code != nil {
		follows, width = codeSize+12*mm, textWidth-codeColumn
	}
	section := c.heading(c.language.word("payment"), follows)
	start, onPage := c.y, len(c.pages)
	columns := 3
	if code != nil {
		columns = 2
	}
	c.grid(section, pairs, width, columns)
	if terms != "" {
		c.paragraph(section, c.language.word("terms"), terms, width)
	}
	if code != nil {
		c.transferCode(section, code, t, start, onPage-1)
		if len(c.pages) == onPage {
			c.y = max(c.y, start+codeSize+10*mm)
		}
	}
}

// transferCode draws the code, and says what it is.
func (c *composer) transferCode(section *element, code *qr.Code, t *transfer, y float64, page int) {
	const x = pageWidth - marginLeft - codeSize
	figure := section.add("Figure")
	amount := model.NewNumber(t.amount)
	figure.alt = strings.NewReplacer("#", "EUR "+c.language.money(&amount, "EUR"), "{name}", t.name, "{iban}", t.iban).
		Replace(c.language.word("code"))
	figure.box = [4]float64{x, pageHeight - y - codeSize, x + codeSize, pageHeight - y}
	all := c.pages
	c.pages = all[:page+1]
	module := codeSize / float64(code.Size)
	p := c.page()
	p.tag(figure)
	p.color(black)
	for row := range code.Size {
		for from := 0; from < code.Size; from++ {
			to := from
			for code.Black(to, row) {
				to++
			}
			if to > from {
				p.numbers(x+float64(from)*module, pageHeight-y-float64(row+1)*module, float64(to-from)*module, module)
				p.operator("re")
				from = to
			}
		}
	}
	p.operator("f")
	c.note(figure)
	caption := cell{x: x, width: codeSize}
	caption.add(c.language.word("scan"), styleLabel, section.add("P"))
	at := y + codeSize + 8
	for _, l := range caption.lines {
		c.print(&caption, l, at)
		at += l.style.leading()
	}
	c.pages = all
}
