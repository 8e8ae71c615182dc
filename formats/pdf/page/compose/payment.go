package compose

import (
	"fmt"
	"maps"
	"slices"
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
	leastCode  = 20 * typeset.MM
	module     = 0.45 * typeset.MM // of a code that is set closer
)

// codeSide is the length of a side of a code.
func (c *composer) codeSide(code *qr.Code) float64 {
	if !c.compact {
		return codeSize
	}
	return max(leastCode, min(codeSize, module*float64(code.Size)))
}

// A payBlock is what the section about the payment has.
type payBlock struct {
	pairs      []pair
	rows       []payTerm
	terms, who typeset.Phrase
	transfer   *creditTransfer
	code       *qr.Code // nil for none
}

// payBlock is what is said about the payment; nil for nothing.
func (c *composer) payBlock() *payBlock {
	b := &payBlock{pairs: c.pairs(c.layout.Payment.Facts, c.invoice), rows: c.payTerms(), who: c.whoPays(), transfer: transferOf(c.inv, c.layout)}
	if b.rows == nil {
		b.terms = c.terms()
	}
	if b.transfer != nil {
		b.code, _ = b.transfer.code() // too much for a code is not an error: the terms are on the page
	}
	if len(b.pairs) == 0 && b.rows == nil && b.terms.Empty() && b.who.Empty() && b.code == nil {
		return nil
	}
	return b
}

// payment draws how to pay, beside a QR code for a credit transfer if there can be one.
func (c *composer) payment() {
	if c.paymentShown {
		return
	}
	b := c.payBlock()
	if b == nil {
		return
	}
	follows, width, columns := 30.0, c.width(), 3
	if b.code != nil {
		follows, width, columns = c.codeSide(b.code)+12*typeset.MM, c.width()-codeColumn, 2
	}
	section := c.heading("payment", c.language.Word("payment"), follows)
	start, page := c.y, c.current
	if c.compact {
		block := c.payCell(b, c.left(), width, section)
		c.row(block)
		c.y += 4 * c.density
	} else {
		if !b.who.Empty() {
			c.paragraph(section, "", b.who, width)
		}
		c.grid(section, b.pairs, width, columns)
		if !b.terms.Empty() {
			c.paragraph(section, c.language.Word("terms"), b.terms, width)
		}
	}
	if b.rows != nil {
		c.payTable(section, b.rows, width)
	}
	if b.code != nil {
		x := c.right() - c.codeSide(b.code)
		caption := cell{x: c.right() - codeColumn + 4*typeset.MM, width: codeColumn - 4*typeset.MM, right: true}
		end := c.transferCode(section, b, x, start, page, caption)
		if c.current == page {
			c.y = max(c.y, end)
		}
	}
}

// paymentBeside draws how to pay below the VAT breakdown, beside the totals, where there is room.
func (c *composer) paymentBeside(width float64) {
	if !c.compact || !slices.Contains(c.look.Sections, "payment") {
		return
	}
	before := maps.Clone(c.shown)
	b := c.payBlock()
	if b == nil {
		return
	}
	section := &tagged.Element{Tag: "Sect", Class: "payment"}
	text := width
	if b.code != nil {
		text -= c.codeSide(b.code) + 3*typeset.MM
	}
	title := cell{x: c.left(), width: width}
	c.add(&title, typeset.Words(c.language.Word("payment")), &c.style.Heading, section.Add("H2"))
	block := c.payCell(b, c.left(), text, section)
	height := headingAbove*c.density + title.height() + 2
	if b.code != nil {
		height += max(block.height(), c.codeSide(b.code)+2)
	} else {
		height += block.height()
	}
	accounts := 0
	for _, p := range b.pairs {
		if p.wide {
			accounts++
		}
	}
	if accounts > 1 || b.rows != nil || c.y+height > c.bottom() {
		c.shown = before
		return
	}
	c.root.Kids = append(c.root.Kids, tagged.Kid{Element: section})
	c.space(headingAbove)
	c.row(title)
	c.y += 2
	start := c.y
	c.row(block)
	if b.code != nil {
		c.y = max(c.y, c.transferCode(section, b, c.left()+width-c.codeSide(b.code), start, c.current, cell{}))
	}
	c.last, c.paymentShown = "payment", true
	c.page().Classes = append(c.page().Classes, "payment")
}

// payCell is how to pay in lines: an account has its own, and what is short is in one.
func (c *composer) payCell(b *payBlock, x, width float64, section *tagged.Element) cell {
	block := cell{x: x, width: width}
	near, far := 2*c.density, 2*c.density+6
	space, account := near, false
	add := func(p typeset.Phrase) {
		if !p.Empty() {
			c.addApart(&block, p, &c.style.Text, section.Add("P"), space)
			space = near
		}
	}
	var line []pair
	flush := func() {
		if len(line) > 0 {
			add(c.inline(line))
			line = nil
		}
	}
	add(b.who)
	// What belongs to one account, or means of payment, is nearer to it than to others.
	for _, p := range b.pairs {
		if p.wide || p.newRow {
			flush()
		}
		if p.wide && account || !p.wide && p.newRow { // another account, or what is of another
			space = far
		}
		if account = p.wide; account {
			add(p.value)
		} else {
			line = append(line, p)
		}
	}
	flush()
	add(b.terms)
	return block
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
	next := make([][]int, len(c.layout.Payment.Agreed)) // match of each pattern; nil where it has none any more
	for i, a := range c.layout.Payment.Agreed {
		next[i] = matchFrom(a, terms.Text, 0)
	}
	var all []typeset.Phrase
	for from := 0; ; {
		best := -1
		for i, m := range next {
			if m != nil && m[0] < from {
				next[i] = matchFrom(c.layout.Payment.Agreed[i], terms.Text, from)
			}
			if next[i] != nil && (best < 0 || next[i][0] < next[best][0]) {
				best = i
			}
		}
		if best < 0 {
			return typeset.Joined(append(all, terms.Part(from, len(terms.Text))), "")
		}
		at := next[best]
		all = append(all, terms.Part(from, at[0]), c.agreed(c.layout.Payment.Agreed[best], terms, at))
		from = at[1]
	}
}

// matchFrom is the first match of a pattern from a place on, in bytes of the whole text.
func matchFrom(a *layout.Agreement, text string, from int) []int {
	at := a.Regexp.FindStringSubmatchIndex(text[from:])
	for i := range at {
		if at[i] >= 0 { // -1 of a group that is not there
			at[i] += from
		}
	}
	return at
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
// caption below it, if that has room, and returns where it ends.
func (c *composer) transferCode(section *tagged.Element, b *payBlock, x, y float64, page int, caption cell) float64 {
	if c.err != nil {
		return y
	}
	code, t, side := b.code, b.transfer, c.codeSide(b.code)
	figure := section.Add("Figure")
	amount := model.NewNumber(t.amount)
	figure.Alt = typeset.Put(strings.Replace(c.language.Word("code"), "#", "{amount}", 1), map[string]typeset.Phrase{
		"amount": typeset.Words(c.language.WithCurrency(c.language.Money(&amount, "EUR"), "EUR")), "name": typeset.Words(t.name), "iban": typeset.Words(groupedIBAN(t.iban)),
	}).Text
	figure.BBox = [4]float64{x, typeset.PageHeight - y - side, x + side, typeset.PageHeight - y}
	figure.Code = &tagged.QRCode{Code: code}
	current := c.current
	c.current = page
	module := side / float64(code.Size)
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
		p.Items = append(p.Items, tagged.Item{X: x, Y: y, Width: side, Height: side, Code: figure.Code})
	}
	c.addMarkedContent(figure)
	at := y + side + 2
	if caption.width > 0 {
		at += 6
		c.add(&caption, typeset.Words(c.language.Word("scan")), &c.style.Label, section.Add("P"))
	}
	for i := range caption.lines {
		c.textLine(&caption, &caption.lines[i], at)
		at += caption.lines[i].style.Leading()
	}
	c.current = current
	return at
}
