package create_test

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/model"
	"einvoice/service/catalogue"
	"einvoice/service/write"
)

// refusal creates a document that must be refused, and gives the findings that refuse it and
// are about sums: what else the document lacks is not part of these tests.
func refusal(t *testing.T, format, profile string, change map[string]any) []engine.Finding {
	t.Helper()
	if profile != "" {
		change["options"] = map[string]any{"profile": profile}
	}
	_, err := makeOne(t, format, change)
	refused, ok := errors.AsType[*write.Refused](err)
	if !ok {
		t.Fatalf("%s %s was not refused: %v", format, profile, err)
	}
	return slices.DeleteFunc(refused.Report.Findings, func(f engine.Finding) bool {
		isSum := strings.HasPrefix(f.Rule, "BR-CO-") || f.Layer == engine.LayerProfile || len(f.Fields) == 0 ||
			strings.HasPrefix(f.Fields[0], "totals") || strings.HasPrefix(f.Fields[0], "vatBreakdowns")
		return f.Level != engine.Fatal || !isSum
	})
}

// An entry of the VAT breakdown that nothing in the invoice is of is one mistake, and is told
// once, whatever its category and rate.
func TestUnusedVat(t *testing.T) {
	for category := range strings.SplitSeq("S Z E AE K G O L M", " ") {
		for _, rate := range []any{nil, 7, 0} {
			entry := map[string]any{"categoryCode": category}
			if rate != nil {
				entry["rate"] = rate
			} else if category == "S" {
				continue // the group of the line
			}
			got := refusal(t, "ubl", "", map[string]any{"invoice.vatBreakdowns": []any{map[string]any{"categoryCode": "S", "rate": 19}, entry}})
			if len(got) != 1 || got[0].Rule != "VAT-UNUSED" || !slices.Equal(got[0].Fields, []string{"vatBreakdowns[1]"}) || !strings.Contains(got[0].Message, "category "+category) {
				t.Errorf("%v: %+v", entry, got)
			}
		}
	}
}

// A rate of the invoice that no entry of a breakdown with amounts is for is refused: no rule of EN 16931
// notices, and the tax would be missing. Where entries state no taxable amount, it is computed.
func TestMissingVat(t *testing.T) {
	line := func(rate int) map[string]any {
		return map[string]any{"invoicedQuantity": 1, "invoicedQuantityUnitCode": "H87", "price": map[string]any{"netPrice": 100}, "vat": map[string]any{"categoryCode": "S", "rate": rate}, "item": map[string]any{"name": "x"}}
	}
	lines := []any{line(19), line(7)}
	for _, c := range []struct {
		entries []any
		want    string
	}{
		{[]any{map[string]any{"categoryCode": "S", "rate": 19, "taxableAmount": 100}}, "S at 7 %"},
		{[]any{map[string]any{"categoryCode": "S", "rate": "7.00", "taxableAmount": 100}}, "S at 19 %"},
		{[]any{map[string]any{"categoryCode": "S", "rate": 19}}, ""},
		{[]any{map[string]any{"categoryCode": "S", "rate": 19, "taxableAmount": 100}, map[string]any{"categoryCode": "S", "rate": 7}}, ""},
	} {
		made, err := makeOne(t, "ubl", map[string]any{"invoice.lines": lines, "invoice.vatBreakdowns": c.entries})
		if c.want == "" {
			if err != nil || len(made.Invoice.VatBreakdowns) != 2 {
				t.Errorf("%v: %v", c.entries, err)
			}
			continue
		}
		refused, ok := errors.AsType[*write.Refused](err)
		if !ok {
			t.Fatalf("%v is not refused: %v", c.entries, err)
		}
		var got []string
		for _, f := range refused.Report.Findings {
			if f.Level == engine.Fatal {
				got = append(got, f.Rule+" "+strings.Join(f.Fields, " ")+": "+f.Message)
			}
		}
		if len(got) != 1 || !strings.HasPrefix(got[0], "VAT-MISSING vatBreakdowns: ") || !strings.Contains(got[0], c.want) {
			t.Errorf("%v: %q", c.entries, got)
		}
	}
}

// Groups whose amounts would be part of the amount due without being in the document are
// refused in every profile that does not have them; the message names one that has.
func TestSumsWithoutPlace(t *testing.T) {
	groups := map[string]any{
		"thirdPartyPayments":      []any{map[string]any{"type": "x", "amount": 10, "description": "y"}},
		"logisticsServiceCharges": []any{map[string]any{"description": "f", "amount": 10, "vat": map[string]any{"categoryCode": "S", "rate": 19}}},
		"financialAdjustments":    []any{map[string]any{"amount": 10, "reason": "r"}},
	}
	for name, having := range catalogue.Read().Sums {
		group, ok := groups[name]
		if _, known := model.InvoiceType().Field(name); !ok || !known {
			t.Fatalf("there is no test of %s", name)
		}
		for _, format := range catalogue.Read().Formats {
			if format.Create == nil {
				continue
			}
			for _, profile := range format.Create.Profiles {
				if having[profile.ID] == format.Create.Syntaxes[0] {
					continue
				}
				got := refusal(t, format.Name, profile.Name, map[string]any{"invoice." + name: group})
				if len(got) != 1 || got[0].Rule != "SUM-WITHOUT-PLACE" || got[0].Fields[0] != name {
					t.Errorf("%s in %s %s: %+v", name, format.Name, profile.Name, got)
				}
				named := regexp.MustCompile(`profile (\S+) \(([^)]+)\)`).FindStringSubmatch(got[0].Message)
				if named == nil {
					t.Fatalf("%q does not name a profile and its formats", got[0].Message)
				}
				for format := range strings.SplitSeq(named[2], ", ") {
					if id, err := catalogue.Named(format).ProfileID(named[1]); err != nil || having[id] == "" {
						t.Errorf("%s: %s is made with %q: %v", got[0].Message, format, id, err)
					}
				}
			}
		}
	}
}

// A request that lacks a party is not told to remove an element that it does not have.
func TestNoEchoOfEmptyElements(t *testing.T) {
	for _, party := range []string{"seller", "buyer"} {
		for _, profile := range []string{"peppol-bis-billing-3", "xrechnung-3.0"} {
			for _, f := range refusal(t, "ubl", profile, map[string]any{"invoice." + party: map[string]any{}}) {
				if f.Rule == "PEPPOL-EN16931-R008" {
					t.Errorf("%s without %s: %s", profile, party, f.Message)
				}
			}
		}
	}
}

// Nothing is told of elements that the program wrote because the schema demands them, in any
// profile: the request has none to remove.
func TestDemandedElements(t *testing.T) {
	for _, c := range []struct{ format, profile string }{
		{"cii", ""}, {"facturx", "minimum"}, {"facturx", "basicwl"}, {"facturx", "basic"}, {"facturx", "en16931"}, {"facturx", "extended"}, {"xrechnung", ""}, {"ubl", "peppol-bis-billing-3"},
	} {
		change := map[string]any{"invoice.delivery": nil, "invoice.invoicingPeriod": nil}
		if c.profile != "" {
			change["options"] = map[string]any{"profile": c.profile}
		}
		made, err := makeOne(t, c.format, change)
		report := &engine.Report{}
		if refused, ok := errors.AsType[*write.Refused](err); ok {
			report = refused.Report
		} else if err != nil {
			t.Fatal(err)
		} else {
			report = made.Report
		}
		for _, f := range report.Findings {
			if strings.HasSuffix(f.Rule, "R008") {
				t.Errorf("%s %s: %s at %s", c.format, c.profile, f.Rule, f.Location)
			}
		}
		if report.Counts.Fatal+report.Counts.Warning+report.Counts.Information != len(report.Findings) {
			t.Errorf("%s %s: %+v of %d findings", c.format, c.profile, report.Counts, len(report.Findings))
		}
	}
}

// A discount in per cent without a base is of the lines of its own VAT group, in every format,
// and an allowance that is already that amount gets the base as well.
func TestDiscountOfAVatGroup(t *testing.T) {
	line := func(price string, rate int) any {
		return map[string]any{"invoicedQuantity": 1, "invoicedQuantityUnitCode": "C62", "price": map[string]any{"netPrice": price}, "item": map[string]any{"name": "x"}, "vat": map[string]any{"categoryCode": "S", "rate": rate}}
	}
	discount := func(rate int, amount any) any {
		return map[string]any{"percentage": 10, "amount": amount, "reason": "r", "vat": map[string]any{"categoryCode": "S", "rate": rate}}
	}
	for _, format := range []string{"ubl", "cii", "xrechnung"} {
		made, err := makeOne(t, format, map[string]any{
			"invoice.lines":      []any{line("100", 19), line("60", 7), line("20", 19)},
			"invoice.allowances": []any{discount(19, nil), discount(7, "6.00")},
		})
		if err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		got := made.Invoice.Allowances
		if got[0].BaseAmount.Raw != "120.00" || got[0].Amount.Raw != "12.00" || got[1].BaseAmount.Raw != "60.00" || made.Invoice.Totals.SumOfAllowances.Raw != "18.00" {
			t.Errorf("%s: %+v, together %s", format, got, made.Invoice.Totals.SumOfAllowances.Raw)
		}
		if len(made.Report.Findings) > 0 {
			t.Errorf("%s: %+v", format, made.Report.Findings)
		}
	}
}

// A rate below 0 is what is wrong with a tax amount that follows from it.
func TestNegativeRate(t *testing.T) {
	for _, format := range []string{"ubl", "cii"} {
		_, err := makeOne(t, format, map[string]any{"invoice.lines": []any{map[string]any{"invoicedQuantity": 1, "invoicedQuantityUnitCode": "C62", "price": map[string]any{"netPrice": 100}, "item": map[string]any{"name": "x"}, "vat": map[string]any{"categoryCode": "S", "rate": -19}}}})
		if f := finding(t, err, "BR-CO-17"); !strings.Contains(f.Message, "not below 0") {
			t.Errorf("%s: %s", format, f.Message)
		}
	}
}
