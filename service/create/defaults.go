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
	TypeCode          string                     `yaml:"typeCode"`
	RateOfNotSubject  []string                   `yaml:"rateOfNotSubject"`  // standards
	RateOfZero        map[string]string          `yaml:"rateOfZero"`        // by standard
	ReasonWithoutCode []string                   `yaml:"reasonWithoutCode"` // standards
	ReasonOfParts     []string                   `yaml:"reasonOfParts"`     // extensions
	ExemptionReasons  map[string]exemptionReason `yaml:"exemptionReasons"`  // by VAT category code
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
		if b := &inv.VatBreakdowns[i]; isNotSubject(b.CategoryCode) && !b.Rate.Present && slices.Contains(d.RateOfNotSubject, standard) {
			b.Rate = model.NewNumber("0")
		}
	}
	d.supplyReasons(inv, standard, language)
}

// isNotSubject reports whether a VAT category is that of what is not subject to VAT.
func isNotSubject(category model.Text) bool { return strings.TrimSpace(category.Raw) == "O" }
