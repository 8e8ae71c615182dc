package candidate

import (
	"slices"
	"strings"

	"einvoice/formats/parse/layout"
)

// A VatRow is one group of the VAT breakdown (BG-23).
type VatRow struct {
	Base, Tax Total
	Rate      int64
	Printed   []*layout.Word // of the rate
	Category  Printed
}

// EmptyVatRow reads a group without an amount, "0 % 0,00 0,00" or "0,00 0 % 0,00", the
// sign left out or not; totals may follow in the row.
func (d *Pages) EmptyVatRow(r *layout.Row, numbers []Number) (out VatRow, ok bool) {
	isEmpty := func(n *Number) bool { return !n.Percent && n.Value == 0 && n.HasCents() }
	for i := 0; i+2 < len(numbers); i++ {
		for at := range 2 { // of the rate, before the base or behind it
			rate, base, tax := &numbers[i+at], &numbers[i+1-at], &numbers[i+2]
			isBare := rate.Value == 0 && rate.Currency == "" && (rate.Decimals == 0 || len(numbers) == 3) // in a column of rates
			if (rate.Percent || isBare) && IsRate(rate) && isEmpty(base) && isEmpty(tax) {
				return VatRow{Base: d.TotalOf(r, base), Tax: d.TotalOf(r, tax), Rate: rate.Value, Printed: rate.Words}, true
			}
		}
	}
	return VatRow{}, false
}

// maxReadings is how many ways there are at most to read a row as a group of VAT: two
// bases may be so near to each other that the tax is of both.
const maxReadings = 3

// VatRowsOf are the ways to read a row as a group of VAT.
func (d *Pages) VatRowsOf(r *layout.Row, numbers []Number) (found []VatRow) {
	isPercentage := func(n Number) bool { return n.Percent }
	hasSign := slices.ContainsFunc(numbers, isPercentage)
	for i := range numbers {
		rate := inBrackets(&numbers[i])
		if !IsRate(rate) || hasSign && !rate.Percent { // a total beside the group, as a VAT of 6.03
			continue
		}
		for j := range numbers {
			for k := range numbers {
				base, tax := &numbers[j], &numbers[k]
				if i == j || i == k || j == k || base.Percent || tax.Percent || base.Value == 0 || !tax.HasCents() || !base.HasCents() {
					continue
				}
				if len(found) < maxReadings && isTax(tax.Value, base.Value, rate.Value) {
					found = append(found, VatRow{Base: d.TotalOf(r, base), Tax: d.TotalOf(r, tax), Rate: rate.Value, Printed: rate.Words})
				} else if len(found) < maxReadings && d.Layout.Pages[r.Page-1].Recognised && isTax(-tax.Value, base.Value, rate.Value) { // one minus was not recognised
					found = append(found, VatRow{Base: d.negative(r, base), Tax: d.negative(r, tax), Rate: rate.Value, Printed: rate.Words})
				}
			}
		}
	}
	return found
}

// inBrackets is a number that is negative only because it is in brackets, as a rate in VAT (19.00).
func inBrackets(n *Number) *Number {
	if n.Value < 0 && strings.HasPrefix(n.Words[0].Text, "(") {
		rate := *n
		rate.Value = -n.Value
		return &rate
	}
	return n
}

// isTax reports whether an amount is a rate of a base, rounded to the cent.
func isTax(tax, base, rate int64) bool { return IsTax(tax, base, rate, Cent) }

// IsTax reports whether an amount is a rate of a base within what rounding may be or, where both are
// whole, rounded to whole units, as of currencies without cents.
func IsTax(tax, base, rate, within int64) bool {
	off := Abs(Share(base, rate) - tax)
	return off <= within || tax%UnitsPerOne == 0 && base%UnitsPerOne == 0 && tax != 0 && off <= UnitsPerOne/2
}

// IsRate reports whether a number can be a rate of VAT.
func IsRate(n *Number) bool {
	return n.Value >= 0 && n.Value <= 30*UnitsPerOne && (n.Percent || n.Currency == "" && n.Decimals <= 2)
}

// TotalOf is the total that a number of a row is.
func (d *Pages) TotalOf(r *layout.Row, n *Number) Total {
	return Total{n.Value, &Amount{Number: *n, Row: r}, true}
}

// negative is a total below zero whose minus may not have been recognised.
func (d *Pages) negative(r *layout.Row, n *Number) Total {
	t := d.TotalOf(r, n)
	if n.Value > 0 {
		t.Value, t.From.Value, t.From.ReadAs = -n.Value, -n.Value, AmountText(n.Value)
	}
	return t
}
