package create

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"einvoice/model"
	"einvoice/model/strictyaml"
)

// The defaults are what create supplies where a request leaves it out.
type defaults struct {
	TypeCode         string                     `yaml:"typeCode"`
	RateOfNotSubject []string                   `yaml:"rateOfNotSubject"` // standards
	ExemptionReasons map[string]exemptionReason `yaml:"exemptionReasons"` // by VAT category code
}

type exemptionReason struct {
	Code string            `yaml:"code"`
	Text map[string]string `yaml:"text"` // by language
}

//go:embed defaults.yaml
var defaultsYAML []byte

var readDefaults = sync.OnceValue(func() *defaults {
	d := &defaults{}
	if err := strictyaml.Decode(defaultsYAML, d); err != nil {
		panic(fmt.Sprintf("defaults.yaml: %v", err)) // part of the program; a test reads it
	}
	return d
})

// supply sets the terms that are absent.
func (d *defaults) supply(inv *model.Invoice, standard, language string) {
	if !inv.TypeCode.Present {
		inv.TypeCode = model.NewText(d.TypeCode)
	}
	for i := range inv.LogisticsServiceCharges {
		if vat := inv.LogisticsServiceCharges[i].Vat; vat != nil && isNotSubject(vat.CategoryCode) && !vat.Rate.Present {
			vat.Rate = model.NewNumber("0") // FX-SCH-A-000329 demands it
		}
	}
	for i := range inv.VatBreakdowns {
		b := &inv.VatBreakdowns[i]
		category := strings.TrimSpace(b.CategoryCode.Raw)
		if isNotSubject(b.CategoryCode) && !b.Rate.Present && slices.Contains(d.RateOfNotSubject, standard) {
			b.Rate = model.NewNumber("0")
		}
		reason, usual := d.ExemptionReasons[category]
		if !usual || b.ExemptionReasonCode.Present || b.ExemptionReasonText.Present {
			continue
		}
		text, ok := reason.Text[language]
		if !ok {
			text = reason.Text["en"]
		}
		b.ExemptionReasonCode, b.ExemptionReasonText = model.NewText(reason.Code), model.NewText(text)
	}
}

// isNotSubject reports whether a VAT category is that of what is not subject to VAT.
func isNotSubject(category model.Text) bool { return strings.TrimSpace(category.Raw) == "O" }
