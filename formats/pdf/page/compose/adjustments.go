package compose

import (
	"einvoice/formats/pdf/page/typeset"
	"einvoice/model"
)

// adjustments draws the allowances and charges of the whole document.
func (c *composer) adjustments() {
	w := c.language.Word
	t := c.table("adjustments", c.left(), c.width(), []column{
		{title: w("kind")}, {title: w("reason"), grows: true}, {title: c.inCurrency("base"), right: true},
		{title: w("percentage"), right: true}, {title: w("vat"), right: true}, {title: c.inCurrency("amount"), right: true},
	})
	for _, a := range c.layout.Adjustments {
		each(c.invoice, a.Groups, func(o model.Object) {
			t.textRow(&c.style.Text,
				typeset.Words(c.language.Label(a.Groups[len(a.Groups)-1])), c.fill(a.Reason.Template, o), c.fill(a.Base.Template, o),
				c.fill(a.Percentage.Template, o), c.fill(a.Vat.Template, o), c.fill(a.Amount.Template, o))
		})
	}
	if len(t.rows) > 0 {
		t.tail = c.tail("adjustments")
		t.draw(c.heading("adjustments", w("adjustments"), t.begins()))
	}
}
