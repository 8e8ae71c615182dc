package compute

import (
	"strings"

	"einvoice/model"
)

// notSubject is the VAT category of what is not subject to VAT.
const notSubject = "O"

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
func breakdown(inv *model.Invoice, groups *groups) {
	addEntries(inv, groups)
	for i := range inv.VatBreakdowns {
		b := &inv.VatBreakdowns[i]
		if g := groups.find(b.CategoryCode, &b.Rate); g != nil {
			if !b.TaxableAmount.Present {
				b.TaxableAmount = rounded(g.taxable)
			}
			if !b.Rate.Present {
				b.Rate = g.rate
			}
		}
		if !b.TaxAmount.Present && b.TaxableAmount.Valid {
			b.TaxAmount = rounded(share(b.TaxableAmount.Value, valueOf(&b.Rate)))
		}
	}
}

// addEntries adds an entry for each group that has none. An entry without a rate is for
// every group of its category.
func addEntries(inv *model.Invoice, groups *groups) {
	stated := map[groupKey]bool{}
	for i := range inv.VatBreakdowns {
		b := &inv.VatBreakdowns[i]
		if b.TaxableAmount.Present {
			return
		}
		stated[keyOf(b.CategoryCode, &b.Rate)] = true
	}
	for _, g := range groups.list {
		if !stated[keyOf(g.category, &g.rate)] && !stated[keyOf(g.category, &model.Number{})] {
			inv.VatBreakdowns = append(inv.VatBreakdowns, model.VatBreakdown{CategoryCode: g.category, Rate: g.rate})
		}
	}
}

// A groupKey is what the terms of one group have in common.
type groupKey struct{ category, rate string }

func keyOf(category model.Text, rate *model.Number) groupKey {
	key := groupKey{category: strings.TrimSpace(category.Raw)}
	switch {
	case key.category == notSubject && rate.Valid && rate.Value.Sign() == 0: // BR-DE-14 demands a rate that lines do not have
	case rate.Valid: // 19 and 19.00 are the same rate
		key.rate = rate.Value.String()
		if strings.Contains(key.rate, ".") {
			key.rate = strings.TrimRight(strings.TrimRight(key.rate, "0"), ".")
		}
	case rate.Present:
		key.rate = "invalid " + rate.Raw
	}
	return key
}

// groups are the groups of an invoice, in the order in which they first occur.
type groups struct {
	list       []*group
	byKey      map[groupKey]*group
	byCategory map[string]*group // the only group of a category; nil where there are several
}

// groupsOfLines adds up the lines of each category and rate. A sub invoice line is
// included in the line around it, unless that is a group.
func groupsOfLines(inv *model.Invoice) *groups {
	gs := &groups{byKey: map[groupKey]*group{}, byCategory: map[string]*group{}}
	inv.EachLine(func(l, around *model.Line) {
		if l.Vat != nil && model.CountsInTotals(l.Subtype(around)) {
			gs.add(l.Vat.CategoryCode, l.Vat.Rate, valueOf(&l.NetAmount.Number))
		}
	})
	return gs
}

// groupsOf adds up the lines, allowances and charges of each category and rate.
func groupsOf(inv *model.Invoice) *groups {
	gs := groupsOfLines(inv)
	gs.addDocumentLevel(inv)
	return gs
}

// addDocumentLevel adds the allowances and charges of the document.
func (gs *groups) addDocumentLevel(inv *model.Invoice) {
	eachBesideLines(inv, func(category model.Text, rate *model.Number, amount model.Decimal) { gs.add(category, *rate, amount) })
}

// eachBesideLines calls f for the VAT of everything beside the lines that is in the breakdown:
// allowances, whose amounts are negative here, charges, and charges for logistics.
func eachBesideLines(inv *model.Invoice, f func(category model.Text, rate *model.Number, amount model.Decimal)) {
	for i := range inv.Allowances {
		if a := &inv.Allowances[i]; a.Vat != nil {
			f(a.Vat.CategoryCode, &a.Vat.Rate, valueOf(&a.Amount.Number).Neg())
		}
	}
	for i := range inv.Charges {
		if c := &inv.Charges[i]; c.Vat != nil {
			f(c.Vat.CategoryCode, &c.Vat.Rate, valueOf(&c.Amount.Number))
		}
	}
	for i := range inv.LogisticsServiceCharges {
		if c := &inv.LogisticsServiceCharges[i]; c.Vat != nil {
			f(c.Vat.CategoryCode, &c.Vat.Rate, valueOf(&c.Amount.Number))
		}
	}
}

func (gs *groups) add(category model.Text, rate model.Number, amount model.Decimal) {
	key := keyOf(category, &rate)
	g := gs.byKey[key]
	if g == nil {
		g = &group{category: category, rate: rate}
		gs.list = append(gs.list, g)
		gs.byKey[key] = g
		if _, several := gs.byCategory[key.category]; several {
			gs.byCategory[key.category] = nil
		} else {
			gs.byCategory[key.category] = g
		}
	}
	g.taxable = g.taxable.Add(amount)
}

// find returns the group of a category and rate. Without a rate it is the only group of
// the category. It is nil where there is none, or no single one.
func (gs *groups) find(category model.Text, rate *model.Number) *group {
	key := keyOf(category, rate)
	if !rate.Present {
		return gs.byCategory[key.category]
	}
	return gs.byKey[key]
}
