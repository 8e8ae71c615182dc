package create_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/model/problem"
	"einvoice/service/create"
	"einvoice/service/internal/kittest"
	"einvoice/service/write"
)

// TestOneFinding of each thing that a request lacks or has wrong: not those that follow
// from it, and none about elements that the caller has never seen.
func TestOneFinding(t *testing.T) {
	for name, c := range map[string]struct {
		changes map[string]any
		rules   []string
	}{
		"no currency":                           {map[string]any{"invoice.currencyCode": nil}, []string{"REQUEST-CURRENCY"}},
		"an empty currency":                     {map[string]any{"invoice.currencyCode": " "}, []string{"BR-CL-04"}},
		"no such currency":                      {map[string]any{"invoice.currencyCode": "Euro"}, []string{"BR-CL-04"}},
		"no number":                             {map[string]any{"invoice.number": nil}, []string{"BR-02"}},
		"no date":                               {map[string]any{"invoice.issueDate": nil}, []string{"BR-03"}},
		"a rate of no one":                      {map[string]any{"options.vatAccountingCurrencyRate": "1.1"}, []string{"REQUEST-ACCOUNTING-CURRENCY"}},
		"no preceding number":                   {map[string]any{"invoice.precedingInvoices": []any{map[string]any{"issueDate": "2026-01-01"}}}, []string{"REQUEST-PRECEDING-REFERENCE"}},
		"no invoiced object":                    {map[string]any{"invoice.invoicedObject": map[string]any{"schemeId": "ABC"}}, []string{"REQUEST-OBJECT"}},
		"no object, no class":                   {map[string]any{"invoice.lines": []any{map[string]any{"invoicedQuantity": 1, "invoicedQuantityUnitCode": "C62", "price": map[string]any{"netPrice": 1}, "vat": map[string]any{"categoryCode": "Z"}, "object": map[string]any{"schemeId": "ABC"}, "item": map[string]any{"name": "x", "classifications": []any{map[string]any{"schemeId": "STI"}}}}}}, []string{"REQUEST-CLASSIFICATION", "REQUEST-LINE-OBJECT"}},
		"a charge without a rate":               {map[string]any{"invoice.charges": []any{map[string]any{"amount": 1, "reason": "x", "vat": map[string]any{"categoryCode": "S"}}}}, []string{"REQUEST-CHARGE-RATE"}},
		"a line without a rate":                 {map[string]any{"invoice.lines": []any{ofRate(19), ofRate(nil)}}, []string{"REQUEST-LINE-RATE"}},
		"a percentage of no quantity":           {map[string]any{"invoice.lines": []any{reduced("invoicedQuantity")}}, []string{"REQUEST-QUANTITY"}},
		"a percentage of no price":              {map[string]any{"invoice.lines": []any{reduced("price")}}, []string{"REQUEST-PRICE"}},
		"a percentage of lines without VAT":     {map[string]any{"invoice.lines": []any{reduced("vat")}, "invoice.charges": []any{map[string]any{"percentage": 1, "reason": "x", "vat": map[string]any{"categoryCode": "S", "rate": 19}}}, "invoice.vatBreakdowns": []any{map[string]any{"categoryCode": "S"}}}, []string{"REQUEST-LINE-CATEGORY"}},
		"a percentage and an amount of nothing": {map[string]any{"invoice.lines": []any{reduced("vat")}, "invoice.charges": []any{map[string]any{"reason": "x", "vat": map[string]any{"categoryCode": "S", "rate": 19}}}}, []string{"REQUEST-CHARGE-AMOUNT", "REQUEST-LINE-CATEGORY"}},
		"a percentage without a reason":         {map[string]any{"invoice.lines": []any{reduced("vat")}, "invoice.charges": []any{map[string]any{"percentage": 1, "vat": map[string]any{"categoryCode": "S", "rate": 19}}}}, []string{"BR-38", "BR-CO-22", "REQUEST-LINE-CATEGORY"}},
		"no number and no sum":                  {map[string]any{"invoice.number": nil, "invoice.currencyCode": nil}, []string{"BR-02", "REQUEST-CURRENCY"}},
	} {
		for _, format := range []string{"ubl", "cii"} {
			_, err := makeOne(t, format, c.changes)
			refused, ok := errors.AsType[*write.Refused](err)
			if !ok {
				t.Errorf("%s: %s: got %v", format, name, err)
				continue
			}
			if got := fatal(refused.Report); !slices.Equal(got, c.rules) || refused.Report.Counts.Fatal != len(c.rules) {
				t.Errorf("%s: %s: got %q, %d of them, want %q", format, name, got, refused.Report.Counts.Fatal, c.rules)
			}
		}
	}
}

// A charge for freight lacks its rate, as any other may.
func TestFreightWithoutARate(t *testing.T) {
	freight := map[string]any{"description": "Freight", "amount": 15, "vat": map[string]any{"categoryCode": "S"}}
	_, err := makeOne(t, "facturx", map[string]any{
		"invoice.lines": []any{ofRate(19)}, "invoice.logisticsServiceCharges": []any{freight}, "options.profile": "extended",
	})
	refused, ok := errors.AsType[*write.Refused](err)
	if !ok {
		t.Fatalf("got %v", err)
	}
	if got := fatal(refused.Report); !slices.Equal(got, []string{"REQUEST-LOGISTICS-RATE"}) {
		t.Errorf("got %q", got)
	}
}

// ofRate is a line of the standard rate, as a request has it.
func ofRate(rate any) map[string]any {
	return map[string]any{
		"invoicedQuantity": 1, "invoicedQuantityUnitCode": "C62", "price": map[string]any{"netPrice": 1},
		"vat": map[string]any{"categoryCode": "S", "rate": rate}, "item": map[string]any{"name": "x"},
	}
}

// reduced is a line with an allowance in percent that lacks a member.
func reduced(member string) map[string]any {
	line := ofRate(19)
	line["allowances"] = []any{map[string]any{"percentage": 10, "reason": "x"}}
	delete(line, member)
	return line
}

// The reason of an exemption is in the language of the pages, whatever its region.
func TestReasonInALanguage(t *testing.T) {
	made, err := makeOne(t, "ubl", map[string]any{
		"invoice.lines":               []any{map[string]any{"invoicedQuantity": 1, "invoicedQuantityUnitCode": "C62", "price": map[string]any{"netPrice": 1}, "item": map[string]any{"name": "x"}, "vat": map[string]any{"categoryCode": "AE"}}},
		"invoice.buyer.vatIdentifier": "ATU12345678", "options.language": "de-AT",
	})
	if err != nil || !strings.Contains(string(made.Data), "Steuerschuldnerschaft des Leistungsempfängers") {
		t.Errorf("got %v", err)
	}
	_, err = makeOne(t, "ubl", map[string]any{"options.language": "tlh", "options.profile": "none"})
	wrong, ok := errors.AsType[*problem.WrongOptions](err)
	if !ok || len(wrong.Wrong) != 2 {
		t.Errorf("got %v, want both options", err)
	}
	if _, err := create.ReadRequestFor(t.Context(), kittest.Kit(t).Pages, "zugferd", []byte(`{"invoice": {"nmber": 1}, "options": {"language": "tlh", "look": "none"}}`)); err == nil || strings.Count(err.Error(), "line 1") != 3 {
		t.Errorf("got %v", err)
	}
}

func fatal(r *engine.Report) (rules []string) {
	for _, f := range r.Findings {
		if f.Level == engine.Fatal && !slices.Contains(rules, f.Rule) {
			rules = append(rules, f.Rule)
		}
	}
	return rules
}
