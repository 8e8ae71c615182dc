package compute

import (
	"strings"

	"einvoice/model"
)

// An UnusedVat is an entry of the VAT breakdown without an amount that no part of the invoice
// gives one: Index counts from 0, and Several says that there are several rates of its
// category, and not none.
type UnusedVat struct {
	Index   int
	Several bool
}

// UnusedVats finds the entries of the VAT breakdown that Complete can compute no amount for.
func UnusedVats(inv *model.Invoice) []UnusedVat {
	groups := groupsOf(inv)
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

// A MissingVat is a VAT category and a rate, as the invoice states them.
type MissingVat struct{ Category, Rate string }

// MissingVats finds the categories and rates of the invoice that no entry of the VAT breakdown is for,
// although there is one of the category. Complete adds none beside entries that state their taxable amount,
// and no rule of EN 16931 asks for each rate: the tax would be missing without a word.
func MissingVats(inv *model.Invoice) (missing []MissingVat) {
	entries, categories := map[groupKey]bool{}, map[string]bool{}
	for i := range inv.VatBreakdowns {
		b := &inv.VatBreakdowns[i]
		key := keyOf(b.CategoryCode, &b.Rate)
		entries[key], categories[key.category] = true, true
	}
	groups := groupsOf(inv)
	for _, g := range groups.list {
		key := keyOf(g.category, &g.rate)
		if g.rate.Valid && categories[key.category] && !entries[key] && !entries[groupKey{category: key.category}] {
			missing = append(missing, MissingVat{key.category, strings.TrimSpace(g.rate.Raw)})
		}
	}
	return missing
}
