package lines_test

import (
	"fmt"
	"strings"
	"testing"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/drawn"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lines"
	"einvoice/formats/pdf/text"
)

func read(rows ...string) *lines.Table {
	return lines.Read(candidate.Of([]text.Sheet{drawn.Sheet(rows...)}), 100, false)
}

// linesOf are lines as quantity x price = amount, and their names.
func linesOf(all []lines.Line) string {
	var out []string
	for i := range all {
		l := &all[i]
		quantity, price, net := l.Numbers["quantity"], l.Numbers["unitPrice"], l.Numbers["lineNet"]
		out = append(out, fmt.Sprintf("%s: %s x %s = %s", layout.TextOf(l.Name), quantity.Decimal(), price.Decimal(), net.Decimal()))
	}
	return strings.Join(out, "; ")
}

// Heads are centred above wide columns, some of which are empty, or have a name that nobody knows.
func TestColumnsAreFitted(t *testing.T) {
	for name, c := range map[string]struct {
		rows []string
		want string
	}{
		"an empty column before the names": {
			[]string{
				"100|50 Invoice", "150|52 Ref.|150 Description|>330 Qty|>420 Unit price|>520 Amount",
				"170|80 Chair 7|>330 2|>420 10.00|>520 20.00", "190|80 Table|>330 1|>420 99.00|>520 99.00",
				"230|>450 Net total|>520 119.00",
			},
			"Chair 7: 2 x 10.00 = 20.00; Table: 1 x 99.00 = 99.00",
		},
		"names below an unknown head": {
			[]string{
				"100|50 Invoice", "150|50 Subscriptions|>330 Qty|>420 Unit price|>520 Amount",
				"170|50 Hotspot 4G blue|>330 2|>420 10.00|>520 20.00", "190|50 Line|>330 1|>420 99.00|>520 99.00",
				"230|>450 Net total|>520 119.00",
			},
			"Hotspot 4G blue: 2 x 10.00 = 20.00; Line: 1 x 99.00 = 99.00",
		},
		"amounts in the second row, and what a price is for": {
			[]string{
				"100|50 Invoice", "150|50 Pos|80 Item code|180 Description|>330 Qty|340 Unit|>420 Price|>460 per|>520 Amount",
				"170|50 10|80 AB-1|180 Chair", "182|>330 2|340 pcs|>420 10.00|>460 1|>520 20.00",
				"200|50 20|80 AB-2|180 Screws", "212|>330 300|340 pcs|>420 5.00|>460 100|>520 15.00",
				"240|>450 Net total|>520 35.00",
			},
			"Chair: 2 x 10.00 = 20.00; Screws: 300 x 5.00 = 15.00",
		},
		"words behind a rate": {
			[]string{
				"100|50 Invoice", "150|50 Description|>330 Qty|>400 Price|>450 VAT|>520 Amount",
				"170|50 [AB-1] Chair|>330 2|>400 10.00|>450 21% VAT|>520 20.00",
				"200|>450 Net total|>520 20.00",
			},
			"Chair: 2 x 10.00 = 20.00",
		},
		"an amount beside the lines": {
			[]string{
				"100|50 Invoice", "150|50 Description|>330 Qty|>400 Price|>520 Amount",
				"170|50 Chair|>330 2|>400 10.00|>520 20.00", "190|50 Table|>330 1|>400 99.00|>520 99.00",
				"210|350 Courier|>520 6.00", "230|350 Net total|>520 125.00",
			},
			"Chair: 2 x 10.00 = 20.00; Table: 1 x 99.00 = 99.00",
		},
		"without a head, the name above": {
			[]string{"100|50 Invoice", "150|50 Advice", "162|50 3 hrs at 40.00|>520 120.00", "200|>450 Net total|>520 120.00"},
			"Advice: 3 x 40.00 = 120.00",
		},
	} {
		if got := linesOf(read(c.rows...).Lines); got != c.want {
			t.Errorf("%s: the lines are %s, want %s", name, got, c.want)
		}
	}
}
