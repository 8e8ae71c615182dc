package parse_test

import (
	"fmt"
	"slices"
	"testing"
)

// Where the rows of net total, VAT and total have two columns that add up, nobody can tell which is meant, whatever their
// order and their names. A column that is the sum of those before it is the total.
func TestTotalsInTwoColumns(t *testing.T) {
	head := []string{"Weserkran Verleih GmbH", "Kai 4", "20095 Hamburg", "", "Glasbau Ottersberg GmbH", "Marktgasse 2", "04109 Leipzig", "", "Rechnungskorrektur RK-26-77", "Datum: 26.11.2026", ""}
	row := func(label string, amounts ...int) string {
		for i, a := range amounts {
			sign := ""
			if a < 0 {
				sign, a = "-", -a
			}
			label += fmt.Sprintf("|>%d %s%d,%02d", 300+100*i, sign, a/100, a%100)
		}
		return label
	}
	for _, net := range [][]int{{148000, 124000, -24000}, {148000, 124000, 24000}, {124000, 148000}, {24000, 148000, 124000}, {100, 90000, 5000}} {
		var vat, gross []int
		for _, n := range net {
			vat, gross = append(vat, n*19/100), append(gross, n+n*19/100)
		}
		r, err := tryRows(t, slices.Concat(head, []string{row("Netto", net...), row("USt 19 %", vat...), row("Brutto", gross...)})...)
		if err != nil {
			t.Errorf("%v: %v", net, err)
			continue
		}
		for pointer, f := range r.Fields {
			if len(pointer) > 8 && pointer[:8] == "/totals/" && f.Confidence >= 0.95 {
				t.Errorf("%v: %s is %s, for sure", net, pointer, f.Value)
			}
		}
	}
	r, err := tryRows(t, slices.Concat(head, []string{row("Netto", 10000, 20000, 30000), row("USt", 1900, 1400, 3300), row("Brutto", 11900, 21400, 33300)})...)
	if err != nil || r.Fields["/totals/totalAmountWithVat"] == nil || r.Fields["/totals/totalAmountWithVat"].Value != "333.00" {
		t.Errorf("the sum of two rates: %v %v", r, err)
	}
}
