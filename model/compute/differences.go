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
// lines, prices, allowances and charges with a percentage, of the VAT breakdown, and the VAT
// total in the accounting currency. Other totals are not compared, because rules require each
// of them to be exact.
func Differences(inv *model.Invoice, o Options) []Difference {
	d := &differences{}
	for i := range inv.Lines {
		d.line(&inv.Lines[i], fmt.Sprintf("lines[%d]", i))
	}
	groups := groupsOfLines(inv)
	eachPercentage(inv, groups, d.percentage)
	groups.addDocumentLevel(inv)
	d.breakdown(inv, groups)
	d.accountingVat(inv.Totals, o)
	return d.found
}

type differences struct{ found []Difference }

// compare adds a difference if an amount is not the computed one.
func (d *differences) compare(given *model.Amount, path, bt string, computed model.Amount) {
	if given.Valid && !given.Value.Equal(computed.Value) {
		d.found = append(d.found, Difference{Field: path, BT: bt, Given: given.Raw, Computed: computed.Raw})
	}
}

// percentage compares the amount of an allowance or charge with the percentage of its
// base amount, or of the usual one.
func (d *differences) percentage(p percentageOf) {
	base := p.usual
	if p.base.Valid {
		base = &p.base.Value
	}
	if base != nil && p.base.Present == p.base.Valid && p.percent.Valid {
		d.compare(p.amount, model.Join(p.path, "amount"), p.bt, rounded(share(*base, p.percent.Value)))
	}
}

// line compares the net price of a line with its gross price, and the net amount with its
// quantity and price, and does the same for the sub invoice lines inside it.
func (d *differences) line(l *model.Line, path string) {
	eachPercentageOfLine(l, path, d.percentage)
	for i := range l.SubLines {
		d.line(&l.SubLines[i], fmt.Sprintf("%s.subLines[%d]", path, i))
	}
	if l.Price == nil {
		return
	}
	if l.Price.GrossPrice.Valid {
		d.compare(&l.Price.NetPrice, path+".price.netPrice", "BT-146", model.AmountOf(netPrice(l.Price)))
	}
	if net, ok := netAmount(l); ok {
		d.compare(&l.NetAmount, path+".netAmount", "BT-131", rounded(net))
	}
}

// breakdown compares the taxable amount of each VAT breakdown with the lines, allowances
// and charges of its category and rate, and its tax amount with the rate.
func (d *differences) breakdown(inv *model.Invoice, groups *groups) {
	for i := range inv.VatBreakdowns {
		b := &inv.VatBreakdowns[i]
		path := fmt.Sprintf("vatBreakdowns[%d]", i)
		if g := groups.find(b.CategoryCode, &b.Rate); g != nil {
			d.compare(&b.TaxableAmount, path+".taxableAmount", "BT-116", rounded(g.taxable))
		}
		if b.TaxableAmount.Valid {
			d.compare(&b.TaxAmount, path+".taxAmount", "BT-117", rounded(share(b.TaxableAmount.Value, valueOf(&b.Rate))))
		}
	}
}

// accountingVat compares BT-111 with each option that gives it too: the invoice and both options
// may, and one of them is taken.
func (d *differences) accountingVat(t *model.Totals, o Options) {
	if t == nil {
		return
	}
	const path, bt = "totals.taxTotalAmountInAccountingCurrency", "BT-111"
	if o.AccountingVat.Valid {
		d.compare(&t.TaxTotalAmountInAccountingCurrency, path, bt, o.AccountingVat)
	}
	if o.AccountingRate.Valid && t.TaxTotalAmount.Valid {
		d.compare(&t.TaxTotalAmountInAccountingCurrency, path, bt, converted(t, o))
	}
}
