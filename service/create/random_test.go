package create_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"testing"

	"einvoice/model"
	"einvoice/service/create"
	"einvoice/service/internal/kittest"
	"einvoice/service/write"

	"pgregory.net/rapid"
)

// arithmetic are the rules about totals, breakdown and decimals that computed
// amounts can never violate.
var arithmetic = regexp.MustCompile(`^BR-(CO-1[0-7]|DEC-[0-9]+|(S|Z|E|AE|IC|G|O|AF|AG)-(01|08|09))$`)

// rates are VAT categories with a rate that they allow. Rates below 0.5 are left
// out: the published BR-CO-17 rounds them to 0 and wants no VAT then.
var rates = []struct{ category, rate string }{
	{"S", "19"}, {"S", "7"}, {"S", "7.00"}, {"S", "5.5"}, {"S", "2.1"}, {"Z", "0"}, {"E", "0"}, {"AE", "0"}, {"K", "0.00"}, {"G", "0"}, {"L", "3"}, {"M", "4"},
}

func TestComputedAmountsAreRight(t *testing.T) {
	creator := kittest.Kit(t)
	data := smallest(t, map[string]any{"invoice.typeCode": "380"})
	rapid.Check(t, func(t *rapid.T) {
		r, err := create.ReadRequest(t.Context(), data)
		if err != nil {
			t.Fatal(err)
		}
		fill(t, r.Invoice)
		for _, format := range []string{"ubl", "cii"} {
			_, err := create.Document(context.Background(), creator.Pages, format, r)
			refused, ok := errors.AsType[*write.Refused](err)
			if err != nil && !ok {
				t.Fatal(err)
			}
			if !ok {
				continue
			}
			for _, f := range refused.Report.Findings {
				if arithmetic.MatchString(f.Rule) && !(f.Rule == "BR-E-01" && format == "cii") { // see verdictsDiffer
					t.Fatalf("%s in %s: %s", f.Rule, format, f.Message)
				}
			}
		}
	})
}

// fill gives an invoice lines, allowances, charges and payments of any amounts.
// Allowances and charges are of what lines are.
func fill(t *rapid.T, inv *model.Invoice) {
	amount := func(name string) string {
		return rapid.StringMatching(`-?[0-9]{1,7}(\.[0-9]{1,2})?`).Draw(t, name)
	}
	notSubject := rapid.IntRange(0, 9).Draw(t, "not subject") == 0
	vat := func(name string) (model.Text, model.Number) {
		if notSubject {
			return model.NewText("O"), model.Number{}
		}
		r := rapid.SampledFrom(rates).Draw(t, name)
		return model.NewText(r.category), model.NewNumber(r.rate)
	}
	item := inv.Lines[0].Item
	inv.Lines = nil
	for i := range rapid.IntRange(1, 6).Draw(t, "lines") {
		name := "line " + strconv.Itoa(i)
		category, rate := vat(name)
		l := model.Line{
			InvoicedQuantity: model.NewNumber(rapid.StringMatching(`[0-9]{1,3}(\.[0-9]{1,3})?`).Draw(t, name+" quantity")), InvoicedQuantityUnitCode: model.NewText("C62"),
			Price: &model.Price{NetPrice: model.NewAmount(rapid.StringMatching(`[0-9]{1,5}(\.[0-9]{1,4})?`).Draw(t, name+" price"))},
			Vat:   &model.LineVat{CategoryCode: category, Rate: rate}, Item: item,
		}
		if rapid.Bool().Draw(t, name+" base quantity") {
			l.Price.BaseQuantity = model.NewNumber(fmt.Sprint(rapid.IntRange(1, 1000).Draw(t, name+" base")))
		}
		if rapid.Bool().Draw(t, name+" allowance") {
			l.Allowances = []model.LineAllowance{{BaseAmount: model.NewAmount(amount(name + " allowance base")), Percentage: model.NewNumber("12.5"), Reason: model.NewText("r")}}
		}
		inv.Lines = append(inv.Lines, l)
	}
	for i := range rapid.IntRange(0, 2).Draw(t, "allowances") {
		category, rate := vat("allowance " + strconv.Itoa(i))
		inv.Allowances = append(inv.Allowances, model.DocumentAllowance{Amount: model.NewAmount(amount("allowance")), Vat: &model.AllowanceVat{CategoryCode: category, Rate: rate}, Reason: model.NewText("r")})
	}
	for i := range rapid.IntRange(0, 2).Draw(t, "charges") {
		category, rate := vat("charge " + strconv.Itoa(i))
		inv.Charges = append(inv.Charges, model.DocumentCharge{BaseAmount: model.NewAmount(amount("charge")), Percentage: model.NewNumber("3.33"), Vat: &model.ChargeVat{CategoryCode: category, Rate: rate}, Reason: model.NewText("r")})
	}
	inv.Totals = &model.Totals{}
	if rapid.Bool().Draw(t, "paid") {
		inv.Totals.PaidAmount = model.NewAmount(amount("paid amount"))
	}
	if rapid.Bool().Draw(t, "rounded") {
		inv.Totals.RoundingAmount = model.NewAmount(rapid.StringMatching(`-?0\.0[0-9]`).Draw(t, "rounding"))
	}
}
