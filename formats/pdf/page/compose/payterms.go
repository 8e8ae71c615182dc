package compose

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"einvoice/formats/pdf/page/tagged"
	"einvoice/formats/pdf/page/typeset"
	"einvoice/model"
	"einvoice/model/currency"
)

// A payTerm is one way to pay in time: by when, how much, and on which terms.
type payTerm struct{ by, amount, terms typeset.Phrase }

// A termGroup is one group of payment terms: the first one, whose terms are those of the
// invoice itself, or one of those that follow.
type termGroup struct {
	text, due          model.Object // the groups that the terms are in
	textField, dueName string
	conditions         model.Object
	discount, penalty  model.Object
	date               model.Date
	partial            *model.Amount
}

// termGroups are the groups of payment terms; none where there is but one without conditions, of
// which the usual places say all.
func (c *composer) termGroups() []termGroup {
	group := func(o model.Object) (discount, penalty model.Object, partial *model.Amount) {
		if !o.Present() {
			return discount, penalty, nil
		}
		return o.Group(fieldOf(o, "earlyPaymentDiscount")), o.Group(fieldOf(o, "penalty")), o.Amount(fieldOf(o, "partialPaymentAmount"))
	}
	first := termGroup{text: c.invoice, due: c.invoice, textField: "paymentTerms", dueName: "paymentDueDate", date: c.inv.PaymentDueDate}
	first.conditions = c.invoice.Group(c.field("paymentTermsDetails"))
	first.discount, first.penalty, first.partial = group(first.conditions)
	further := c.invoice.List(c.field("furtherPaymentTerms"))
	if further.Len() == 0 && !first.discount.Present() && !first.penalty.Present() && (first.partial == nil || !first.partial.Present) {
		return nil
	}
	groups := []termGroup{first}
	for i := range further.Len() {
		o := further.At(i)
		g := termGroup{text: o, due: o, textField: "description", dueName: "dueDate", conditions: o, date: c.inv.FurtherPaymentTerms[i].DueDate}
		g.discount, g.penalty, g.partial = group(o)
		groups = append(groups, g)
	}
	return groups
}

func fieldOf(o model.Object, name string) *model.Field {
	f, _ := o.Type.Field(name) // the model has it
	return f
}

// discounted reports whether the day of a group is the last one of its discount: where another
// group has the day without one, the discount has no period of its own, or there is no day.
func (g *termGroup) discounted(all []termGroup) bool {
	if !g.discount.Present() {
		return false
	}
	if !g.date.Present || !g.discount.Has(fieldOf(g.discount, "periodLength")) {
		return true
	}
	for i := range all {
		if other := &all[i]; other != g && other.date.Present && !other.discount.Present() {
			return true
		}
	}
	return false
}

// netDue is the day by which the whole amount is due, where terms differ: that of the only
// group that has one for the whole amount.
func netDue(groups []termGroup) *termGroup {
	var found *termGroup
	for i := range groups {
		g := &groups[i]
		if !g.date.Present || g.discounted(groups) {
			continue
		}
		if found != nil || g.partial != nil && g.partial.Present {
			return nil
		}
		found = g
	}
	return found
}

// payTerms are the rows of the table of payments.
func (c *composer) payTerms() []payTerm {
	var rows []payTerm
	groups := c.termGroups()
	for i := range groups {
		g := &groups[i]
		text, date := c.termsOf(g), c.termValue(g.due, g.dueName)
		if !g.discounted(groups) && g.discount.Present() {
			by, terms := c.condition(g.discount, "discountTerm")
			rows = append(rows, payTerm{by: by, amount: c.discountedAmount(g), terms: terms})
		}
		row := payTerm{by: date, amount: c.payable(g), terms: text}
		if g.discounted(groups) {
			by, terms := c.condition(g.discount, "discountTerm")
			if row.by.Empty() {
				row.by = by
			}
			row.amount, row.terms = c.discountedAmount(g), c.lines2(row.terms, terms)
			if g.partial != nil && g.partial.Present { // the column has what is left of it
				of := fieldOf(g.conditions, "partialPaymentAmount")
				row.terms = c.lines2(row.terms, c.labelled(pair{label: c.language.Label(of), value: c.inUnit(c.value(g.conditions, of, ""))}))
			}
		}
		if g.penalty.Present() {
			_, terms := c.condition(g.penalty, "penaltyTerm")
			row.terms = c.lines2(row.terms, terms)
		}
		if !row.by.Empty() || !row.terms.Empty() || g.partial != nil && g.partial.Present {
			rows = append(rows, row)
		}
	}
	return rows
}

// lines2 is one phrase below another.
func (c *composer) lines2(a, b typeset.Phrase) typeset.Phrase {
	if a.Empty() || b.Empty() {
		return a.Plus(b)
	}
	return a.Plus(typeset.Words("\n")).Plus(b)
}

// termsOf is the text of a group, to which the day is added where the text breaks off before it.
func (c *composer) termsOf(g *termGroup) typeset.Phrase {
	text := c.inWords(c.termValue(g.text, g.textField))
	trimmed := strings.TrimRight(text.Text, " \n")
	if words := strings.Fields(trimmed); g.date.Valid && len(words) > 0 && c.layout.Open(words[len(words)-1]) {
		text = text.Part(0, len(trimmed)).Plus(typeset.Words(" ")).Plus(c.termValue(g.due, g.dueName))
	}
	return text
}

// termValue is the value of a term of a group.
func (c *composer) termValue(o model.Object, name string) typeset.Phrase {
	f := fieldOf(o, name)
	if !o.Has(f) {
		return typeset.Phrase{}
	}
	c.markShown(o, f)
	return c.value(o, f, "")
}

// condition is a discount or a penalty in words, and the last day of it where that is known.
func (c *composer) condition(o model.Object, word string) (by, terms typeset.Phrase) {
	period := c.termValue(o, "periodLength")
	if unit := c.termValue(o, "periodUnitCode"); !period.Empty() && !unit.Empty() {
		period = period.Plus(typeset.Words(string(typeset.NoBreakSpace))).Plus(unit)
	} else {
		period = period.Plus(unit)
	}
	terms = typeset.Put(c.language.Word(word), map[string]typeset.Phrase{
		"percent": c.termValue(o, "percentage"), "amount": c.inUnit(c.termValue(o, "amount")), "base": c.inUnit(c.termValue(o, "baseAmount")),
		"period": period, "from": c.termValue(o, "baseDate"),
	})
	if last, known := lastDay(o); known {
		by = typeset.Words(c.language.Day(&last))
	}
	return by, terms
}

// inUnit is an amount with the currency of the invoice.
func (c *composer) inUnit(amount typeset.Phrase) typeset.Phrase {
	if amount.Empty() {
		return amount
	}
	return c.withCurrency(amount)
}

// lastDay is the last day of a period that begins on a known day.
func lastDay(o model.Object) (model.Date, bool) {
	from, length := o.Date(fieldOf(o, "baseDate")), o.Number(fieldOf(o, "periodLength"))
	const most = 3660
	if !from.Valid || !length.Valid || !length.Value.IsInteger() || length.Value.Sign() < 0 || length.Value.Cmp(model.NewDecimal(most)) > 0 {
		return model.Date{}, false
	}
	days, months := 0, 0
	n, err := strconv.Atoi(length.Value.RoundHalfUp(0).String())
	if err != nil {
		return model.Date{}, false
	}
	switch strings.TrimSpace(o.Raw(fieldOf(o, "periodUnitCode"))) {
	case "DAY":
		days = n
	case "WEE":
		days = 7 * n
	case "MON":
		months = n
	default:
		return model.Date{}, false
	}
	day := from.Time().AddDate(0, months, days)
	if months > 0 && day.Day() != from.Time().Day() {
		day = day.AddDate(0, 0, -day.Day()) // the month is shorter
	}
	last := model.NewDate(day.Format(time.DateOnly))
	return last, last.Valid // years have four digits
}

// payable is what a group asks for: a part, or the whole amount due.
func (c *composer) payable(g *termGroup) typeset.Phrase {
	if g.partial != nil && g.partial.Present {
		return c.termValue(g.conditions, "partialPaymentAmount")
	}
	if c.inv.Totals == nil || c.refunded() || !g.date.Present {
		return typeset.Phrase{}
	}
	return typeset.Words(c.language.Money(&c.inv.Totals.AmountDueForPayment.Number, c.currency))
}

// discountedAmount is what is left to pay after a discount; nothing where that is not known.
func (c *composer) discountedAmount(g *termGroup) typeset.Phrase {
	if c.inv.Totals == nil || c.refunded() {
		return typeset.Phrase{}
	}
	whole := c.inv.Totals.AmountDueForPayment.Number
	if g.partial != nil && g.partial.Present {
		c.termValue(g.conditions, "partialPaymentAmount")
		whole = g.partial.Number
	}
	off := g.discount.Amount(fieldOf(g.discount, "amount")).Number
	if !off.Valid {
		base, percent := g.discount.Amount(fieldOf(g.discount, "baseAmount")).Number, g.discount.Number(fieldOf(g.discount, "percentage"))
		if !base.Present {
			base = whole
		}
		if !base.Valid || !percent.Valid {
			return typeset.Phrase{}
		}
		off = model.NumberOf(base.Value.Mul(percent.Value).Mul(model.MustDecimal("0.01")).RoundHalfUp(currency.MinorUnits(c.currency)))
	}
	if !whole.Valid {
		return typeset.Phrase{}
	}
	left := model.NumberOf(whole.Value.Sub(off.Value))
	return typeset.Words(c.language.Money(&left, c.currency))
}

// payTable draws the table of payments, without columns that nothing is in.
func (c *composer) payTable(section *tagged.Element, rows []payTerm, width float64) {
	columns := []column{{title: c.language.Word("payBy")}, {title: c.inCurrency("payAmount"), right: true}, {title: c.language.Word("terms"), grows: true}}
	texts := func(r *payTerm) []typeset.Phrase { return []typeset.Phrase{r.by, r.amount, r.terms} }
	used := func(i int) bool {
		return columns[i].grows || slices.ContainsFunc(rows, func(r payTerm) bool { return !texts(&r)[i].Empty() })
	}
	t := c.table("terms", c.left(), width, nil)
	for i := range columns {
		if used(i) {
			t.columns = append(t.columns, columns[i])
		}
	}
	for r := range rows {
		var row []typeset.Phrase
		for i, text := range texts(&rows[r]) {
			if used(i) {
				row = append(row, text)
			}
		}
		t.textRow(&c.style.Text, row...)
	}
	t.draw(section)
	c.y += 6 * c.density
}
