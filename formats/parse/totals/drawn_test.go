package totals

import (
	"fmt"
	"strings"
	"testing"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/drawn"
	"einvoice/formats/parse/header"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lines"
	"einvoice/formats/pdf/text"
)

// drawing are the totals of a page as package drawn makes it.
func drawing(rows ...string) *Totals {
	p := candidate.Of([]text.Sheet{drawn.Sheet(rows...)})
	table := lines.Read(p, 100, false)
	return Read(p, table, header.Read(p, header.ReadTitle(p.Layout), table), false, false)
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

func totalsOf(t *Totals) string {
	return fmt.Sprintf("%s + %s = %s", candidate.AmountText(t.Chain.Net.Value), candidate.AmountText(t.Chain.Vat.Value), candidate.AmountText(t.Chain.Gross.Value))
}

// What is due is printed, and what was paid is not; the base of a rate is not a tax.
func TestTotalsOfOthers(t *testing.T) {
	d := drawing("100|50 Invoice", "150|50 Net total|>520 100.00", "165|50 VAT 19 % on 100.00|>520 19.00", "180|50 Invoice total|>520 119.00", "195|50 Balance due|>520 39.00")
	if got := totalsOf(d); got != "100.00 + 19.00 = 119.00" {
		t.Errorf("the totals are %s", got)
	}
	if c := d.Chain; candidate.AmountText(c.Due.Value) != "39.00" || candidate.AmountText(c.Paid.Value) != "80.00" || c.Paid.From != nil {
		t.Errorf("due is %s after %s was paid, and the payment is computed: %v", candidate.AmountText(c.Due.Value), candidate.AmountText(c.Paid.Value), c.Paid.From == nil)
	}
	lines := []string{
		"100|50 Invoice", "150|50 Description|>300 Qty|>380 VAT|>520 Amount incl. VAT",
		"170|50 Chair|>300 2|>380 19 %|>520 238.00", "185|50 Book|>300 1|>380 7 %|>520 10.70",
		"200|50 Net total|>520 210.00", "215|50 VAT|>520 38.70", "230|50 Total|>520 248.70",
	}
	gross := drawing(lines...)
	var nets []string
	for _, net := range gross.NetsOfGross() {
		nets = append(nets, candidate.AmountText(net))
	}
	if got := strings.Join(nets, " "); got != "200.00 10.00" {
		t.Errorf("the net amounts of lines with VAT are %q (%s, %s, %v)", got, linesOf(gross.Lines), totalsOf(gross), gross.GrossLines)
	}
}

var partiesAbove = []string{"60|50 Factura|120 Nº 17", "72|50 Fecha|120 20/11/2026", "100|50 Emisor:|300 Cliente:", "112|50 Papelera Sur SL|300 Bar Central", "124|50 28001 Madrid|300 08001 Barcelona"}

func TestTables(t *testing.T) {
	for _, c := range []struct {
		name          string
		rows          []string
		lines, totals string
	}{
		{
			"a breakdown with heads below the lines, and no net total",
			[]string{
				"200|50 Concepto|>300 Cantidad|>400 Precio|>540 Importe", "215|50 Papel|>300 10|>400 20,00|>540 200,00", "230|50 Agua|>300 5|>400 20,00|>540 100,00",
				"260|>300 Base imponible|>400 Tipo|>540 Cuota", "275|>300 200,00|>400 21 %|>540 42,00", "290|>300 100,00|>400 10 %|>540 10,00", "310|>400 Total factura|>540 352,00",
			},
			"Papel: 10 x 20.00 = 200.00; Agua: 5 x 20.00 = 100.00", "300.00 + 52.00 = 352.00",
		},
		{
			"a group of the breakdown right below the lines",
			[]string{"200|50 Concepto|>300 Cantidad|>400 Precio|>540 Importe", "215|50 Papel|>300 10|>400 20,00|>540 200,00", "230|>300 200,00|>400 21 %|>540 42,00", "250|50 Total|>540 242,00"},
			"Papel: 10 x 20.00 = 200.00", "200.00 + 42.00 = 242.00",
		},
		{
			"items named like totals and charges",
			[]string{
				"200|50 Concepto|>300 Cantidad|>400 Precio|>540 Importe", "215|50 Transport 25 %|>300 1|>400 40,00|>540 40,00", "230|50 Portes|>300 2|>400 5,00|>540 10,00", "245|50 Total Care|>300 1|>400 50,00|>540 50,00",
				"270|50 Base imponible|>540 100,00", "285|50 IVA 21 %|>540 21,00", "300|50 Total|>540 121,00",
			},
			"Transport 25 %: 1 x 40.00 = 40.00; Portes: 2 x 5.00 = 10.00; Total Care: 1 x 50.00 = 50.00", "100.00 + 21.00 = 121.00",
		},
		{
			"heads to the left and numbers to the right of their columns",
			[]string{
				"200|50 Concepto|250 Cantidad|320 Precio|400 IVA|450 Importe", "215|50 Papel|>315 3|>395 8,10|>445 21|>540 24,20", "230|50 Agua|>315 2|>395 0,40|>445 21|>540 0,80",
				"260|50 Base imponible|>540 25,00", "275|50 IVA 21 %|>540 5,25", "290|50 Total|>540 30,25",
			},
			"Papel: 3 x 8.10 = 24.20; Agua: 2 x 0.40 = 0.80", "25.00 + 5.25 = 30.25",
		},
		{
			"a sum under a name that nobody knows",
			[]string{"200|50 Concepto|>300 Cantidad|>400 Precio|>540 Importe", "215|50 Papel|>300 10|>400 20,00|>540 200,00", "230|50 Acumulado|>540 200,00", "245|50 IVA 21 %|>540 42,00", "260|50 Total|>540 242,00"},
			"Papel: 10 x 20.00 = 200.00", "200.00 + 42.00 = 242.00",
		},
		{
			"parts of a line below it",
			[]string{
				"200|30 Pos|60 Concepto|>300 Cantidad|>400 Precio|>540 Importe", "215|30 1|60 Cocina|>300 1|>400 300,00|>540 300,00", "230|30 1.1|60 Mueble|>300 2|>400 100,00|>540 200,00",
				"245|30 1.2|60 Montaje|>300 1|>400 100,00|>540 100,00", "260|30 2|60 Porte|>300 1|>400 50,00|>540 50,00", "285|50 Base imponible|>540 350,00", "300|50 IVA 21 %|>540 73,50", "315|50 Total|>540 423,50",
			},
			"Cocina: 1 x 300.00 = 300.00; Porte: 1 x 50.00 = 50.00", "350.00 + 73.50 = 423.50",
		},
		{
			"numbers with points that are lines",
			[]string{
				"200|30 Pos|60 Concepto|>300 Cantidad|>400 Precio|>540 Importe", "215|30 1|60 Cocina|>300 1|>400 300,00|>540 300,00", "230|30 1.1|60 Mueble|>300 3|>400 100,00|>540 300,00",
				"285|50 Base imponible|>540 600,00", "300|50 IVA 21 %|>540 126,00", "315|50 Total|>540 726,00",
			},
			"Cocina: 1 x 300.00 = 300.00; Mueble: 3 x 100.00 = 300.00", "600.00 + 126.00 = 726.00",
		},
		{
			"whole prices with spaces in them",
			[]string{"200|50 Concepto|>300 Cantidad|>400 Precio|>540 Importe", "215|50 Horno|>300 1|>400 2 986|>540 2 986,00", "240|50 Base imponible|>540 2 986,00", "255|50 IVA 21 %|>540 627,06", "270|50 Total|>540 3 613,06"},
			"Horno: 1 x 2986 = 2986.00", "2986.00 + 627.06 = 3613.06",
		},
		{
			"a quantity beside a price, where signs part groups",
			[]string{"200|50 Concepto|330 Cantidad|372 Precio|>540 Importe", "215|50 Boli|360 5|367 500,00|>540 2.500,00", "240|50 Base imponible|>540 2.500,00", "255|50 IVA 21 %|>540 525,00", "270|50 Total|>540 3.025,00"},
			"Boli: 5 x 500.00 = 2500.00", "2500.00 + 525.00 = 3025.00",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := drawing(append(append([]string{}, partiesAbove...), c.rows...)...)
			if got := linesOf(d.Lines); got != c.lines {
				t.Errorf("the lines are %s, want %s", got, c.lines)
			}
			if strings.HasPrefix(c.name, "parts") && (len(d.Lines[0].More) != 2 || layout.TextOf(d.Lines[0].More[0]) != "1.1 Mueble 2 100,00 200,00") {
				t.Errorf("below the name is %d rows", len(d.Lines[0].More))
			}
			if got := totalsOf(d); got != c.totals {
				t.Errorf("the totals are %s, want %s", got, c.totals)
			}
		})
	}
}

// A discount beside the box of the bank is none of the lines.
func TestDiscountBesideAnotherBox(t *testing.T) {
	d := drawing("100|50 Invoice", "150|50 Description|>300 Qty|>400 Price|>520 Amount", "170|50 Paper|>300 2|>400 60.00|>520 120.00",
		"200|50 Bank|300 Discount:|>520 -20.00", "215|300 Net total|>520 100.00", "230|300 VAT 19 %|>520 19.00", "245|300 Total|>520 119.00")
	if got := linesOf(d.Lines); got != "Paper: 2 x 60.00 = 120.00" {
		t.Errorf("the lines are %s", got)
	}
	if got := candidate.AmountText(d.Chain.Allowance.Value); got != "20.00" {
		t.Errorf("the allowance is %s", got)
	}
}
