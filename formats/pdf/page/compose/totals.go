package compose

import (
	"maps"
	"slices"
	"strings"

	"einvoice/formats/pdf/page/layout"
	"einvoice/formats/pdf/page/tagged"
	"einvoice/formats/pdf/page/typeset"
	"einvoice/model"
)

// A total is a row of the totals.
type total struct {
	label  string
	about  typeset.Phrase // in the label
	value  typeset.Phrase
	weight string
	apart  bool // no part of the sum
}

// maxRatesBeside is how many rows of the VAT breakdown are drawn beside the totals.
const maxRatesBeside = 8

// sums draws the VAT breakdown and the totals, side by side if they fit, and together on
// one page.
func (c *composer) sums() {
	totals, apart := c.totals()
	half := (c.width() - gutter) / 2
	rates := c.rates(half)
	beside := len(rates.rows) <= maxRatesBeside && rates.fits()
	if !beside {
		rates = c.rates(c.width())
	}
	c.begin("totals", 0)
	section := &tagged.Element{Tag: "Sect", Class: "totals"}
	width := half
	if !beside || len(rates.rows) == 0 {
		width = max(half, 104*typeset.MM)
	}
	blocks := c.totalRows(totals, width)
	below := c.apart(apart, width, &tagged.Element{Artifact: true})
	blocksHeight := below.height() + padY
	for _, b := range blocks {
		blocksHeight += b.height
	}
	c.root.Kids = append(c.root.Kids, tagged.Kid{Element: section})
	switch {
	case len(rates.rows) == 0 && len(totals) == 0:
		c.root.Drop()
	case len(rates.rows) == 0:
		c.need(headingAbove + blocksHeight)
		c.space(headingAbove)
		c.drawTotals(section, blocks, width, apart)
	case beside:
		above := headingAbove*c.density + c.style.Heading.Leading() + 4
		c.need(max(above+rates.height(), headingAbove*c.density+blocksHeight))
		page, start := c.current, c.y
		c.vat(rates)
		if c.current == page {
			c.paymentBeside(half)
			c.notesBeside(half, start+headingAbove*c.density+blocksHeight)
		}
		end := c.y
		if c.current != page {
			c.y += 14
		} else {
			c.y = start
			c.space(headingAbove)
		}
		c.drawTotals(section, blocks, width, apart)
		if c.current == page {
			c.y = max(c.y, end)
		}
	default:
		c.need(headingAbove*c.density + c.style.Heading.Leading() + 4 + rates.height() + 14*c.density + blocksHeight)
		c.vat(rates)
		if len(totals) > 0 {
			c.space(14)
			c.need(blocksHeight)
			c.drawTotals(section, blocks, width, apart)
		}
	}
	// The totals are read after the breakdown that leads to them.
	at := slices.IndexFunc(c.root.Kids, func(k tagged.Kid) bool { return k.Element == section })
	if at >= 0 && at+1 < len(c.root.Kids) {
		c.root.Kids[at], c.root.Kids[at+1] = c.root.Kids[at+1], c.root.Kids[at]
	}
}

// tail is the height of the totals where they follow a section, so that they are not on a page
// without a row.
func (c *composer) tail(after string) float64 {
	at := slices.Index(c.look.Sections, after)
	rest := c.look.Sections[at+1:]
	if len(rest) > 0 && rest[0] == "adjustments" {
		if len(c.inv.Allowances)+len(c.inv.Charges)+len(c.inv.LogisticsServiceCharges) > 0 {
			return 0
		}
		rest = rest[1:]
	}
	if len(rest) == 0 || rest[0] != "totals" {
		return 0
	}
	shown := maps.Clone(c.shown)
	defer func() { c.shown = shown }()
	half := (c.width() - gutter) / 2
	rates := c.rates(half)
	totals, apart := c.totals()
	below := c.apart(apart, half, &tagged.Element{Artifact: true})
	height := padY + below.height()
	for _, b := range c.totalRows(totals, half) {
		height += b.height
	}
	above := headingAbove*c.density + c.style.Heading.Leading() + 4
	switch {
	case len(rates.rows) == 0:
	case len(rates.rows) <= maxRatesBeside && rates.fits():
		height = max(height, above-headingAbove*c.density+rates.height())
	default:
		height += above + c.rates(c.width()).height()
	}
	return height + headingAbove
}

// rates is the table of the VAT breakdown.
func (c *composer) rates(width float64) *table {
	w := c.language.Word
	t := c.table("vat", c.left(), width, []column{
		{title: w("category"), grows: true}, {title: w("rate"), right: true},
		{title: c.inCurrency("taxable"), right: true}, {title: c.inCurrency("tax"), right: true},
	})
	v := &c.layout.Vat
	each(c.invoice, v.Groups, func(o model.Object) {
		text := &c.style.Text
		row := tableRow{cells: make([]tableCell, len(t.columns))}
		category := c.fill(v.Category.Template, o)
		name, legend := category, c.legend(o, category)
		if reason := c.fill(v.Reason.Template, o); !legend.Empty() && saying(reason.Text) == saying(category.Text) {
			name = reason // one text says both; the legend has the code of the category
		}
		row.cells[0].add(name.Plus(legend), text)
		row.cells[1].add(c.fill(v.Rate.Template, o), text)
		row.cells[2].add(c.fill(v.Taxable.Template, o), text)
		row.cells[3].add(c.fill(v.Tax.Template, o), text)
		if reason := c.exemption(o, category); !reason.Empty() {
			row.below = []tagged.Styled{{Phrase: reason, Style: &c.style.Detail}}
		}
		t.rows = append(t.rows, row)
	})
	return t
}

// legend is the code that lines have for a category, behind its name; nothing where they have
// none.
func (c *composer) legend(o model.Object, name typeset.Phrase) typeset.Phrase {
	code := c.fill(c.layout.Vat.Code.Template, o)
	if code.Empty() || code.Text == name.Text || slices.Contains(c.layout.Lines.PlainCategories, code.Text) {
		return typeset.Phrase{}
	}
	return typeset.Words(" (").Plus(code).Plus(typeset.Words(")"))
}

// exemption is why no VAT is charged: as the invoice says it, or what the law wants to be
// said for the category, with the code behind it. Each statement is there once: what the
// category's name says is not said again, nor is the name of the code where the text has it.
func (c *composer) exemption(o model.Object, category typeset.Phrase) typeset.Phrase {
	v := &c.layout.Vat
	text, code := c.fill(v.Reason.Template, o), c.fill(v.ReasonCode.Template, o)
	own := text.Empty()
	usual, precise := c.usualReason(o, category)
	precise = !usual.Empty() && (precise || codesOfCategories[c.fill(v.Code.Template, o).Text] == leafText(o, v.ReasonCode.Parts))
	switch {
	case own:
		text = usual
	case saying(text.Text) == saying(category.Text): // is said there
		text, precise = typeset.Phrase{}, false
	case saying(text.Text) != saying(usual.Text):
		precise = false
	}
	if field := v.ReasonCode.Form("reason"); field != nil && !code.Empty() {
		bare := c.value(o, field, "code")
		name := strings.TrimSuffix(code.Text, " ("+bare.Text+")")
		switch said := saying(category.Text) + "\n" + saying(text.Text); {
		case precise: // the law says what the name of the code says
			text = text.Part(0, len(strings.TrimSuffix(text.Text, ".")))
			code = typeset.Words("(").Plus(bare).Plus(typeset.Words(")"))
		case name == code.Text || !strings.Contains(said, saying(name)):
		case text.Empty():
			code = bare
		default:
			if own {
				text = text.Part(0, len(strings.TrimSuffix(text.Text, ".")))
			}
			code = typeset.Words("(").Plus(bare).Plus(typeset.Words(")"))
		}
	}
	return typeset.Joined(slices.DeleteFunc([]typeset.Phrase{text, code}, typeset.Phrase.Empty), " ")
}

// codesOfCategories have the code that says no more than its category.
var codesOfCategories = map[string]string{"AE": "VATEX-EU-AE", "K": "VATEX-EU-IC", "G": "VATEX-EU-G", "O": "VATEX-EU-O"}

// usualReason is what the law wants to be said for a category, or precisely for the code of the
// reason; nothing where the name of the category says so.
func (c *composer) usualReason(o model.Object, name typeset.Phrase) (text typeset.Phrase, precise bool) {
	category := c.fill(c.layout.Vat.Code.Template, o)
	said, precise := c.law.Reason(c.language.Tag, category.Text, leafText(o, c.layout.Vat.ReasonCode.Parts))
	if said == "" {
		said = c.wording.Reasons[category.Text]
	}
	text = typeset.Words(said)
	if saying(text.Text) == saying(name.Text) {
		return typeset.Phrase{}, false
	}
	for i := range category.Marks {
		category.Marks[i].To = len(text.Text)
	}
	text.Marks = category.Marks
	return text, precise
}

// saying is a statement in the form in which it is compared with others.
func saying(s string) string { return strings.ToLower(strings.TrimRight(s, ". ")) }

// fits reports whether no value of the table, and no word of its head, has to be broken.
func (t *table) fits() bool {
	t.measure()
	for i := range t.columns {
		if t.fonts.WidestWord(t.columns[i].title, &t.style.Column) > t.widths[i]-2*padX+tolerance {
			return false
		}
	}
	for r := range t.rows {
		for i := range t.rows[r].cells {
			for _, p := range t.rows[r].cells[i].texts {
				if t.fonts.WidestWord(p.Text, p.Style) > t.widths[i]-2*padX+tolerance {
					return false
				}
			}
		}
		for _, p := range t.rows[r].below {
			if t.fonts.Width(p.Text, p.Style) > 5*t.full {
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
			t.rows[r].below[i].Style = &c.style.Detail
		}
	}
	t.draw(c.heading("vat", c.language.Word("vatBreakdown"), t.begins()))
}

// refunded reports whether the seller pays the buyer: of a credit note, or of an invoice
// with a negative amount.
func (c *composer) refunded() bool {
	return c.isCredit() != c.negative()
}

// isCredit reports whether the document is of a type that the seller pays.
func (c *composer) isCredit() bool {
	return slices.Contains(c.layout.Payment.Refunds, c.inv.TypeCode.Raw)
}

// negative reports whether the amount due is below zero.
func (c *composer) negative() bool {
	t := c.inv.Totals
	return t != nil && t.AmountDueForPayment.Valid && t.AmountDueForPayment.Value.Sign() < 0
}

// dueLabel is what the amount due is called.
func (c *composer) dueLabel() string {
	switch {
	case c.negative():
		return c.language.Word("balance") // with its sign, which another word would turn round again
	case c.refunded():
		return c.language.Word("refund")
	}
	return c.language.Word("due")
}

// dueOn says by which day the amount is due, beside it.
func (c *composer) dueOn() typeset.Phrase {
	if c.refunded() {
		return typeset.Phrase{}
	}
	due := c.fill(c.layout.Title.DueDate.Template, c.invoice)
	if groups := c.termGroups(); groups != nil {
		due = typeset.Phrase{}
		if g := netDue(groups); g != nil {
			due = c.termValue(g.due, g.dueName)
		}
	}
	if due.Empty() {
		return typeset.Phrase{}
	}
	before, after, _ := strings.Cut(c.language.Word("dueOn"), "#")
	return typeset.Words(before).Plus(due).Plus(typeset.Words(after))
}

// totals are the rows of the totals, and the amounts that are not part of them.
func (c *composer) totals() (totals, apart []total) {
	for _, row := range c.layout.Totals {
		each(c.invoice, row.Show.Groups, func(o model.Object) {
			number := leafNumber(o, layout.Source{Template: row.Show.Template})
			if row.Quiet && number.Valid && number.Value.Sign() == 0 {
				return
			}
			value := c.fill(row.Show.Template, o)
			if value.Empty() {
				return
			}
			if row.Minus && number.Valid {
				value = c.minus(value, number)
			}
			t := total{label: c.language.Label(row.Show.Field), value: value, weight: row.Weight, apart: row.Apart}
			t.about = c.fill(row.About.Template, o)
			if strings.Contains(t.label, "#") { // the label names the currency
				code := typeset.Clean(c.inv.VatAccountingCurrencyCode.Raw)
				t.label = strings.Replace(t.label, "#", code, 1)
			}
			if row.Weight == "due" {
				t.label = c.dueLabel()
				t.value = c.withCurrency(value)
			}
			if t.apart {
				apart = append(apart, t)
				return
			}
			totals = append(totals, t)
		})
	}
	return totals, apart
}

// minus is an amount that is taken away, as it stands in a column that is added down.
func (c *composer) minus(value typeset.Phrase, n *model.Number) typeset.Phrase {
	if n.Value.Sign() > 0 {
		return typeset.Words("-").Plus(value)
	}
	return value.Part(len(value.Text)-len(strings.TrimPrefix(value.Text, "-")), len(value.Text))
}

// withCurrency adds the invoice's currency to an amount that has no currency of its own.
func (c *composer) withCurrency(amount typeset.Phrase) typeset.Phrase {
	if strings.Contains(amount.Text, string(typeset.NoBreakSpace)) && strings.ContainsFunc(amount.Text, isLetter) || c.unit == "" {
		return amount
	}
	before, after, _ := strings.Cut(c.language.WithCurrency("#", c.unit), "#")
	return typeset.Words(before).Plus(amount).Plus(typeset.Words(after))
}

func isLetter(r rune) bool { return r >= 'A' && r <= 'Z' }

// inCurrency is a heading that names the currency of the amounts below it.
func (c *composer) inCurrency(word string) string {
	text := c.language.Word(word)
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
		widest = max(widest, c.fonts.Width(t.value.Text, c.totalStyle(t.weight)))
	}
	split := max(0.15*width, width-widest-3*padX)
	rows := make([]totalRow, len(totals))
	for i, t := range totals {
		r := totalRow{total: t, split: split}
		label, amount := c.totalCells(&r, 0, width, &tagged.Element{Artifact: true}, &tagged.Element{Artifact: true})
		r.height = max(label.height(), amount.height()) + 2*c.totalPadding(t.weight)
		rows[i] = r
	}
	return rows
}

func (c *composer) totalStyle(weight string) *typeset.Style {
	switch weight {
	case "strong":
		return &c.style.Strong
	case "due":
		return &c.style.Total
	}
	return &c.style.Text
}

func (c *composer) totalPadding(weight string) float64 {
	if weight == "due" {
		return 2 * padY
	}
	return padY * c.density
}

func (c *composer) totalCells(r *totalRow, x, width float64, th, td *tagged.Element) (label, amount cell) {
	st := c.totalStyle(r.weight)
	label = cell{x: x + padX, width: r.split - padX}
	amount = cell{x: x + r.split, width: width - r.split - padX, right: true}
	text := typeset.Words(r.label)
	if !r.about.Empty() {
		text = typeset.Words(r.label + c.language.Word("colon")).Plus(r.about)
	}
	c.add(&label, text, st, th)
	c.add(&amount, r.value, st, td)
	if r.weight == "due" {
		c.add(&label, c.dueOn(), &c.style.Text, th)
	}
	return label, amount
}

// apart are amounts that are not part of the sum, in muted text without a column.
func (c *composer) apart(amounts []total, width float64, section *tagged.Element) cell {
	below := cell{x: c.right() - width + padX, width: width - 2*padX}
	for _, t := range amounts {
		e := section
		if !section.Artifact {
			e = section.Add("P")
		}
		c.add(&below, c.labelled(pair{label: t.label, value: t.value}), &c.style.Detail, e)
	}
	return below
}

// drawTotals draws the totals at the right margin, with what is not part of them below.
func (c *composer) drawTotals(section *tagged.Element, rows []totalRow, width float64, apart []total) {
	defer func() {
		if len(apart) > 0 {
			c.y += padY
			c.row(c.apart(apart, width, section))
		}
	}()
	if len(rows) == 0 {
		return
	}
	table := section.Add("Table")
	table.Class = "sums"
	body := table.Add("TBody")
	x := c.right() - width
	for i := range rows {
		r := &rows[i]
		row := body.Add("TR")
		th, td := row.Add("TH"), row.Add("TD")
		th.Scope, td.Right = "Row", true
		row.Class = r.weight
		label, amount := c.totalCells(r, x, width, th, td)
		if r.weight == "due" {
			c.need(r.height)
			if r.height < c.room()+tolerance {
				c.shade(x, c.y, width, r.height, c.look.Colours.Shade.Colour)
			}
			c.horizontalLine(x, width, 1.2, c.look.Colours.Accent.Colour)
		}
		pad := c.totalPadding(r.weight)
		c.y += pad
		c.row(label, amount)
		c.y += pad
		if r.weight != "due" {
			c.horizontalLine(x, width, 0.5, c.look.Colours.Line.Colour)
		}
	}
}
