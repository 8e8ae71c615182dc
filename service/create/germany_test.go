package create_test

import (
	"context"
	"slices"
	"testing"

	"einvoice/engine"
	"einvoice/service/internal/kittest"
	"einvoice/service/validate"
)

// Faults against PDF/A are warnings between German parties, unless the PDF is asked to
// be Factur-X.
func TestFaultyPDFInGermany(t *testing.T) {
	s := kittest.Kit(t)
	for _, c := range []struct {
		name    string
		country string
		rules   validate.Rules
		want    engine.Level
	}{
		{"between Germans", "DE", validate.Rules{}, engine.Warning},
		{"as ZUGFeRD", "DE", validate.Rules{Standard: "zugferd"}, engine.Warning},
		{"as Factur-X", "DE", validate.Rules{Standard: "facturx"}, engine.Fatal},
		{"as a profile of Factur-X", "DE", validate.Rules{Profile: "facturx-en16931"}, engine.Fatal},
		{"to France", "FR", validate.Rules{}, engine.Fatal},
		{"to France as ZUGFeRD", "FR", validate.Rules{Standard: "zugferd"}, engine.Fatal},
	} {
		t.Run(c.name, func(t *testing.T) {
			made, err := makeOne(t, "zugferd", map[string]any{
				"invoice.seller.postalAddress.countryCode": "DE", "invoice.typeCode": "380", "invoice.buyer.postalAddress.countryCode": c.country,
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, data := range [][]byte{append([]byte("\n"), made.Data...), append(slices.Clone(made.Data), "more"...)} {
				result, err := s.Validate(context.Background(), data, c.rules)
				if err != nil {
					t.Fatal(err)
				}
				f := result.Report.Findings
				if len(f) != 1 || f[0].Layer != engine.LayerContainer || f[0].Level != c.want || result.Report.Valid != (c.want != engine.Fatal) {
					t.Errorf("got %+v", f)
				}
			}
		})
	}
}
