package parse

import (
	"strings"
	"testing"

	"einvoice/formats/pdf/text"
)

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
		if got := drawing(t, c.rows...).linesOf(); got != c.want {
			t.Errorf("%s: the lines are %s, want %s", name, got, c.want)
		}
	}
}

func TestLeaders(t *testing.T) {
	for printed, want := range map[string]string{
		"Total........12.50": "Total 12.50", "........": "", ".": "", "VAT234.77": "VAT 234.77", ".1,234.77": "1,234.77",
		"EUR234.77": "EUR234.77", "Total": "Total", "RE2026.11": "RE2026.11", "20.11.2026": "20.11.2026",
	} {
		var parts []string
		for _, part := range withoutLeaders(text.Word{Text: printed, Box: text.Box{Right: 100}}) {
			parts = append(parts, part.Text)
		}
		if got := strings.Join(parts, " "); got != want {
			t.Errorf("%s is read as %q, want %q", printed, got, want)
		}
	}
}

func TestLettersSetApart(t *testing.T) {
	for printed, want := range map[string]string{
		"R E C H N U N G 4711": "RECHNUNG 4711", "A B C": "A B C", "a b c d": "a b c d", "Nr. I N V O I C E": "Nr. INVOICE",
	} {
		if got := textOf(joinSpaced(wordsOf(printed))); got != want {
			t.Errorf("%s is read as %q, want %q", printed, got, want)
		}
	}
}

// What is due is printed, and what was paid is not; the base of a rate is no tax.
func TestTotalsOfOthers(t *testing.T) {
	d := drawing(t, "100|50 Invoice", "150|50 Net total|>520 100.00", "165|50 VAT 19 % on 100.00|>520 19.00", "180|50 Invoice total|>520 119.00", "195|50 Balance due|>520 39.00")
	if got := d.totalsOf(); got != "100.00 + 19.00 = 119.00" {
		t.Errorf("the totals are %s", got)
	}
	if c := d.chain; amountText(c.due.value) != "39.00" || amountText(c.paid.value) != "80.00" || c.paid.from != nil {
		t.Errorf("due is %s after %s was paid, and the payment is computed: %v", amountText(c.due.value), amountText(c.paid.value), c.paid.from == nil)
	}
	lines := []string{
		"100|50 Invoice", "150|50 Description|>300 Qty|>380 VAT|>520 Amount incl. VAT",
		"170|50 Chair|>300 2|>380 19 %|>520 238.00", "185|50 Book|>300 1|>380 7 %|>520 10.70",
		"200|50 Net total|>520 210.00", "215|50 VAT|>520 38.70", "230|50 Total|>520 248.70",
	}
	gross := drawing(t, lines...)
	var nets []string
	for _, net := range gross.netsOfGross() {
		nets = append(nets, amountText(net))
	}
	if got := strings.Join(nets, " "); got != "200.00 10.00" {
		t.Errorf("the net amounts of lines with VAT are %q (%s, %s, %v)", got, gross.linesOf(), gross.totalsOf(), gross.grossLines)
	}
}
