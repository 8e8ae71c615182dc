package page

import "einvoice/model"

// EveryTerm is an invoice that has every term.
func EveryTerm() *model.Invoice {
	inv := &model.Invoice{}
	fillTerms(model.ObjectOf(inv), 0)
	return inv
}
