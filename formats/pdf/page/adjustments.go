package page

import (
	"einvoice/model"
)

// adjustments draws the allowances and charges of the whole document.
func (c *composer) adjustments() {
	w := c.language.word
	t := c.table("adjustments", c.left(), c.width(), []column{
		{title: w("kind")}, {title: w("reason"), grows: true}, {title: c.inCurrency("base"), right: true},
		{title: w("percentage"), right: true}, {title: w("vat"), right: true}, {title: c.inCurrency("amount"), right: true},
	})
	for _, a := range c.layout.Adjustments {
		each(c.invoice, a.groups, func(o model.Object) {
			t.textRow(&c.style.text,
				words(c.language.label(a.groups[len(a.groups)-1])), c.fill(a.Reason.template, o), c.fill(a.Base.template, o),
				c.fill(a.Percentage.template, o), c.fill(a.Vat.template, o), c.fill(a.Amount.template, o))
		})
	}
	if len(t.rows) > 0 {
		t.draw(c.heading("adjustments", w("adjustments"), t.begins()))
	}
}
