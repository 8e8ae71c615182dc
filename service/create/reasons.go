package create

import (
	"cmp"
	"slices"
	"strings"

	"einvoice/model"
)

// An exemptionReason is the usual reason of a VAT category.
type exemptionReason struct {
	Code string            `yaml:"code"`
	Text map[string]string `yaml:"text"` // by language
}

// supplyReasons gives entries of the VAT breakdown that have no exemption reason the usual one of
// their category.
func (d *defaults) supplyReasons(inv *model.Invoice, standard, language string) {
	for i := range inv.VatBreakdowns {
		b := &inv.VatBreakdowns[i]
		reason, usual := d.ExemptionReasons[strings.TrimSpace(b.CategoryCode.Raw)]
		if !usual || b.ExemptionReasonCode.Present || b.ExemptionReasonText.Present {
			continue
		}
		b.ExemptionReasonText = model.NewText(cmp.Or(reason.Text[language], reason.Text["en"]))
		if !slices.Contains(d.ReasonWithoutCode, standard) {
			b.ExemptionReasonCode = model.NewText(reason.Code)
		}
	}
}

// reasonsOfParts gives lines, allowances and charges that state no exemption reason that of the
// only entry of the VAT breakdown for their category.
func reasonsOfParts(inv *model.Invoice) {
	only := map[string]*model.VatBreakdown{}
	for i := range inv.VatBreakdowns {
		b := &inv.VatBreakdowns[i]
		category := strings.TrimSpace(b.CategoryCode.Raw)
		if _, several := only[category]; several {
			b = nil
		}
		only[category] = b
	}
	give := func(category model.Text, code, text *model.Text) {
		if b := only[strings.TrimSpace(category.Raw)]; b != nil && !code.Present && !text.Present {
			*code, *text = b.ExemptionReasonCode, b.ExemptionReasonText
		}
	}
	detail := func(category model.Text, details **model.TaxDetails) {
		d := cmp.Or(*details, &model.TaxDetails{})
		if give(category, &d.ExemptionReasonCode, &d.ExemptionReasonText); d.ExemptionReasonCode.Present || d.ExemptionReasonText.Present {
			*details = d
		}
	}
	inv.EachLine(func(l, _ *model.Line) {
		if l.Vat != nil {
			detail(l.Vat.CategoryCode, &l.Vat.Details)
		}
	})
	for i := range inv.Allowances {
		if vat := inv.Allowances[i].Vat; vat != nil {
			detail(vat.CategoryCode, &vat.Details)
		}
	}
	for i := range inv.Charges {
		if vat := inv.Charges[i].Vat; vat != nil {
			detail(vat.CategoryCode, &vat.Details)
		}
	}
	for i := range inv.LogisticsServiceCharges {
		if vat := inv.LogisticsServiceCharges[i].Vat; vat != nil {
			give(vat.CategoryCode, &vat.ExemptionReasonCode, &vat.ExemptionReasonText)
		}
	}
}
