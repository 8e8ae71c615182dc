package compute_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"einvoice/model"
	"einvoice/model/compute"

	"pgregory.net/rapid"
)

func ExampleComplete() {
	inv := &model.Invoice{}
	_ = json.Unmarshal([]byte(`{
	  "lines": [
	    {"invoicedQuantity": 3, "price": {"netPrice": "9.99"}, "vat": {"categoryCode": "S", "rate": 19}},
	    {"invoicedQuantity": 250, "price": {"netPrice": "4.15", "baseQuantity": 100}, "vat": {"categoryCode": "S", "rate": 7}}
	  ],
	  "allowances": [{"baseAmount": "29.97", "percentage": 10, "vat": {"categoryCode": "S", "rate": "19.00"}}],
	  "totals": {"paidAmount": 20}
	}`), inv)
	compute.Complete(inv, compute.Options{})
	out, _ := json.MarshalIndent(map[string]any{"totals": inv.Totals, "vatBreakdowns": inv.VatBreakdowns}, "", "  ")
	fmt.Println(string(out))
	// Output:
	// {
	//   "totals": {
	//     "sumOfLineNetAmounts": 40.35,
	//     "sumOfAllowances": 3.00,
	//     "totalAmountWithoutVat": 37.35,
	//     "taxTotalAmount": 5.85,
	//     "totalAmountWithVat": 43.20,
	//     "paidAmount": 20,
	//     "amountDueForPayment": 23.20
	//   },
	//   "vatBreakdowns": [
	//     {
	//       "taxableAmount": 26.97,
	//       "taxAmount": 5.12,
	//       "categoryCode": "S",
	//       "rate": 19
	//     },
	//     {
	//       "taxableAmount": 10.38,
	//       "taxAmount": 0.73,
	//       "categoryCode": "S",
	//       "rate": 7
	//     }
	//   ]
	// }
}

func TestComplete(t *testing.T) {
	for _, c := range []struct{ name, invoice, options, want string }{
		{"nothing", `{}`, `{}`, `{"totals":{"sumOfLineNetAmounts":0.00,"totalAmountWithoutVat":0.00,"taxTotalAmount":0.00,"totalAmountWithVat":0.00,"amountDueForPayment":0.00}}`},
		{
			"VAT is rounded once a group, not a line", `{"lines":[{"identifier":"a","netAmount":0.02,"vat":{"categoryCode":"S","rate":19}},{"identifier":"b","netAmount":0.02,"vat":{"categoryCode":"S","rate":19.0}},{"identifier":"c","netAmount":0.02,"vat":{"categoryCode":"S","rate":19}}]}`, `{}`,
			`{"totals":{"sumOfLineNetAmounts":0.06,"totalAmountWithoutVat":0.06,"taxTotalAmount":0.01,"totalAmountWithVat":0.07,"amountDueForPayment":0.07},"vatBreakdowns":[{"taxableAmount":0.06,"taxAmount":0.01,"categoryCode":"S","rate":19}]}`,
		},
		{
			"halves away from zero", `{"lines":[{"netAmount":-2.5,"vat":{"categoryCode":"S","rate":1}}]}`, `{}`,
			`{"totals":{"sumOfLineNetAmounts":-2.50,"totalAmountWithoutVat":-2.50,"taxTotalAmount":-0.03,"totalAmountWithVat":-2.53,"amountDueForPayment":-2.53},"vatBreakdowns":[{"taxableAmount":-2.50,"taxAmount":-0.03,"categoryCode":"S","rate":1}]}`,
		},
		{
			"not subject to VAT has no rate", `{"lines":[{"netAmount":5,"vat":{"categoryCode":"O"}}]}`, `{}`,
			`{"totals":{"sumOfLineNetAmounts":5.00,"totalAmountWithoutVat":5.00,"taxTotalAmount":0.00,"totalAmountWithVat":5.00,"amountDueForPayment":5.00},"vatBreakdowns":[{"taxableAmount":5.00,"taxAmount":0.00,"categoryCode":"O"}]}`,
		},
		{
			"a term that is present is kept, and others are computed from it", `{"lines":[{"netAmount":10,"vat":{"categoryCode":"S","rate":10}}],"totals":{"sumOfLineNetAmounts":11}}`, `{}`,
			`{"totals":{"sumOfLineNetAmounts":11,"totalAmountWithoutVat":11.00,"taxTotalAmount":1.00,"totalAmountWithVat":12.00,"amountDueForPayment":12.00},"vatBreakdowns":[{"taxableAmount":10.00,"taxAmount":1.00,"categoryCode":"S","rate":10}]}`,
		},
		{
			"prepaid, rounding, third parties", `{"totals":{"totalAmountWithVat":100,"paidAmount":30,"roundingAmount":"-0.01"},"thirdPartyPayments":[{"amount":5}]}`, `{}`,
			`{"totals":{"sumOfLineNetAmounts":0.00,"totalAmountWithoutVat":0.00,"taxTotalAmount":0.00,"totalAmountWithVat":100,"paidAmount":30,"roundingAmount":-0.01,"amountDueForPayment":74.99}}`,
		},
		{
			"accounting currency by a rate", `{"totals":{"taxTotalAmount":19}}`, `{"AccountingRate":"11.2951"}`,
			`{"totals":{"sumOfLineNetAmounts":0.00,"totalAmountWithoutVat":0.00,"taxTotalAmount":19,"taxTotalAmountInAccountingCurrency":214.61,"totalAmountWithVat":19.00,"amountDueForPayment":19.00}}`,
		},
		{
			"a stated exemption gets its amounts", `{"lines":[{"netAmount":8,"vat":{"categoryCode":"E","rate":0}}],"vatBreakdowns":[{"categoryCode":"E","exemptionReasonText":"why"}]}`, `{}`,
			`{"totals":{"sumOfLineNetAmounts":8.00,"totalAmountWithoutVat":8.00,"taxTotalAmount":0.00,"totalAmountWithVat":8.00,"amountDueForPayment":8.00},"vatBreakdowns":[{"taxableAmount":8.00,"taxAmount":0.00,"categoryCode":"E","rate":0,"exemptionReasonText":"why"}]}`,
		},
		{
			"an entry with its amount gets the rate of its category", `{"lines":[{"netAmount":2,"vat":{"categoryCode":"S","rate":19}}],"vatBreakdowns":[{"categoryCode":"S","taxableAmount":2}]}`, `{}`,
			`{"totals":{"sumOfLineNetAmounts":2.00,"totalAmountWithoutVat":2.00,"taxTotalAmount":0.38,"totalAmountWithVat":2.38,"amountDueForPayment":2.38},"vatBreakdowns":[{"taxableAmount":2,"taxAmount":0.38,"categoryCode":"S","rate":19}]}`,
		},
		{
			"an entry of what is not subject to VAT may have the rate 0", `{"lines":[{"netAmount":5,"vat":{"categoryCode":"O"}}],"vatBreakdowns":[{"categoryCode":"O","rate":0,"exemptionReasonText":"why"}]}`, `{}`,
			`{"totals":{"sumOfLineNetAmounts":5.00,"totalAmountWithoutVat":5.00,"taxTotalAmount":0.00,"totalAmountWithVat":5.00,"amountDueForPayment":5.00},"vatBreakdowns":[{"taxableAmount":5.00,"taxAmount":0.00,"categoryCode":"O","rate":0,"exemptionReasonText":"why"}]}`,
		},
		{
			"logistics service charges", `{"lines":[{"netAmount":10,"vat":{"categoryCode":"S","rate":19}}],"charges":[{"amount":1,"vat":{"categoryCode":"S","rate":19}}],"logisticsServiceCharges":[{"description":"Freight","amount":5,"vat":{"categoryCode":"S","rate":7}}]}`, `{}`,
			`{"totals":{"sumOfLineNetAmounts":10.00,"sumOfCharges":6.00,"totalAmountWithoutVat":16.00,"taxTotalAmount":2.44,"totalAmountWithVat":18.44,"amountDueForPayment":18.44},"vatBreakdowns":[{"taxableAmount":11.00,"taxAmount":2.09,"categoryCode":"S","rate":19},{"taxableAmount":5.00,"taxAmount":0.35,"categoryCode":"S","rate":7}]}`,
		},
		{
			"groups and information are not added", `{"lines":[{"netAmount":10,"statusReasonCode":"GROUP"},{"netAmount":10,"statusReasonCode":"DETAIL","vat":{"categoryCode":"S","rate":10}},{"netAmount":7,"statusReasonCode":"INFORMATION","vat":{"categoryCode":"S","rate":10}}]}`, `{}`,
			`{"totals":{"sumOfLineNetAmounts":10.00,"totalAmountWithoutVat":10.00,"taxTotalAmount":1.00,"totalAmountWithVat":11.00,"amountDueForPayment":11.00},"vatBreakdowns":[{"taxableAmount":10.00,"taxAmount":1.00,"categoryCode":"S","rate":10}]}`,
		},
		{
			"sub lines are added within a group only", `{"lines":[{"statusReasonCode":"GROUP","subLines":[{"netAmount":3,"vat":{"categoryCode":"S","rate":10}}]},{"netAmount":4,"vat":{"categoryCode":"S","rate":10},"subLines":[{"netAmount":4,"vat":{"categoryCode":"S","rate":10}}]}]}`, `{}`,
			`{"totals":{"sumOfLineNetAmounts":7.00,"totalAmountWithoutVat":7.00,"taxTotalAmount":0.70,"totalAmountWithVat":7.70,"amountDueForPayment":7.70},"vatBreakdowns":[{"taxableAmount":7.00,"taxAmount":0.70,"categoryCode":"S","rate":10}]}`,
		},
		{
			"collected for third parties", `{"totals":{"totalAmountWithVat":100},"financialAdjustments":[{"amount":7,"reason":"Tourist tax"}]}`, `{}`,
			`{"totals":{"sumOfLineNetAmounts":0.00,"totalAmountWithoutVat":0.00,"taxTotalAmount":0.00,"totalAmountWithVat":100,"amountDueForPayment":107.00}}`,
		},
		{
			"the base of a percentage is the lines of the same category and rate", `{"lines":[{"netAmount":100,"vat":{"categoryCode":"S","rate":19}},{"netAmount":100,"vat":{"categoryCode":"S","rate":7}}],"allowances":[{"percentage":10,"vat":{"categoryCode":"S","rate":"19.0"}},{"percentage":10,"vat":{"categoryCode":"S","rate":7}}]}`, `{}`,
			`{"totals":{"sumOfLineNetAmounts":200.00,"sumOfAllowances":20.00,"totalAmountWithoutVat":180.00,"taxTotalAmount":23.40,"totalAmountWithVat":203.40,"amountDueForPayment":203.40},"vatBreakdowns":[{"taxableAmount":90.00,"taxAmount":17.10,"categoryCode":"S","rate":19},{"taxableAmount":90.00,"taxAmount":6.30,"categoryCode":"S","rate":7}]}`,
		},
		{
			"a percentage of a rate that no line has is not computed", `{"lines":[{"netAmount":100,"vat":{"categoryCode":"S","rate":19}}],"allowances":[{"percentage":10,"vat":{"categoryCode":"S","rate":7}}]}`, `{}`,
			`{"totals":{"sumOfLineNetAmounts":100.00,"sumOfAllowances":0.00,"totalAmountWithoutVat":100.00,"taxTotalAmount":19.00,"totalAmountWithVat":119.00,"amountDueForPayment":119.00},"vatBreakdowns":[{"taxableAmount":100.00,"taxAmount":19.00,"categoryCode":"S","rate":19},{"taxableAmount":0.00,"taxAmount":0.00,"categoryCode":"S","rate":7}]}`,
		},
		{
			"a breakdown of two rates names which", `{"lines":[{"netAmount":8,"vat":{"categoryCode":"S","rate":7}},{"netAmount":2,"vat":{"categoryCode":"S","rate":19}}],"vatBreakdowns":[{"categoryCode":"S"}]}`, `{}`,
			`{"totals":{"sumOfLineNetAmounts":10.00,"totalAmountWithoutVat":10.00,"taxTotalAmount":0.00,"totalAmountWithVat":10.00,"amountDueForPayment":10.00},"vatBreakdowns":[{"categoryCode":"S"}]}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			inv := &model.Invoice{}
			var o compute.Options
			if err := json.Unmarshal([]byte(c.invoice), inv); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(c.options), &o); err != nil {
				t.Fatal(err)
			}
			compute.Complete(inv, o)
			got, err := json.Marshal(&model.Invoice{Totals: inv.Totals, VatBreakdowns: inv.VatBreakdowns})
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}

// The net amount of a line is computed from the terms that are present, also in sub
// invoice lines.
func TestLines(t *testing.T) {
	for line, want := range map[string]string{
		`{"invoicedQuantity":3,"price":{"netPrice":"1.115"}}`:               `3.35`,
		`{"invoicedQuantity":1,"price":{"grossPrice":10,"discount":"2.5"}}`: `7.50`,
		`{"invoicedQuantity":1,"price":{"grossPrice":10,"discount":2,"details":{"furtherAdjustments":[{"chargeIndicator":"false","amount":1},{"chargeIndicator":"true","amount":"0.5"}]}}}`: `7.50`,
		`{"invoicedQuantity":1,"price":{"netPrice":10,"baseQuantity":3}}`:                                                                                            `3.33`,
		`{"invoicedQuantity":1,"price":{"netPrice":10},"allowances":[{"amount":1},{"baseAmount":10,"percentage":"5"}],"charges":[{"baseAmount":2,"percentage":50}]}`: `9.50`,
		// A base is filled in for an amount that is the percentage of it, and for no other.
		`{"invoicedQuantity":1,"price":{"netPrice":10},"allowances":[{"percentage":10,"amount":1}]}`:   `9.00`,
		`{"invoicedQuantity":1,"price":{"netPrice":10},"allowances":[{"percentage":10,"amount":"2"}]}`: `8.00`,
		`{"invoicedQuantity":1,"price":{"netPrice":10},"netAmount":11}`:                                `11`,
	} {
		inv := &model.Invoice{}
		if err := json.Unmarshal([]byte(`{"lines":[{"subLines":[`+line+`]}]}`), inv); err != nil {
			t.Fatal(err)
		}
		compute.Complete(inv, compute.Options{})
		sub := inv.Lines[0].SubLines[0]
		for _, a := range sub.Allowances {
			if fits := a.Amount.Raw == "1" || a.BaseAmount.Raw == "10"; a.Percentage.Present && a.BaseAmount.Present != fits {
				t.Errorf("%s: the base is %q", line, a.BaseAmount.Raw)
			}
		}
		if got := sub.NetAmount.Value.String(); got != want || sub.Identifier.Raw != "1.1" {
			t.Errorf("%s: net amount %s, want %s; identifier %q", line, got, want, sub.Identifier.Raw)
		}
	}
	for _, line := range []string{`{}`, `{"invoicedQuantity":1}`, `{"price":{"netPrice":1}}`, `{"invoicedQuantity":1,"price":{"netPrice":1,"baseQuantity":0}}`} {
		inv := &model.Invoice{}
		if err := json.Unmarshal([]byte(`{"lines":[`+line+`]}`), inv); err != nil {
			t.Fatal(err)
		}
		if compute.Complete(inv, compute.Options{}); inv.Lines[0].NetAmount.Present {
			t.Errorf("%s: the net amount is present, but cannot be computed", line)
		}
	}
}

// The totals are the same as those computed with big.Rat.
func TestAgainstFractions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		inv := &model.Invoice{}
		sum, groups := new(big.Rat), map[string]*big.Rat{}
		for i := range rapid.IntRange(1, 20).Draw(t, "lines") {
			net := rapid.StringMatching(`-?[0-9]{1,12}\.[0-9]{2}`).Draw(t, fmt.Sprint("net ", i))
			rate := rapid.SampledFrom([]string{"19", "7", "5.5", "0"}).Draw(t, fmt.Sprint("rate ", i))
			inv.Lines = append(inv.Lines, model.Line{NetAmount: model.NewAmount(net), Vat: &model.LineVat{CategoryCode: model.NewText("S"), Rate: model.NewNumber(rate)}})
			amount, _ := new(big.Rat).SetString(net)
			sum.Add(sum, amount)
			if groups[rate] == nil {
				groups[rate] = new(big.Rat)
			}
			groups[rate].Add(groups[rate], amount)
		}
		compute.Complete(inv, compute.Options{})
		tax := new(big.Rat)
		for rate, taxable := range groups {
			r, _ := new(big.Rat).SetString(rate)
			// FloatString rounds halves away from zero.
			rounded, _ := new(big.Rat).SetString(new(big.Rat).Mul(taxable, r.Quo(r, big.NewRat(100, 1))).FloatString(2))
			tax.Add(tax, rounded)
		}
		total := new(big.Rat).Add(sum, tax)
		for want, got := range map[*big.Rat]model.Amount{sum: inv.Totals.SumOfLineNetAmounts, tax: inv.Totals.TaxTotalAmount, total: inv.Totals.AmountDueForPayment} {
			if got.Value.String() != want.FloatString(2) {
				t.Fatalf("got %s, want %s", got.Value, want.FloatString(2))
			}
		}
		if len(inv.VatBreakdowns) != len(groups) {
			t.Fatalf("%d groups, want %d", len(inv.VatBreakdowns), len(groups))
		}
	})
}

// Groups are found by category and rate, whatever their number: the result is that of
// looking at all of them.
func TestManyGroups(t *testing.T) {
	rates := []string{"19", "19.0", "7", "", "x", "5.50", "5.5", "0", "0.00", "100", "1000"}
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string) (model.Text, model.Number) {
			var rate model.Number
			if raw := rapid.SampledFrom(rates).Draw(t, label+" rate"); raw != "" {
				rate = model.NewNumber(raw)
			}
			return model.NewText(rapid.SampledFrom([]string{"S", "E", " S"}).Draw(t, label+" category")), rate
		}
		inv := &model.Invoice{}
		for i := range rapid.IntRange(0, 12).Draw(t, "lines") {
			l := model.Line{NetAmount: model.NewAmount("1.00"), Vat: &model.LineVat{}}
			l.Vat.CategoryCode, l.Vat.Rate = draw(fmt.Sprint("line ", i))
			inv.Lines = append(inv.Lines, l)
		}
		for i := range rapid.IntRange(0, 4).Draw(t, "entries") {
			b := model.VatBreakdown{}
			b.CategoryCode, b.Rate = draw(fmt.Sprint("entry ", i))
			inv.VatBreakdowns = append(inv.VatBreakdowns, b)
		}
		stated := len(inv.VatBreakdowns)
		compute.Complete(inv, compute.Options{})
		for _, l := range inv.Lines {
			entries := 0
			for i, b := range inv.VatBreakdowns {
				if !sameCategory(l.Vat.CategoryCode, b.CategoryCode) {
					continue
				}
				if sameRate(&l.Vat.Rate, &b.Rate) || i < stated && !b.Rate.Present {
					entries++
				}
			}
			if entries == 0 {
				t.Fatalf("no entry is for a line with %q %q", l.Vat.CategoryCode.Raw, l.Vat.Rate.Raw)
			}
		}
		for _, b := range inv.VatBreakdowns[stated:] {
			taxable := 0
			for _, l := range inv.Lines {
				if sameCategory(l.Vat.CategoryCode, b.CategoryCode) && sameRate(&l.Vat.Rate, &b.Rate) {
					taxable++
				}
			}
			if want := fmt.Sprintf("%d.00", taxable); b.Rate.Present && b.TaxableAmount.Raw != want {
				t.Fatalf("the taxable amount of %q %q is %s, want %s", b.CategoryCode.Raw, b.Rate.Raw, b.TaxableAmount.Raw, want)
			}
		}
	})
}

func sameCategory(a, b model.Text) bool { return strings.TrimSpace(a.Raw) == strings.TrimSpace(b.Raw) }

func sameRate(a, b *model.Number) bool {
	if a.Valid && b.Valid {
		return a.Value.Equal(b.Value)
	}
	return a.Present == b.Present && a.Raw == b.Raw
}

// Lines without an identifier get one that no other line has.
func TestIdentifiersDiffer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		inv := &model.Invoice{}
		for i := range rapid.IntRange(1, 12).Draw(t, "lines") {
			l := model.Line{}
			if id := rapid.SampledFrom([]string{"", "", "1", "2", "3", "5", "2.1"}).Draw(t, fmt.Sprint("identifier ", i)); id != "" && !slices.ContainsFunc(inv.Lines, func(l model.Line) bool { return l.Identifier.Raw == id }) {
				l.Identifier = model.NewText(id)
			}
			l.SubLines = make([]model.Line, rapid.IntRange(0, 2).Draw(t, fmt.Sprint("sub lines ", i)))
			inv.Lines = append(inv.Lines, l)
		}
		compute.Complete(inv, compute.Options{})
		seen := map[string]bool{}
		inv.EachLine(func(l, _ *model.Line) {
			if id := l.Identifier.Raw; id == "" || seen[id] {
				t.Fatalf("a line is called %q, as another or none", id)
			}
			seen[l.Identifier.Raw] = true
		})
	})
}

// A distinct rate a line and allowance costs what a line costs: compare 1,000 with 8,000.
func BenchmarkRates(b *testing.B) {
	for _, n := range []int{1000, 8000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				inv := &model.Invoice{}
				for i := range n {
					rate := model.NewNumber(fmt.Sprintf("%d.%d", i/100, i%100))
					inv.Lines = append(inv.Lines, model.Line{NetAmount: model.NewAmount("1.00"), Vat: &model.LineVat{CategoryCode: model.NewText("S"), Rate: rate}})
				}
				compute.Complete(inv, compute.Options{})
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n), "us/line")
		})
	}
}
