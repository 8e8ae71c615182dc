package compose

import (
	"fmt"
	"strings"

	"einvoice/formats/pdf/page/layout"
	"einvoice/formats/pdf/page/tagged"
	"einvoice/formats/pdf/page/typeset"
	"einvoice/model"

	"rsc.io/qr"
)

// Sizes of the QR code. Phones need at least 0.4 mm for a module.
const (
	codeSize   = 28 * typeset.MM
	codeColumn = 42 * typeset.MM
)

// payment draws how to pay, beside a QR code for a credit transfer if there can be one.
func (c *composer) payment() {
	pairs := c.pairs(c.layout.Payment.Facts, c.invoice)
	rows := c.payTerms()
	var terms typeset.Phrase
	if rows == nil {
		terms = c.terms()
	}
	who := c.whoPays()
	var code *qr.Code
	t := transferOf(c.inv, c.layout)
	if t != nil {
		code, _ = t.code() // too much for a code is no error: the terms are on the page
	}
	if len(pairs) == 0 && rows == nil && terms.Empty() && who.Empty() && code == nil {
		return
	}
	follows, width := 30.0, c.width()
	if code != nil {
		follows, width = codeSize+12*typeset.MM, c.width()-codeColumn
	}
	section := c.heading("payment", c.language.Word("payment"), follows)
	start, page := c.y, c.current
	if !who.Empty() {
		c.paragraph(section, "", who, width)
	}
	columns := 3
	if code != nil {
		columns = 2
	}
	c.grid(section, pairs, width, columns)
	if !terms.Empty() {
		c.paragraph(section, c.language.Word("terms"), terms, width)
	}
	if rows != nil {
		c.payTable(section, rows, width)
	}
	if code != nil {
		end := c.transferCode(section, code, t, start, page)
		if c.current == page {
			c.y = max(c.y, end)
		}
	}
}

// whoPays says who pays whom, where it is not the buyer who pays an invoice.
func (c *composer) whoPays() typeset.Phrase {
	t := c.inv.Totals
	if !c.refunded() && !c.negative() || t == nil || !t.AmountDueForPayment.Valid || t.AmountDueForPayment.Value.Sign() == 0 {
		return typeset.Phrase{}
	}
	from, to := buyer, seller
	if c.refunded() {
		from, to = seller, buyer
	}
	payer, payee := typeset.Words(c.language.Label(c.field(from))), typeset.Words(c.language.Label(c.field(to)))
	for group, name := range map[string]*typeset.Phrase{from: &payer, to: &payee} {
		if p := c.partyLayout(group); p != nil {
			each(c.invoice, p.Groups, func(o model.Object) {
				if text := c.fill(p.Name.Template, o); !text.Empty() {
					*name = text
				}
			})
		}
	}
	return typeset.Put(c.language.Word("paidBy"), map[string]typeset.Phrase{
		"payer": payer, "payee": payee, "amount": c.withCurrency(typeset.Words(strings.TrimPrefix(c.language.Money(&t.AmountDueForPayment.Number, c.currency), "-"))),
	})
}

// field is a field of the invoice.
func (c *composer) field(name string) *model.Field {
	f, _ := c.invoice.Type.Field(name) // the model has it
	return f
}

// terms are the payment terms.
func (c *composer) terms() typeset.Phrase {
	return c.inWords(c.fill(c.layout.Payment.Terms.Template, c.invoice))
}

// inWords is a text of payment terms, in which what is for programs is said in words.
func (c *composer) inWords(terms typeset.Phrase) typeset.Phrase {
	if !strings.Contains(terms.Text, "#") {
		return terms
	}
	var sum typeset.Phrase
	rest := terms
	for {
		best, at := (*layout.Agreement)(nil), []int(nil)
		for _, a := range c.layout.Payment.Agreed {
			if m := a.Regexp.FindStringSubmatchIndex(rest.Text); m != nil && (at == nil || m[0] < at[0]) {
				best, at = a, m
			}
		}
		if best == nil {
			return sum.Plus(rest)
		}
		sum = sum.Plus(rest.Part(0, at[0])).Plus(c.agreed(best, rest, at))
		rest = rest.Part(at[1], len(rest.Text))
	}
}

// agreed is the sentence for what a pattern matched.
func (c *composer) agreed(a *layout.Agreement, in typeset.Phrase, at []int) typeset.Phrase {
	values := map[string]typeset.Phrase{}
	for i, name := range a.Regexp.SubexpNames() {
		if name == "" || at[2*i] < 0 {
			continue
		}
		p := in.Part(at[2*i], at[2*i+1])
		number := model.NewNumber(p.Text)
		text := c.language.Number(&number)
		switch name {
		case "percent":
			text = c.language.Percentage(&number)
		case "base":
			text = c.withCurrency(typeset.Words(c.language.Money(&number, c.currency))).Text
		}
		for j := range p.Marks {
			p.Marks[j].From, p.Marks[j].To = 0, len(text)
		}
		values[name] = typeset.Phrase{Text: text, Marks: p.Marks}
	}
	return typeset.Put(c.language.Word(a.Word), values)
}

// transferCode draws the QR code on a page, which need not be the current one, with a
// caption, and returns where it ends.
func (c *composer) transferCode(section *tagged.Element, code *qr.Code, t *creditTransfer, y float64, page int) float64 {
	if c.err != nil {
		return y
	}
	x := c.right() - codeSize
	figure := section.Add("Figure")
	amount := model.NewNumber(t.amount)
	figure.Alt = typeset.Put(strings.Replace(c.language.Word("code"), "#", "{amount}", 1), map[string]typeset.Phrase{
		"amount": typeset.Words(c.language.WithCurrency(c.language.Money(&amount, "EUR"), "EUR")), "name": typeset.Words(t.name), "iban": typeset.Words(groupedIBAN(t.iban)),
	}).Text
	figure.BBox = [4]float64{x, typeset.PageHeight - y - codeSize, x + codeSize, typeset.PageHeight - y}
	figure.Code = &tagged.QRCode{Code: code}
	current := c.current
	c.current = page
	module := codeSize / float64(code.Size)
	p := c.page()
	p.BeginMarkedContent(figure)
	p.SetFill(typeset.Black)
	p.Operator("q")
	p.Operators = fmt.Appendf(p.Operators, "%.4f 0 0 %.4f %.2f %.2f cm\n", module, -module, x, typeset.PageHeight-y) // a module is 1 by 1
	figure.Code.Runs(func(row, from, to int) {
		p.Operands(float64(from), float64(row), float64(to-from), 1)
		p.Operator("re")
	})
	p.Operator("f")
	p.Operator("Q")
	if c.keeps {
		p.Items = append(p.Items, tagged.Item{X: x, Y: y, Width: codeSize, Height: codeSize, Code: figure.Code})
	}
	c.addMarkedContent(figure)
	caption := cell{x: c.right() - codeColumn + 4*typeset.MM, width: codeColumn - 4*typeset.MM, right: true}
	c.add(&caption, typeset.Words(c.language.Word("scan")), &c.style.Label, section.Add("P"))
	at := y + codeSize + 8
	for i := range caption.lines {
		c.textLine(&caption, &caption.lines[i], at)
		at += caption.lines[i].style.Leading()
	}
	c.current = current
	return at
}
