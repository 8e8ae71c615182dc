package page

import (
	"slices"
	"strings"

	"einvoice/model"
)

// A total is a row of the totals.
type total struct {
	label  string
	about  phrase // in the label
	value  phrase
	weight string
}

// maxRatesBeside is how many rows of the VAT breakdown are drawn beside the totals.
const maxRatesBeside = 8

// sums draws the VAT breakdown and the totals, side by side if they fit, and together on
// one page.
func (c *composer) sums() {
	totals := c.totals()
	half := (c.width() - gutter) / 2
	rates := c.rates(half)
	beside := len(rates.rows) <= maxRatesBeside && rates.fits()
	if !beside {
		rates = c.rates(c.width())
	}
	c.begin("totals", 0)
	section := &element{tag: "Sect", class: "totals"}
	width := half
	if !beside || len(rates.rows) == 0 {
		width = max(half, 104*mm)
	}
	blocks := c.totalRows(totals, width)
	blocksHeight := 0.0
	for _, b := range blocks {
		blocksHeight += b.height
	}
	c.root.kids = append(c.root.kids, kid{element: section})
	switch {
	case len(rates.rows) == 0 && len(totals) == 0:
		c.root.drop()
	case len(rates.rows) == 0:
		c.need(headingAbove + blocksHeight)
		c.space(headingAbove)
		c.drawTotals(section, blocks, width)
	case beside:
		above := headingAbove*c.density + c.style.heading.leading() + 4
		c.need(max(above+rates.height(), headingAbove*c.density+blocksHeight))
		page, start := c.current, c.y
		c.vat(rates)
		end := c.y
		if c.current != page {
			c.y += 14
		} else {
			c.y = start
			c.space(headingAbove)
		}
		c.drawTotals(section, blocks, width)
		if c.current == page {
			c.y = max(c.y, end)
		}
	default:
		c.need(headingAbove*c.density + c.style.heading.leading() + 4 + rates.height() + 14*c.density + blocksHeight)
		c.vat(rates)
		if len(totals) > 0 {
			c.space(14)
			c.need(blocksHeight)
			c.drawTotals(section, blocks, width)
		}
	}
	// The totals are read after the breakdown that leads to them.
	if n := len(c.root.kids); n > 1 && c.root.kids[n-2].element == section {
		c.root.kids[n-2], c.root.kids[n-1] = c.root.kids[n-1], c.root.kids[n-2]
	}
}

// rates is the table of the VAT breakdown.
func (c *composer) rates(width float64) *table {
	w := c.language.word
	t := c.table("vat", c.left(), width, []column{
		{title: w("category"), grows: true}, {title: w("rate"), right: true},
		{title: c.inCurrency("taxable"), right: true}, {title: c.inCurrency("tax"), right: true},
	})
	v := &c.layout.Vat
	each(c.invoice, v.groups, func(o model.Object) {
		text := &c.style.text
		row := tableRow{cells: make([]tableCell, len(t.columns))}
		row.cells[0].add(c.fill(v.Category.template, o), text)
		row.cells[1].add(c.fill(v.Rate.template, o), text)
		row.cells[2].add(c.fill(v.Taxable.template, o), text)
		row.cells[3].add(c.fill(v.Tax.template, o), text)
		if reason := c.exemption(o); !reason.empty() {
			row.below = []styled{{phrase: reason, style: &c.style.small}}
		}
		t.rows = append(t.rows, row)
	})
	return t
}

// exemption is why no VAT is charged: as the invoice says it, or what the law wants to be
// said for the category.
func (c *composer) exemption(o model.Object) phrase {
	v := &c.layout.Vat
	text, code := c.fill(v.Reason.template, o), c.fill(v.ReasonCode.template, o)
	if text.empty() {
		category := c.fill(v.Code.template, o)
		text = words(c.wording.Reasons[category.text])
		for i := range category.marks {
			category.marks[i].to = len(text.text)
		}
		text.marks = category.marks
	}
	switch {
	case code.empty():
		return text
	case text.empty():
		return code
	}
	return text.plus(words(" ")).plus(code)
}

// fits tells whether no value of the table has to be broken.
func (t *table) fits() bool {
	t.measure()
	for r := range t.rows {
		for i := range t.rows[r].cells {
			for _, p := range t.rows[r].cells[i].texts {
				if t.fonts.widestWord(p.text, p.style) > t.widths[i]-2*padX+tolerance {
					return false
				}
			}
		}
		for _, p := range t.rows[r].below {
			if t.fonts.width(p.text, p.style) > 5*t.full {
				return false
			}
		}
	}
	return true
}

// vat draws the VAT breakdown.
func (c *composer) vat(t *table) {
	for r := range t.rows { // reasons take the whole width
		for i := range t.rows[r].below {
			t.rows[r].below[i].style = &c.style.small
		}
	}
	t.draw(c.heading("vat", c.language.word("vatBreakdown"), t.begins()))
}

// refunded tells whether the seller pays the buyer: of a credit note, or of an invoice
// with a negative amount.
func (c *composer) refunded() bool {
	refund := slices.Contains(c.layout.Payment.Refunds, c.inv.TypeCode.Raw)
	if t := c.inv.Totals; t != nil && t.AmountDueForPayment.Valid && t.AmountDueForPayment.Value.Sign() < 0 {
		return !refund
	}
	return refund
}

// dueLabel is what the amount due is called.
func (c *composer) dueLabel() string {
	if c.refunded() {
		return c.language.word("refund")
	}
	return c.language.word("due")
}

// dueOn says by which day the amount is due, beside it.
func (c *composer) dueOn() phrase {
	if c.refunded() {
		return phrase{}
	}
	due := c.fill(c.layout.Title.DueDate.template, c.invoice)
	if due.empty() {
		return phrase{}
	}
	before, after, _ := strings.Cut(c.language.word("dueOn"), "#")
	return words(before).plus(due).plus(words(after))
}

// totals are the rows of the totals.
func (c *composer) totals() []total {
	var totals []total
	for _, row := range c.layout.Totals {
		each(c.invoice, row.Show.groups, func(o model.Object) {
			value := c.fill(row.Show.template, o)
			if value.empty() {
				return
			}
			t := total{label: c.language.label(row.Show.label), value: value, weight: row.Weight}
			t.about = c.fill(row.About.template, o)
			if strings.Contains(t.label, "#") { // the label names the currency
				code := clean(c.inv.VatAccountingCurrencyCode.Raw)
				t.label = strings.Replace(t.label, "#", code, 1)
			}
			if row.Weight == "due" {
				t.label = c.dueLabel()
				t.value = c.withCurrency(value)
			}
			totals = append(totals, t)
		})
	}
	return totals
}

// withCurrency adds the invoice's currency to an amount that has no currency of its own.
func (c *composer) withCurrency(amount phrase) phrase {
	if strings.Contains(amount.text, string(noBreakSpace)) && strings.ContainsFunc(amount.text, isLetter) || c.unit == "" {
		return amount
	}
	before, after, _ := strings.Cut(c.language.withCurrency("#", c.unit), "#")
	return words(before).plus(amount).plus(words(after))
}

func isLetter(r rune) bool { return r >= 'A' && r <= 'Z' }

// inCurrency is a heading that names the currency of the amounts below it.
func (c *composer) inCurrency(word string) string {
	text := c.language.word(word)
	if c.unit == "" {
		return strings.Replace(text, " (#)", "", 1)
	}
	return strings.Replace(text, "#", c.unit, 1)
}

// A totalRow is a row of the totals before it is drawn.
type totalRow struct {
	total
	height float64
	split  float64 // the width of the label
}

// totalRows are the rows, with their heights.
func (c *composer) totalRows(totals []total, width float64) []totalRow {
	widest := 0.0
	for _, t := range totals {
		widest = max(widest, c.fonts.width(t.value.text, c.totalStyle(t.weight)))
	}
	split := max(0.15*width, width-widest-3*padX)
	rows := make([]totalRow, len(totals))
	for i, t := range totals {
		r := totalRow{total: t, split: split}
		label, amount := c.totalCells(&r, 0, width, &element{artifact: true}, &element{artifact: true})
		r.height = max(label.height(), amount.height()) + 2*c.totalPadding(t.weight)
		rows[i] = r
	}
	return rows
}

func (c *composer) totalStyle(weight string) *style {
	switch weight {
	case "strong":
		return &c.style.strong
	case "due":
		return &c.style.total
	}
	return &c.style.text
}

func (c *composer) totalPadding(weight string) float64 {
	if weight == "due" {
		return 2 * padY
	}
	return padY * c.density
}

func (c *composer) totalCells(r *totalRow, x, width float64, th, td *element) (label, amount cell) {
	st := c.totalStyle(r.weight)
	label = cell{x: x + padX, width: r.split - padX}
	amount = cell{x: x + r.split, width: width - r.split - padX, right: true}
	text := words(r.label)
	if !r.about.empty() {
		text = words(r.label + c.language.word("colon")).plus(r.about)
	}
	c.add(&label, text, st, th)
	c.add(&amount, r.value, st, td)
	if r.weight == "due" {
		c.add(&label, c.dueOn(), &c.style.text, th)
	}
	return label, amount
}

// drawTotals draws the totals at the right margin.
func (c *composer) drawTotals(section *element, rows []totalRow, width float64) {
	if len(rows) == 0 {
		return
	}
	table := section.add("Table")
	table.class = "sums"
	body := table.add("TBody")
	x := c.right() - width
	for i := range rows {
		r := &rows[i]
		row := body.add("TR")
		th, td := row.add("TH"), row.add("TD")
		th.scope, td.right = "Row", true
		row.class = r.weight
		label, amount := c.totalCells(r, x, width, th, td)
		if r.weight == "due" {
			c.need(r.height)
			if r.height < c.room()+tolerance {
				c.shade(x, c.y, width, r.height, c.look.Colours.Shade.colour)
			}
			c.horizontalLine(x, width, 1.2, c.look.Colours.Accent.colour)
		}
		pad := c.totalPadding(r.weight)
		c.y += pad
		c.row(label, amount)
		c.y += pad
		if r.weight != "due" {
			c.horizontalLine(x, width, 0.5, c.look.Colours.Line.colour)
		}
	}
}
