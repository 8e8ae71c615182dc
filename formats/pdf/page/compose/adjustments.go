package compose

import (
	"slices"

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
	legends := c.legends()
	for _, a := range c.layout.Adjustments {
		each(c.invoice, a.Groups, func(o model.Object) {
			rate, amount := c.fill(a.Rate.Template, o), c.fill(a.Amount.Template, o)
			if number := leafNumber(o, a.Amount); a.Minus && number.Valid {
				amount = c.minus(amount, number)
			}
			kind, reason := typeset.Words(c.language.Label(a.Groups[len(a.Groups)-1])), c.fill(a.Reason.Template, o)
			if saying(kind.Text) == saying(reason.Text) {
				kind, reason = reason, typeset.Phrase{}
			}
			t.textRow(&c.style.Text,
				kind, reason, c.fill(a.Base.Template, o),
				c.fill(a.Percentage.Template, o), typeset.Joined(slices.DeleteFunc([]typeset.Phrase{rate, c.category(o, a.Rate, a.Category, legends)}, typeset.Phrase.Empty), " "), amount)
		})
	}
	if len(t.rows) > 0 {
		t.tail = c.tail("adjustments")
		t.draw(c.heading("adjustments", w("adjustments"), t.begins()))
	}
}
