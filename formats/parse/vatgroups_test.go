package parse_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"einvoice/model/sampled"
)

// Groups of which all amounts are zero have the rates that are printed, and none of their zeros is a rate.
func TestGroupsOfZero(t *testing.T) {
	r := rand.New(rand.NewPCG(29, 7))
	for range sampled.Of(60, 4) {
		rates := []int{5 + r.IntN(5), 11 + r.IntN(15)}[:1+r.IntN(2)]
		rows := slices.Concat(headOfTable, []string{
			"220|50 Description|>330 Quantity|>420 Unit price|>460 VAT|>540 Amount", fmt.Sprintf("234|50 Samples|>330 %d|>420 0.00|>460 %d %%|>540 0.00", 2+r.IntN(9), rates[0]),
			"280|50 VAT rate|>200 Base|>280 VAT|330 Net total|>540 0.00", "294|330 VAT|>540 0.00",
		})
		for i, rate := range rates {
			total := ""
			if i == 0 { // beside the first group
				total = "|330 Invoice total|>540 0.00"
			}
			rows = append(rows, fmt.Sprintf("%d|50 %d %%|>200 0.00|>280 0.00%s", 308+14*i, rate, total))
		}
		for pointer, f := range readPage(t, rows).Fields {
			if isRate := strings.HasPrefix(pointer, "/vatBreakdowns/") && strings.HasSuffix(pointer, "/rate"); isRate && f.Confidence >= sureFrom && !slices.ContainsFunc(rates, func(rate int) bool { return f.Value == fmt.Sprint(rate) }) {
				t.Errorf("%s is %s with %.2f: %q", pointer, f.Value, f.Confidence, rows)
			}
		}
	}
}

// What is not subject to VAT has no rate (BR-O-05), neither in the breakdown nor in a line.
func TestOutsideOfVat(t *testing.T) {
	r := rand.New(rand.NewPCG(29, 8))
	for range sampled.Of(60, 4) {
		s := madeSum(r)
		said := anyOf(r, "Not subject to VAT", "Nicht steuerbar", "Hors champ de la TVA", "Nie podlega VAT", "Niet onderworpen aan btw")
		rows := slices.Concat(headOfTable, []string{"220|50 Description|>330 Quantity|>420 Unit price|>540 Amount"})
		for i := range s.quantity {
			rows = append(rows, fmt.Sprintf("%d|50 Advice|>330 %d|>420 %s|>540 %s", 234+14*i, s.quantity[i], inCents(s.price[i]), inCents(s.amount[i])))
		}
		rows = append(rows, "340|330 Net total|>540 "+inCents(s.net), "354|330 VAT|>540 0.00", "368|330 Invoice total|>540 "+inCents(s.net), "400|50 "+said)
		read := readPage(t, rows)
		for pointer, f := range read.Fields {
			if strings.HasSuffix(pointer, "/rate") {
				t.Errorf("%s is %s with %.2f: %q", pointer, f.Value, f.Confidence, rows)
			}
		}
		if valueOf(read, "/vatBreakdowns/0/categoryCode") != "O" {
			t.Errorf("%s is no category: %q", said, rows)
		}
	}
}

// Where the totals do not close, a group of VAT that has them for its base and its tax is no surer than they are.
func TestGroupOfOpenTotals(t *testing.T) {
	r := rand.New(rand.NewPCG(29, 9))
	for range sampled.Of(60, 4) {
		s := madeSum(r)
		off := 100 + r.IntN(9000)
		rows := slices.Concat(headOfTable, []string{"220|50 Description|>330 Quantity|>420 Unit price|>540 Amount"})
		for i := range s.quantity {
			rows = append(rows, fmt.Sprintf("%d|50 Advice|>330 %d|>420 %s|>540 %s", 234+14*i, s.quantity[i], inCents(s.price[i]), inCents(s.amount[i])))
		}
		rows = append(rows, "340|330 Net total|>540 "+inCents(s.net+off), "354|330 VAT 0 %|>540 0.00", "368|330 Invoice total|>540 "+inCents(s.net), "400|50 "+anyOf(r, "Reverse charge", "Intra-community supply, exempt"))
		for pointer, f := range readPage(t, rows).Fields {
			if isAmount := strings.HasSuffix(pointer, "/taxableAmount"); isAmount && f.Confidence >= sureFrom {
				t.Errorf("%s is %s with %.2f: %q", pointer, f.Value, f.Confidence, rows)
			}
		}
	}
}
