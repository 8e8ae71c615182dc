package printed_test

import (
	"testing"

	"einvoice/model"
	"einvoice/service/validate/printed"
)

// An amount is found however people write it, and not within another.
func TestPrinted(t *testing.T) {
	const around = "A page with enough words to be one of text "
	for _, c := range []struct{ amount, text, want string }{
		{"119.00", "Total: 119,00 EUR", "119,00"},
		{"119.00", "EUR119.00", "119.00"},
		{"119.00", "Total 119", "119"},
		{"119", "Total 119,-", "119,-"},
		{"119.00", "Total 119.", "119"},
		{"119.5", "119,50", "119,50"},
		{"119.50", "119,5", ""},
		{"1234.50", "1.234,50", "1.234,50"},
		{"1234.50", "1,234.50", "1,234.50"},
		{"1234.50", "1\u00a0234,50 €", "1\u00a0234,50"},
		{"1234.50", "1’234.50", "1’234.50"},
		{"1234.50", "1234,50", "1234,50"},
		{"1234567.89", "1.234.567,89", "1.234.567,89"},
		{"-20.00", "-20,00", "20,00"},
		{"-20.00", "20,00-", "20,00"},
		{"0.5", "0,50", "0,50"},
		{"119.00", "9.119,00", ""},
		{"119.00", "2119,00", ""},
		{"119.00", "119,50", ""},
		{"119.00", "119,001", ""},
		{"119.00", "1190", ""},
		{"119.50", "Nr. 119.50.7", ""},
	} {
		invoice := &model.Invoice{Totals: &model.Totals{AmountDueForPayment: model.NewAmount(c.amount)}}
		got := printed.AmountDue([]string{around, c.text}, invoice)
		if got == nil || got.AmountDue.Raw != c.want || got.AmountDue.Present != (c.want != "") {
			t.Errorf("%s in %q: %+v, want %q", c.amount, c.text, got, c.want)
		}
	}
	invoice := &model.Invoice{Totals: &model.Totals{AmountDueForPayment: model.NewAmount("119.00")}}
	for _, pages := range [][]string{nil, {"", ""}, {"1 / 2"}} {
		if got := printed.AmountDue(pages, invoice); got != nil {
			t.Errorf("%q: of pages without text nothing can be said, not %+v", pages, got)
		}
	}
	invoice.Totals.AmountDueForPayment = model.NewAmount("much")
	if got := printed.AmountDue([]string{around}, invoice); got != nil {
		t.Errorf("of what is not an amount nothing can be said, not %+v", got)
	}
}
