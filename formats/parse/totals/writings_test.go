package totals

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"einvoice/formats/parse/candidate"
)

// A writing is how a country or a program writes amounts.
type writing struct {
	code, sign     string
	decimals       int
	group, decimal string
	before         bool
	glued          bool
}

var writings = []writing{
	{"INR", "₹", 2, "lakh", ".", true, true},
	{"INR", "INR", 2, "lakh", ".", true, false},
	{"INR", "₹", 0, "lakh", ".", true, true},
	{"KRW", "₩", 0, ",", ".", true, true},
	{"JPY", "￥", 0, ",", ".", true, true},
	{"ILS", "₪", 2, ",", ".", true, true},
	{"TRY", "₺", 2, ".", ",", true, true},
	{"TRY", "₺", 2, ".", ",", false, false},
	{"THB", "฿", 2, ",", ".", true, true},
	{"VND", "₫", 0, ".", ",", false, false},
	{"VND", "VND", 0, ",", ".", false, false},
	{"IDR", "Rp", 0, ".", ",", true, false},
	{"MYR", "RM", 2, ",", ".", true, false},
	{"UAH", "грн", 2, " ", ",", false, false},
	{"BGN", "лв", 2, " ", ",", false, false},
	{"RSD", "RSD", 2, ".", ",", false, false},
	{"RSD", "RSD", 0, ".", ",", false, false},
	{"COP", "COP", 0, ".", ",", true, false},
	{"XOF", "FCFA", 0, " ", ",", false, false},
	{"HUF", "Ft", 0, " ", ",", false, false},
	{"HUF", "Ft", 0, ".", ",", false, false},
	{"CZK", "Kč", 0, " ", ",", false, false},
	{"EUR", "€", 0, ".", ",", false, false},
	{"EUR", "€", 0, " ", ",", false, false},
	{"EUR", "€", 2, ".", "'", false, false},
	{"USD", "$", 0, ",", ".", true, true},
	{"CHF", "CHF", 2, "’", ".", true, false},
	{"PKR", "PKR", 2, ",", ".", true, false},
}

// number writes a number in units of its last decimal.
func (w *writing) number(value int64, decimals int) string {
	sign := ""
	if value < 0 {
		sign, value = "-", -value
	}
	digits := fmt.Sprintf("%0*d", decimals+1, value)
	whole, fraction := digits[:len(digits)-decimals], digits[len(digits)-decimals:]
	var groups []string
	group, size := w.group, 3
	for len(whole) > size {
		groups = append(groups, whole[len(whole)-size:])
		whole = whole[:len(whole)-size]
		if w.group == "lakh" {
			group, size = ",", 2
		}
	}
	if w.group == "lakh" {
		group = ","
	}
	groups = append(groups, whole)
	slices.Reverse(groups)
	out := sign + strings.Join(groups, group)
	if decimals > 0 {
		out += w.decimal + fraction
	}
	return out
}

func (w *writing) amount(value int64) string {
	space := " "
	if w.glued {
		space = ""
	}
	if w.before {
		return w.sign + space + w.number(value, w.decimals)
	}
	return w.number(value, w.decimals) + space + w.sign
}

// Amounts of all countries are read as they are written: whatever groups their digits, with or without decimals, and the sign of
// any currency before or behind them.
func TestWritings(t *testing.T) {
	r := rand.New(rand.NewPCG(29, 16))
	unit := map[int]int64{0: candidate.UnitsPerOne, 2: candidate.Cent}
	for range 25 {
		for _, w := range writings {
			rows := []string{"60|50 Invoice", "120|50 Description|>300 Qty|>400 Unit price|>520 Amount"}
			var net int64
			var amounts []string
			for i := range 2 + r.IntN(3) {
				quantity, price := int64(2+r.IntN(90)), int64(12_345+r.IntN([]int{900_000, 9_000_000}[r.IntN(2)]))
				amount := quantity * price
				shown := w.number(amount, w.decimals)
				if i%2 == 0 {
					shown = w.amount(amount)
				}
				rows = append(rows, fmt.Sprintf("%d|50 %s|>300 %d|>400 %s|>520 %s", 140+16*i, []string{"Chair 6x0,75 l", "Steel bracket", "Paper 2.50 kg", "Cable drum"}[i], quantity, w.number(price, w.decimals), shown))
				net += amount
				amounts = append(amounts, candidate.AmountText(amount*unit[w.decimals]))
			}
			vat := (net + 2) / 5
			rows = append(rows, "230|50 Net total|>520 "+w.amount(net), "246|50 VAT 20 %|>520 "+w.amount(vat), "262|50 Total|>520 "+w.amount(net+vat))
			d := drawing(rows...)
			want := fmt.Sprintf("%s + %s = %s", candidate.AmountText(net*unit[w.decimals]), candidate.AmountText(vat*unit[w.decimals]), candidate.AmountText((net+vat)*unit[w.decimals]))
			var got []string
			for i := range d.Lines {
				got = append(got, candidate.AmountText(d.Lines[i].Numbers["lineNet"].Value))
			}
			if totalsOf(d) != want || d.Currency.Value != w.code || !slices.Equal(got, amounts) || len(d.Vat) != 1 {
				t.Errorf("%s: %s %s, lines %v, %d groups, not %s %s, lines %v", strings.Join(rows, " / "), totalsOf(d), d.Currency.Value, got, len(d.Vat), want, w.code, amounts)
			}
		}
	}
}

// A sign that several currencies have is one of them, and sure only where the pages name it.
func TestSharedSigns(t *testing.T) {
	for _, c := range []struct {
		sign, code, want string
		isShared         bool
	}{
		{"¥", "", "JPY", true}, {"¥", "CNY", "CNY", false}, {"¥", "JPY", "JPY", false},
		{"Rs", "", "INR", true}, {"Rs", "PKR", "PKR", false}, {"$", "", "USD", true}, {"$", "CLP", "CLP", false}, {"$", "COP", "COP", false},
		{"FCFA", "", "XOF", true}, {"FCFA", "XAF", "XAF", false}, {"€", "", "EUR", false}, {"₪", "", "ILS", false},
	} {
		d := drawing("60|50 Invoice", "100|50 Prices in "+c.code, "160|50 Net total|>520 "+c.sign+" 1,000.00", "176|50 VAT 20 %|>520 "+c.sign+" 200.00", "192|50 Total|>520 "+c.sign+" 1,200.00")
		if d.Currency.Value != c.want || d.SharedSign != c.isShared {
			t.Errorf("%s with %q is %s, shared %v", c.sign, c.code, d.Currency.Value, d.SharedSign)
		}
	}
}

// Totals in two currencies, side by side, are those of the lines; where no lines say which, the currency is not sure.
func TestTwoCurrencies(t *testing.T) {
	r := rand.New(rand.NewPCG(29, 17))
	for range 200 {
		quantity, price, course := int64(2+r.IntN(50)), int64(10_000+r.IntN(90_000)), int64(30+r.IntN(900))
		net := quantity * price
		vat := net / 5
		first, second := &writing{"EUR", "EUR", 2, ",", ".", false, false}, &writing{"CZK", "CZK", 2, ",", ".", false, false}
		both := func(of int64) string { return first.amount(of) + "|>560 " + second.amount(of*course/100) }
		totals := []string{"230|50 Net total|>420 " + both(net), "246|50 VAT 20 %|>420 " + both(vat), "262|50 Total|>420 " + both(net+vat)}
		lines := []string{"60|50 Invoice", "120|50 Description|>200 Qty|>300 Unit price|>420 Amount",
			fmt.Sprintf("140|50 Chair|>200 %d|>300 %s|>420 %s", quantity, first.number(price, 2), first.number(net, 2))}
		if d := drawing(append(lines, totals...)...); d.Currency.Value != "EUR" || d.Chain.Net.Value != net*candidate.Cent || d.SharedSign {
			t.Errorf("%v: %s %s, shared %v", totals, totalsOf(d), d.Currency.Value, d.SharedSign)
		}
		if d := drawing(append(lines[:1], totals...)...); !d.SharedSign {
			t.Errorf("%v without lines: %s %s is sure", totals, totalsOf(d), d.Currency.Value)
		}
	}
}

// Lines without a head whose amounts alone have a minus, as on a credit note, are lines.
func TestLinesOfCredits(t *testing.T) {
	r := rand.New(rand.NewPCG(29, 18))
	for range 10 {
		for _, w := range writings {
			rows := []string{"60|50 Credit note"}
			var want []string
			var net int64
			for i := range 2 + r.IntN(3) {
				quantity, price := int64(2+r.IntN(90)), int64(23_456+r.IntN(900_000))
				rows = append(rows, fmt.Sprintf("%d|50 %d pcs|>200 %s|>380 %s|>540 %s", 140+16*i, quantity, []string{"Chair", "Steel bracket", "Paper", "Cable drum"}[i], w.number(price, w.decimals), w.number(-quantity*price, w.decimals)))
				net -= quantity * price
				want = append(want, fmt.Sprint(net))
			}
			vat := net / 5
			d := drawing(append(rows, "230|50 Net total|>540 "+w.amount(net), "246|50 VAT 20 %|>540 "+w.amount(vat), "262|50 Total|>540 "+w.amount(net+vat))...)
			if len(d.Lines) != len(want) || d.LineSum() != d.Chain.Net.Value || d.Chain.Net.Value >= 0 {
				t.Errorf("%s: %d lines of %d come to %s, not %s", strings.Join(rows, " / "), len(d.Lines), len(want), candidate.AmountText(d.LineSum()), totalsOf(d))
			}
		}
	}
}

// What was paid is read from totals side by side, with a minus, in brackets and without.
func TestPaidBesideTotals(t *testing.T) {
	r := rand.New(rand.NewPCG(29, 19))
	for range 200 {
		net := int64(10_000 + r.IntN(9_000_000))
		vat := (net + 2) / 5
		gross := net + vat
		paid := gross * int64(1+r.IntN(9)) / 10
		w := &writing{"EUR", "", 2, ",", ".", true, true}
		for _, shown := range []string{w.number(paid, 2), w.number(-paid, 2), "(" + w.number(paid, 2) + ")", w.number(paid, 2) + "-"} {
			row := "220"
			for i, amount := range []string{w.number(net, 2), w.number(vat, 2), w.number(gross, 2), shown, w.number(gross-paid, 2)} {
				row += fmt.Sprintf("|>%d %s", 110+110*i, amount)
			}
			d := drawing("60|50 Invoice", "200|>110 Net total|>220 VAT 20 %|>330 Total|>440 Paid|>550 Amount due", row)
			if got := d.Chain; got.Paid.Value != paid*candidate.Cent || got.Due.Value != (gross-paid)*candidate.Cent {
				t.Errorf("%s: paid %s, due %s", row, candidate.AmountText(got.Paid.Value), candidate.AmountText(got.Due.Value))
			}
		}
	}
}
