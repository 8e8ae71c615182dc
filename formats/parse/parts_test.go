package parse_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"einvoice/formats/parse"
	"einvoice/formats/parse/drawn"
	"einvoice/formats/pdf/text"
)

// Parts of a line, with amounts in brackets or without, are no lines of their own where the line
// above has their amounts already.
func TestPartsOfALine(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 1))
	for range 40 {
		placed := []string{"60|50 Invoice", "74|50 Invoice number: R-17", "88|50 Invoice date: 20/11/2026",
			"130|50 Pos.|100 Description|>300 Quantity|>400 Unit price|>520 Amount"}
		y := 130
		row := func(position, name, amount, printed string) {
			y += 14
			placed = append(placed, fmt.Sprintf("%d|50 %s|100 %s|>300 1|>400 %s|>520 %s", y, position, name, amount, printed))
		}
		var parts []int64
		whole, other, brackets := int64(0), 1000+r.Int64N(90000), r.IntN(2) == 0
		for range 1 + r.IntN(3) {
			parts = append(parts, 1000+r.Int64N(90000))
			whole += parts[len(parts)-1]
		}
		row("1", "Set", cents(whole), cents(whole))
		for i, part := range parts {
			printed := cents(part)
			if brackets {
				printed = "(" + printed + ")"
			}
			row(fmt.Sprintf("1.%d", i+1), "Part", cents(part), printed)
		}
		row("2", "Chair", cents(other), cents(other))
		net := whole + other
		tax := (net*19 + 50) / 100
		for i, total := range []string{"Net total|>520 " + cents(net), "VAT 19 %|>520 " + cents(tax), "Invoice total|>520 " + cents(net+tax)} {
			placed = append(placed, fmt.Sprintf("%d|350 %s", y+30+14*i, total))
		}
		read, err := parse.Sheets(t.Context(), []text.Sheet{drawn.Sheet(placed...)}, parse.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if lines := read.Invoice.Lines; len(lines) != 2 || read.Fields["/lines/0/netAmount"].Value != cents(whole) || read.Fields["/lines/1/netAmount"].Value != cents(other) {
			t.Errorf("%q: %d lines", placed, len(lines))
		}
	}
}
