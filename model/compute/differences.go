package compute

import (
	"fmt"

	"einvoice/model"
)

// A Difference is an amount of an invoice that differs from the one computed from other
// terms.
type Difference struct {
	Field    string // path of the term: lines[0].netAmount
	BT       string
	Given    string
	Computed string
}

// Differences compares amounts of an invoice with those that Complete would compute: of
// lines, of allowances and charges with a percentage, and of the VAT breakdown. Totals
// are not compared, because rules require each of them to be exact.
func Differences(inv *model.Invoice) []Difference {
	d := &differences{}
	for i := range inv.Lines {
		d.line(&inv.Lines[i], fmt.Sprintf("lines[%d]", i))
	}
	for i := range inv.Allowances {
		d.percentage(model.ObjectOf(&inv.Allowances[i]), fmt.Sprintf("allowances[%d]", i))
	}
	for i := range inv.Charges {
		d.percentage(model.ObjectOf(&inv.Charges[i]), fmt.Sprintf("charges[%d]", i))
	}
	d.breakdown(inv)
	return d.found
}

type differences struct{ found []Difference }

// compare adds a difference if an amount of a group is not the computed one.
func (d *differences) compare(group model.Object, path, name string, computed model.Decimal) {
	field, ok := group.Type.Field(name)
	if !ok {
		return
	}
	given, want := group.Number(field), rounded(computed)
	if given.Valid && !given.Value.Equal(want.Value) {
		d.found = append(d.found, Difference{Field: model.Join(path, name), BT: field.BT, Given: given.Raw, Computed: want.Raw})
	}
}

// percentage compares the amount of an allowance or charge with the percentage of its
// base amount.
func (d *differences) percentage(group model.Object, path string) {
	number := func(name string) *model.Number {
		field, _ := group.Type.Field(name)
		return group.Number(field)
	}
	if base, percent := number("baseAmount"), number("percentage"); base.Valid && percent.Valid {
		d.compare(group, path, "amount", share(base.Value, percent.Value))
	}
}

// line compares the net amount of a line with its quantity and price, and does the same
// for the sub invoice lines inside it.
func (d *differences) line(l *model.Line, path string) {
	for i := range l.Allowances {
		d.percentage(model.ObjectOf(&l.Allowances[i]), fmt.Sprintf("%s.allowances[%d]", path, i))
	}
	for i := range l.Charges {
		d.percentage(model.ObjectOf(&l.Charges[i]), fmt.Sprintf("%s.charges[%d]", path, i))
	}
	for i := range l.SubLines {
		d.line(&l.SubLines[i], fmt.Sprintf("%s.subLines[%d]", path, i))
	}
	if l.Price == nil || !l.InvoicedQuantity.Valid || !l.Price.NetPrice.Valid {
		return
	}
	if net, ok := netAmount(l); ok {
		d.compare(model.ObjectOf(l), path, "netAmount", net)
	}
}

// breakdown compares the taxable amount of each VAT breakdown with the lines, allowances
// and charges of its category and rate, and its tax amount with the rate.
func (d *differences) breakdown(inv *model.Invoice) {
	groups := groupsOf(inv)
	for i := range inv.VatBreakdowns {
		b := &inv.VatBreakdowns[i]
		path := fmt.Sprintf("vatBreakdowns[%d]", i)
		if g := find(groups, b); g != nil {
			d.compare(model.ObjectOf(b), path, "taxableAmount", g.taxable)
		}
		if b.TaxableAmount.Valid {
			d.compare(model.ObjectOf(b), path, "taxAmount", share(b.TaxableAmount.Value, valueOf(&b.Rate)))
		}
	}
}
