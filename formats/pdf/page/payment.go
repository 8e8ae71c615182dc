package page

import (
	"strings"

	"rsc.io/qr"

	"einvoice/model"
)

// Sizes of the QR code. Phones need at least 0.4 mm for a module.
const (
	codeSize   = 32 * mm
	codeColumn = 46 * mm
)

// payment draws how to pay, beside a QR code for a credit transfer if there can be one.
func (c *composer) payment(inv *model.Invoice) {
	pairs := c.pairs(c.layout.Payment.Facts, c.invoice)
	terms := c.fill(c.layout.Payment.Terms.template, c.invoice)
	var code *qr.Code
	t := transferOf(inv, c.layout)
	if t != nil {
		code, _ = t.code() // too much for a code is no error: the terms are on the page
	}
	if len(pairs) == 0 && terms == "" && code == nil {
		return
	}
	follows, width := 30.0, textWidth
	if code != nil {
		follows, width = codeSize+12*mm, textWidth-codeColumn
	}
	section := c.heading(c.language.word("payment"), follows)
	start, page := c.y, c.current
	columns := 3
	if code != nil {
		columns = 2
	}
	c.grid(section, pairs, width, columns)
	if terms != "" {
		c.paragraph(section, c.language.word("terms"), terms, width)
	}
	if code != nil {
		c.transferCode(section, code, t, start, page)
		if c.current == page {
			c.y = max(c.y, start+codeSize+10*mm)
		}
	}
}

// transferCode draws the QR code on a page, which need not be the current one, with a
// caption.
func (c *composer) transferCode(section *element, code *qr.Code, t *creditTransfer, y float64, page int) {
	if c.err != nil {
		return
	}
	const x = pageWidth - marginLeft - codeSize
	figure := section.add("Figure")
	amount := model.NewNumber(t.amount)
	figure.alt = strings.NewReplacer("#", "EUR "+c.language.money(&amount, "EUR"), "{name}", t.name, "{iban}", t.iban).
		Replace(c.language.word("code"))
	figure.bbox = [4]float64{x, pageHeight - y - codeSize, x + codeSize, pageHeight - y}
	current := c.current
	c.current = page
	module := codeSize / float64(code.Size)
	p := c.page()
	p.beginMarkedContent(figure)
	p.setFill(black)
	for row := range code.Size {
		for from := 0; from < code.Size; from++ {
			to := from
			for code.Black(to, row) {
				to++
			}
			if to > from {
				p.operands(x+float64(from)*module, pageHeight-y-float64(row+1)*module, float64(to-from)*module, module)
				p.operator("re")
				from = to
			}
		}
	}
	p.operator("f")
	c.addMarkedContent(figure)
	caption := cell{x: x, width: codeSize}
	caption.add(c.language.word("scan"), styleLabel, section.add("P"))
	at := y + codeSize + 8
	for _, l := range caption.lines {
		c.textLine(&caption, l, at)
		at += l.style.leading()
	}
	c.current = current
}
