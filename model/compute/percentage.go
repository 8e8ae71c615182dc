package compute

import (
	"fmt"

	"einvoice/model"
)

// A percentageOf is an allowance or charge as a percentage of a base amount.
type percentageOf struct {
	path         string // of the allowance or charge
	bt           string // of the amount
	amount, base *model.Amount
	percent      *model.Number
	// usual is the base amount where none is stated; nil where that does not follow from
	// the invoice.
	usual *model.Decimal
}

// complete computes the amount from the base, and the base where it is left out. A base is
// not made up for an amount that is another percentage of it.
func (p percentageOf) complete() {
	if !p.percent.Valid {
		return
	}
	if !p.base.Present && p.usual != nil {
		usual := rounded(*p.usual)
		if !p.amount.Present || p.amount.Valid && p.amount.Value.Equal(rounded(share(usual.Value, p.percent.Value)).Value) {
			*p.base = usual
		}
	}
	if !p.amount.Present && p.base.Valid {
		*p.amount = rounded(share(p.base.Value, p.percent.Value))
	}
}

// eachPercentage visits the allowances and charges of the document. The usual base is the
// lines of the same VAT category and rate, and all lines where no VAT is stated.
func eachPercentage(inv *model.Invoice, lineGroups *groups, visit func(percentageOf)) {
	all := lines(inv)
	usual := func(category model.Text, rate *model.Number) *model.Decimal {
		if g := lineGroups.find(category, rate); g != nil {
			return &g.taxable
		}
		return nil
	}
	for i := range inv.Allowances {
		a := &inv.Allowances[i]
		p := percentageOf{fmt.Sprintf("allowances[%d]", i), "BT-92", &a.Amount, &a.BaseAmount, &a.Percentage, &all}
		if a.Vat != nil {
			p.usual = usual(a.Vat.CategoryCode, &a.Vat.Rate)
		}
		visit(p)
	}
	for i := range inv.Charges {
		c := &inv.Charges[i]
		p := percentageOf{fmt.Sprintf("charges[%d]", i), "BT-99", &c.Amount, &c.BaseAmount, &c.Percentage, &all}
		if c.Vat != nil {
			p.usual = usual(c.Vat.CategoryCode, &c.Vat.Rate)
		}
		visit(p)
	}
}

// eachPercentageOfLine visits the allowances and charges of a line, whose path is given.
// The usual base is the quantity times the price.
func eachPercentageOfLine(l *model.Line, path string, visit func(percentageOf)) {
	usual := priced(l)
	for i := range l.Allowances {
		a := &l.Allowances[i]
		visit(percentageOf{fmt.Sprintf("%s.allowances[%d]", path, i), "BT-136", &a.Amount, &a.BaseAmount, &a.Percentage, usual})
	}
	for i := range l.Charges {
		c := &l.Charges[i]
		visit(percentageOf{fmt.Sprintf("%s.charges[%d]", path, i), "BT-141", &c.Amount, &c.BaseAmount, &c.Percentage, usual})
	}
}
