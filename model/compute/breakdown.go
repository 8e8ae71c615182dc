package compute

import (
	"slices"
	"strings"

	"einvoice/model"
)

// A group is the taxable amount with one VAT category and rate.
type group struct {
	category model.Text
	rate     model.Number
	taxable  model.Decimal
}

// breakdown computes BG-23. In entries that are present, only absent terms are computed,
// so that an entry can state the reason for an exemption without the amounts. Groups that
// have no entry get one, unless an entry states its taxable amount: then the sender has
// listed them.
func breakdown(inv *model.Invoice) {
	for i := range inv.Allowances {
		if a := &inv.Allowances[i]; a.Vat != nil {
			zeroRate(a.Vat.CategoryCode, &a.Vat.Rate)
		}
	}
	for i := range inv.Charges {
		if c := &inv.Charges[i]; c.Vat != nil {
			zeroRate(c.Vat.CategoryCode, &c.Vat.Rate)
		}
	}
	groups := groupsOf(inv)
	if !slices.ContainsFunc(inv.VatBreakdowns, func(b model.VatBreakdown) bool { return b.TaxableAmount.Present }) {
		for _, g := range groups {
			if !slices.ContainsFunc(inv.VatBreakdowns, func(b model.VatBreakdown) bool { return find([]*group{g}, &b) != nil }) {
				inv.VatBreakdowns = append(inv.VatBreakdowns, model.VatBreakdown{CategoryCode: g.category, Rate: g.rate})
			}
		}
	}
	for i := range inv.VatBreakdowns {
		b := &inv.VatBreakdowns[i]
		if g := find(groups, b); g != nil && !b.TaxableAmount.Present {
			b.TaxableAmount = rounded(g.taxable)
			if !b.Rate.Present {
				b.Rate = g.rate
			}
		}
		if !b.TaxAmount.Present && b.TaxableAmount.Valid {
			b.TaxAmount = rounded(share(b.TaxableAmount.Value, valueOf(&b.Rate)))
		}
	}
}

// find is the group of a breakdown entry. An entry without a rate belongs to the only
// group of its category; if there are several, the result is nil.
func find(groups []*group, b *model.VatBreakdown) (found *group) {
	for _, g := range groups {
		if code(g.category) != code(b.CategoryCode) {
			continue
		}
		if b.Rate.Present {
			if sameRate(&g.rate, &b.Rate) {
				return g
			}
			continue
		}
		if found != nil {
			return nil
		}
		found = g
	}
	return found
}

// groupsOf adds the lines, document level allowances and charges of each category and
// rate. The groups are in the order in which they first occur. A sub invoice line is
// included in the line around it, unless that is a group.
func groupsOf(inv *model.Invoice) (groups []*group) {
	at := func(category model.Text, rate model.Number) *group {
		for _, g := range groups {
			if code(g.category) == code(category) && sameRate(&g.rate, &rate) {
				return g
			}
		}
		groups = append(groups, &group{category: category, rate: rate})
		return groups[len(groups)-1]
	}
	inv.EachLine(func(l, around *model.Line) {
		if l.Vat != nil && model.CountsInTotals(l.Subtype(around)) {
			g := at(l.Vat.CategoryCode, l.Vat.Rate)
			g.taxable = g.taxable.Add(valueOf(&l.NetAmount.Number))
		}
	})
	for i := range inv.Allowances {
		if a := &inv.Allowances[i]; a.Vat != nil {
			g := at(a.Vat.CategoryCode, a.Vat.Rate)
			g.taxable = g.taxable.Sub(valueOf(&a.Amount.Number))
		}
	}
	for i := range inv.Charges {
		if c := &inv.Charges[i]; c.Vat != nil {
			g := at(c.Vat.CategoryCode, c.Vat.Rate)
			g.taxable = g.taxable.Add(valueOf(&c.Amount.Number))
		}
	}
	for i := range inv.LogisticsServiceCharges {
		if c := &inv.LogisticsServiceCharges[i]; c.Vat != nil {
			g := at(c.Vat.CategoryCode, c.Vat.Rate)
			g.taxable = g.taxable.Add(valueOf(&c.Amount.Number))
		}
	}
	return groups
}

func code(t model.Text) string { return strings.TrimSpace(t.Raw) }

func sameRate(a, b *model.Number) bool {
	if a.Valid && b.Valid {
		return a.Value.Equal(b.Value)
	}
	return a.Present == b.Present && a.Raw == b.Raw
}
