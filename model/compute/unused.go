package compute

import "einvoice/model"

// An UnusedVat is an entry of the VAT breakdown without an amount that no part of the invoice
// gives one: Index counts from 0, and Several says that there are several rates of its
// category, and not none.
type UnusedVat struct {
	Index   int
	Several bool
}

// UnusedVats finds the entries of the VAT breakdown that Complete can compute no amount for.
func UnusedVats(inv *model.Invoice) []UnusedVat {
	groups := groupsOfLines(inv)
	groups.addDocumentLevel(inv)
	var unused []UnusedVat
	for i := range inv.VatBreakdowns {
		b := &inv.VatBreakdowns[i]
		if b.CategoryCode.Blank() || b.TaxableAmount.Present || groups.find(b.CategoryCode, &b.Rate) != nil {
			continue
		}
		key := keyOf(b.CategoryCode, &b.Rate)
		if groups.byKey[key] != nil { // of what lacks its own rate: that is the mistake
			continue
		}
		_, several := groups.byCategory[key.category]
		unused = append(unused, UnusedVat{Index: i, Several: several && !b.Rate.Present})
	}
	return unused
}
