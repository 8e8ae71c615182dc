package page

import (
	"fmt"
	"strings"

	"rsc.io/qr"

	"einvoice/model"
)

// Sizes of the QR code. Phones need at least 0.4 mm for a module.
const (
	codeSize   = 28 * mm
	codeColumn = 42 * mm
)

// A qrCode is a QR code to draw.
type qrCode struct{ *qr.Code }

// payment draws how to pay, beside a QR code for a credit transfer if there can be one.
func (c *composer) payment() {
	pairs := c.pairs(c.layout.Payment.Facts, c.invoice)
	terms := c.terms()
	who := c.whoPays()
	var code *qr.Code
	t := transferOf(c.inv, c.layout)
	if t != nil {
		code, _ = t.code() // too much for a code is no error: the terms are on the page
	}
	if len(pairs) == 0 && terms.empty() && who.empty() && code == nil {
		return
	}
	follows, width := 30.0, c.width()
	if code != nil {
		follows, width = codeSize+12*mm, c.width()-codeColumn
	}
	section := c.heading("payment", c.language.word("payment"), follows)
	start, page := c.y, c.current
	if !who.empty() {
		c.paragraph(section, "", who, width)
	}
	columns := 3
	if code != nil {
		columns = 2
	}
	c.grid(section, pairs, width, columns)
	if !terms.empty() {
		c.paragraph(section, c.language.word("terms"), terms, width)
	}
	if code != nil {
		end := c.transferCode(section, code, t, start, page)
		if c.current == page {
			c.y = max(c.y, end)
		}
	}
}

// whoPays says that the seller pays the buyer, where it is not the other way round.
func (c *composer) whoPays() phrase {
	if t := c.inv.Totals; !c.refunded() || t == nil || !t.AmountDueForPayment.Valid || t.AmountDueForPayment.Value.Sign() == 0 {
		return phrase{}
	}
	payer, payee := words(c.language.label(c.field("seller"))), words(c.language.label(c.field("buyer")))
	for group, name := range map[string]*phrase{"seller": &payer, "buyer": &payee} {
		if p := c.partyLayout(group); p != nil {
			each(c.invoice, p.groups, func(o model.Object) {
				if text := c.fill(p.Name.template, o); !text.empty() {
					*name = text
				}
			})
		}
	}
	return put(c.language.word("paidBy"), map[string]phrase{"payer": payer, "payee": payee})
}

// field is a field of the invoice.
func (c *composer) field(name string) *model.Field {
	f, _ := c.invoice.Type.Field(name) // the model has it
	return f
}

// terms are the payment terms; what is written in them for programs is said in words.
func (c *composer) terms() phrase {
	terms := c.fill(c.layout.Payment.Terms.template, c.invoice)
	if !strings.Contains(terms.text, "#") {
		return terms
	}
	var sum phrase
	rest := terms
	for {
		best, at := (*agreement)(nil), []int(nil)
		for _, a := range c.layout.Payment.Agreed {
			if m := a.regexp.FindStringSubmatchIndex(rest.text); m != nil && (at == nil || m[0] < at[0]) {
				best, at = a, m
			}
		}
		if best == nil {
			return sum.plus(rest)
		}
		sum = sum.plus(rest.part(0, at[0])).plus(c.agreed(best, rest, at))
		rest = rest.part(at[1], len(rest.text))
	}
}

// agreed is the sentence for what a pattern matched.
func (c *composer) agreed(a *agreement, in phrase, at []int) phrase {
	values := map[string]phrase{}
	for i, name := range a.regexp.SubexpNames() {
		if name == "" || at[2*i] < 0 {
			continue
		}
		p := in.part(at[2*i], at[2*i+1])
		number := model.NewNumber(p.text)
		text := c.language.number(&number)
		switch name {
		case "percent":
			text = c.language.percent(&number)
		case "base":
			text = c.withCurrency(words(c.language.money(&number, c.currency))).text
		}
		for j := range p.marks {
			p.marks[j].from, p.marks[j].to = 0, len(text)
		}
		values[name] = phrase{text: text, marks: p.marks}
	}
	return put(c.language.word(a.Word), values)
}

// transferCode draws the QR code on a page, which need not be the current one, with a
// caption, and returns where it ends.
func (c *composer) transferCode(section *element, code *qr.Code, t *creditTransfer, y float64, page int) float64 {
	if c.err != nil {
		return y
	}
	x := c.right() - codeSize
	figure := section.add("Figure")
	amount := model.NewNumber(t.amount)
	figure.alt = put(strings.Replace(c.language.word("code"), "#", "{amount}", 1), map[string]phrase{
		"amount": words(c.language.withCurrency(c.language.money(&amount, "EUR"), "EUR")), "name": words(t.name), "iban": words(groupedIBAN(t.iban)),
	}).text
	figure.bbox = [4]float64{x, pageHeight - y - codeSize, x + codeSize, pageHeight - y}
	figure.code = &qrCode{code}
	current := c.current
	c.current = page
	module := codeSize / float64(code.Size)
	p := c.page()
	p.beginMarkedContent(figure)
	p.setFill(black)
	p.operator("q")
	p.operators = fmt.Appendf(p.operators, "%.4f 0 0 %.4f %.2f %.2f cm\n", module, -module, x, pageHeight-y) // a module is 1 by 1
	figure.code.runs(func(row, from, to int) {
		p.operands(float64(from), float64(row), float64(to-from), 1)
		p.operator("re")
	})
	p.operator("f")
	p.operator("Q")
	if c.keeps {
		p.items = append(p.items, item{x: x, y: y, width: codeSize, height: codeSize, code: figure.code})
	}
	c.addMarkedContent(figure)
	caption := cell{x: c.right() - codeColumn + 4*mm, width: codeColumn - 4*mm, right: true}
	c.add(&caption, words(c.language.word("scan")), &c.style.label, section.add("P"))
	at := y + codeSize + 8
	for i := range caption.lines {
		c.textLine(&caption, &caption.lines[i], at)
		at += caption.lines[i].style.leading()
	}
	c.current = current
	return at
}

// runs calls do for each row of dark modules.
func (q *qrCode) runs(do func(row, from, to int)) {
	for row := range q.Size {
		for from := 0; from < q.Size; from++ {
			to := from
			for q.Black(to, row) {
				to++
			}
			if to > from {
				do(row, from, to)
				from = to
			}
		}
	}
}
