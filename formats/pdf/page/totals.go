package page

import (
	"strings"

	"einvoice/model"
)

// A total is a row of the totals.
type total struct {
	label, value, weight string
}

// maxRatesBeside is how many rows of the VAT breakdown are drawn beside the totals.
const maxRatesBeside = 8

// sums draws the VAT breakdown and the totals, side by side if they fit.
func (c *composer) sums() {
	rates := c.rates()
	totals := c.totals()
	half := (textWidth - gutter) / 2
	narrow := []float64{0.43 * half, 0.14 * half, 0.22 * half, 0.21 * half}
	beside := len(rates) <= maxRatesBeside
	for _, r := range rates {
		for i, text := range []string{r.rate, r.taxable, r.tax} {
			beside = beside && widthOf(text, styleText) <= narrow[i+1]-2*padX
		}
		for word := range strings.FieldsSeq(r.category) {
			beside = beside && widthOf(word, styleText) <= narrow[0]-2*padX
		}
		beside = beside && widthOf(r.reason, styleSmall) < 3*half
	}
	if len(rates) == 0 || !beside {
		c.vat(rates, []float64{0.48 * textWidth, 0.13 * textWidth, 0.20 * textWidth, 0.19 * textWidth})
		if len(totals) > 0 {
			c.y += 14
			c.totalTable(totals, 104*mm)
		}
		return
	}
	c.need(60 + 20*float64(max(len(totals), 2*len(rates))))
	start, page := c.y, c.current
	c.vat(rates, narrow)
	end := c.y
	if c.current == page {
		c.y = start + headingAbove
	} else {
		c.y += 14
	}
	c.totalTable(totals, half)
	if c.current == page {
		c.y = max(c.y, end)
	}
}

// A rate is a row of the VAT breakdown.
type rate struct{ category, reason, rate, taxable, tax string }

// rates are the rows of the VAT breakdown.
func (c *composer) rates() []rate {
	var rates []rate
	v := &c.layout.Vat
	each(c.invoice, v.groups, func(o model.Object) {
		rates = append(rates, rate{
			c.fill(v.Category.template, o), c.fill(v.Reason.template, o), c.fill(v.Rate.template, o),
			c.fill(v.Taxable.template, o), c.fill(v.Tax.template, o),
		})
	})
	return rates
}

// vat draws the VAT breakdown.
func (c *composer) vat(rates []rate, widths []float64) {
	if len(rates) == 0 {
		return
	}
	w := c.language.word
	section := c.heading(w("vatBreakdown"), 40)
	t := c.table(section, marginLeft, []column{
		{w("category"), widths[0], false},
		{w("rate"), widths[1], true},
		{c.inCurrency("taxable"), widths[2], true},
		{c.inCurrency("tax"), widths[3], true},
	})
	for _, r := range rates {
		row := t.body.add("TR")
		t.y += padY
		cells := t.cells(0)
		category := row.add("TD")
		if r.category != "" {
			cells[0].add(r.category, styleText, category)
		}
		for i, text := range []string{r.rate, r.taxable, r.tax} {
			td := row.add("TD")
			if text != "" {
				cells[i+1].add(text, styleText, td)
			}
		}
		t.row(cells...)
		if r.reason != "" {
			reason := cell{x: t.x + padX, width: t.width() - 2*padX}
			reason.add(r.reason, styleSmall, category)
			t.row(reason)
		}
		t.separate()
	}
	t.end()
}

// totals are the rows of the totals.
func (c *composer) totals() []total {
	var totals []total
	for _, row := range c.layout.Totals {
		each(c.invoice, row.Show.groups, func(o model.Object) {
			value := c.fill(row.Show.template, o)
			if value == "" {
				return
			}
			label := c.language.label(row.Show.label)
			if about := c.fill(row.About.template, o); about != "" {
				label += ": " + about
			}
			if row.Weight == "due" {
				value = c.withCurrency(value)
			}
			totals = append(totals, total{label, value, row.Weight})
		})
	}
	return totals
}

// withCurrency puts the invoice's currency before an amount that has no currency of
// its own.
func (c *composer) withCurrency(amount string) string {
	if strings.Contains(amount, " ") || c.unit == "" {
		return amount
	}
	return c.unit + "\u00a0" + amount
}

// inCurrency is a heading that names the currency of the amounts below it.
func (c *composer) inCurrency(word string) string {
	text := c.language.word(word)
	if c.unit == "" {
		return strings.Replace(text, " (#)", "", 1)
	}
	return strings.Replace(text, "#", c.unit, 1)
}

// totalTable draws the totals at the right margin.
func (c *composer) totalTable(totals []total, width float64) {
	if len(totals) == 0 {
		return
	}
	body := c.root.add("Sect").add("Table").add("TBody")
	x := pageWidth - marginLeft - width
	for _, s := range totals {
		st, pad := styleText, padY
		switch s.weight {
		case "strong":
			st = styleStrong
		case "due":
			st, pad = styleTotal, 2*padY
		}
		row := body.add("TR")
		th, td := row.add("TH"), row.add("TD")
		th.scope = "Row"
		label := cell{x: x + padX, width: 0.57*width - padX}
		amount := cell{x: x + 0.57*width, width: 0.43*width - padX, right: true}
		label.add(s.label, st, th)
		amount.add(s.value, st, td)
		height := max(label.height(), amount.height()) + 2*pad
		if s.weight == "due" {
			c.need(height)
			if height < c.room() {
				c.shade(x, c.y, width, height, shadeColour)
			}
			c.horizontalLine(x, width, 1.2, accentColour)
		}
		c.y += pad
		c.row(label, amount)
		c.y += pad
		if s.weight != "due" {
			c.horizontalLine(x, width, 0.5, lineColour)
		}
	}
}
