package parse

import (
	"fmt"
	"strings"
	"testing"

	"einvoice/formats/parse/drawn"
	"einvoice/formats/pdf/text"
)

// drawing is what is read off a page as package drawn makes it.
func drawing(t *testing.T, rows ...string) *document {
	t.Helper()
	d, err := read(t.Context(), []text.Sheet{drawn.Sheet(rows...)}, Limits{}.withDefaults())
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// linesOf are the lines as quantity x price = amount, and their names.
func (d *document) linesOf() string {
	var lines []string
	for i := range d.lines {
		l := &d.lines[i]
		quantity, price, net := l.numbers["quantity"], l.numbers["unitPrice"], l.numbers["lineNet"]
		lines = append(lines, fmt.Sprintf("%s: %s x %s = %s", textOf(l.name), quantity.decimal(), price.decimal(), net.decimal()))
	}
	return strings.Join(lines, "; ")
}

func (d *document) totalsOf() string {
	return fmt.Sprintf("%s + %s = %s", amountText(d.chain.net.value), amountText(d.chain.vat.value), amountText(d.chain.gross.value))
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
			d := drawing(t, append(append([]string{}, partiesAbove...), c.rows...)...)
			if got := d.linesOf(); got != c.lines {
				t.Errorf("the lines are %s, want %s", got, c.lines)
			}
			if strings.HasPrefix(c.name, "parts") && (len(d.lines[0].more) != 2 || textOf(d.lines[0].more[0]) != "1.1 Mueble 2 100,00 200,00") {
				t.Errorf("below the name is %d rows", len(d.lines[0].more))
			}
			if got := d.totalsOf(); got != c.totals {
				t.Errorf("the totals are %s, want %s", got, c.totals)
			}
		})
	}
}

// A column beside the body has rows of its own; the columns of a table have not.
func TestSidebar(t *testing.T) {
	d := drawing(t,
		"40|200 Factura", "60|20 Papelera Sur SL", "72|20 Calle Mayor 3", "76|200 Cliente:", "84|20 28001 Madrid", "88|200 Bar Central", "100|200 Rambla 5", "103|20 Factura Nº", "112|200 08001 Barcelona", "115|20 F-2026/17", "130|20 Fecha",
		"142|20 20/11/2026", "160|20 Vencimiento", "172|20 20/12/2026", "190|20 NIF", "202|20 ESB12345678",
		"151|200 Concepto|>350 Cantidad|>450 Precio|>560 Importe", "166|200 Papel|>350 10|>450 20,00|>560 200,00", "184|>450 Base imponible|>560 200,00", "209|>450 IVA 21 %|>560 42,00", "224|>450 Total|>560 242,00")
	if got, want := d.linesOf(), "Papel: 10 x 20.00 = 200.00"; got != want {
		t.Errorf("the lines are %s, want %s", got, want)
	}
	for field, want := range map[string]string{"number": "F-2026/17", "issueDate": "2026-11-20", "dueDate": "2026-12-20"} {
		if got := d.head.claims[field].value; got != want {
			t.Errorf("%s is %q, want %q", field, got, want)
		}
	}
	for role, want := range map[string]string{"seller": "Papelera Sur SL", "buyer": "Bar Central"} {
		if p := d.byRole[role]; p == nil || p.name.value != want {
			t.Errorf("the %s is %+v, want %s", role, p, want)
		}
	}
}

// A page with a gap before each of its words is laid out without trying all of them, which
// would take minutes.
func TestManyGaps(t *testing.T) {
	sheet := text.Sheet{Width: 1e6, Height: 1e6}
	const n = 20_000
	for i := range n {
		x, y := float64(i)*45, float64(i)*40
		sheet.Words = append(sheet.Words, text.Word{Text: "17", Size: 10, Box: text.Box{Left: x, Top: y, Right: x + 30, Bottom: y + 10}})
	}
	if got := len(newLayout([]text.Sheet{sheet}).rows); got != n {
		t.Errorf("%d rows, want %d", got, n)
	}
}
