package create

import (
	"strings"

	"einvoice/model"
	"einvoice/model/compute"
	"einvoice/model/tongue"
)

// Completed returns a copy of an invoice with the amounts, totals and VAT breakdown that
// follow from it, and with what create supplies by default for the standard. Present values
// stay as they are. The tag (BCP 47) is the language of texts that are added.
func Completed(inv *model.Invoice, standard, tag string) *model.Invoice {
	if inv == nil {
		return nil
	}
	copied, alone := model.Copy(inv), model.Copy(inv)
	alone.VatBreakdowns, alone.Totals = nil, nil
	compute.Complete(alone, compute.Options{})
	for _, group := range alone.VatBreakdowns {
		supplyRate(copied.VatBreakdowns, alone.VatBreakdowns, &group)
		if !hasGroup(copied.VatBreakdowns, &group) {
			copied.VatBreakdowns = append(copied.VatBreakdowns, group)
		}
	}
	compute.Complete(copied, compute.Options{})
	tag, err := tongue.Match(tag)
	if err != nil {
		tag = ""
	}
	readDefaults().supply(copied, standard, tag)
	return copied
}

// supplyRate gives entries of a VAT breakdown without a rate that of the only group of their
// category.
func supplyRate(entries, groups []model.VatBreakdown, group *model.VatBreakdown) {
	same := func(a, b *model.VatBreakdown) bool {
		return strings.TrimSpace(a.CategoryCode.Raw) == strings.TrimSpace(b.CategoryCode.Raw)
	}
	others := 0
	for i := range groups {
		if same(&groups[i], group) {
			others++
		}
	}
	for i := range entries {
		if others == 1 && same(&entries[i], group) && !entries[i].Rate.Present {
			entries[i].Rate = group.Rate
		}
	}
}

// hasGroup reports whether a VAT breakdown has an entry for the category and rate of another; one
// without a rate is for all of its category.
func hasGroup(all []model.VatBreakdown, group *model.VatBreakdown) bool {
	for i := range all {
		b := &all[i]
		if strings.TrimSpace(b.CategoryCode.Raw) == strings.TrimSpace(group.CategoryCode.Raw) &&
			(!b.Rate.Present || !group.Rate.Present || b.Rate.Value.Cmp(group.Rate.Value) == 0) {
			return true
		}
	}
	return false
}
