package page

import (
	"einvoice/model"
)

// adjustments draws the allowances and charges of the whole document.
func (c *composer) adjustments() {
	var t *table
	for _, a := range c.layout.Adjustments {
		each(c.invoice, a.groups, func(o model.Object) {
			if t == nil {
				w := c.language.word
				section := c.heading(w("adjustments"), 40)
				t = c.table(section, marginLeft, []column{
					{w("kind"), 26 * mm, false},
					{w("reason"), 62 * mm, false},
					{w("base"), 26 * mm, true},
					{w("percentage"), 16 * mm, true},
					{w("vat"), 18 * mm, true},
					{c.inCurrency("amount"), 26 * mm, true},
				})
			}
			t.textRow(styleText,
				c.language.label(a.groups[len(a.groups)-1]), c.fill(a.Reason.template, o), c.fill(a.Base.template, o),
				c.fill(a.Percentage.template, o), c.fill(a.Vat.template, o), c.fill(a.Amount.template, o))
		})
	}
	if t != nil {
		t.end()
	}
}
