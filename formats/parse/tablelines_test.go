package parse_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"einvoice/formats/parse"
	"einvoice/model/sampled"
)

// sureFrom is the confidence from which no value may be wrong.
const sureFrom = 0.9

// headOfTable are the rows of a page above its lines.
var headOfTable = []string{
	"40|50 Almada Obras, Lda.", "52|50 Rua do Carmo 41", "64|50 1250-096 Lisboa", "90|50 Bill to:", "102|50 Reed Ltd", "114|50 7 High Street", "126|50 Leeds LS1 4AP",
	"150|50 Invoice", "164|50 Invoice number: INV-2611", "178|50 Invoice date: 20/11/2026", "192|50 Currency: EUR",
}

// A made line has its amounts in cents; its quantity is counted.
type madeLine struct {
	name                    string
	quantity, price, amount int
}

func sumOf(of []madeLine) (sum int) {
	for _, l := range of {
		sum += l.amount
	}
	return sum
}

// totalsFrom are the rows of the totals without VAT on top, from a height on.
func totalsFrom(y, net, rate int) []string {
	tax := (net*rate + 50) / 100
	return []string{fmt.Sprintf("%d|330 Net total|>540 %s", y, inCents(net)), fmt.Sprintf("%d|330 VAT %d %%|>540 %s", y+14, rate, inCents(tax)), fmt.Sprintf("%d|330 Invoice total|>540 %s", y+28, inCents(net+tax))}
}

// wantLines holds the lines that were read against those of a page: each is there, and nothing wrong is sure.
func wantLines(t *testing.T, rows []string, want []madeLine) {
	t.Helper()
	read := readPage(t, rows)
	if len(read.Invoice.Lines) != len(want) {
		t.Errorf("%d lines, want %d: %q", len(read.Invoice.Lines), len(want), rows)
		return
	}
	for i, l := range want {
		for pointer, value := range map[string]string{"/invoicedQuantity": fmt.Sprint(l.quantity), "/price/netPrice": inCents(l.price), "/netAmount": inCents(l.amount)} {
			f := read.Fields[fmt.Sprintf("/lines/%d%s", i, pointer)]
			if f != nil && f.Value != value && f.Confidence >= sureFrom {
				t.Errorf("line %d: %s is %s with %.2f, want %s: %q", i+1, pointer, f.Value, f.Confidence, value, rows)
			}
		}
	}
}

// has reports whether a line was read with its quantity, price and amount.
func has(r *parse.Result, i int, l madeLine) bool {
	at := fmt.Sprintf("/lines/%d", i)
	return valueOf(r, at+"/invoicedQuantity") == fmt.Sprint(l.quantity) && valueOf(r, at+"/price/netPrice") == inCents(l.price) && valueOf(r, at+"/netAmount") == inCents(l.amount)
}

// The number of a line, or a number in its name, is no quantity because it multiplies to the amount by chance: the price of
// this line is for several units, or a discount is told below.
func TestChanceIsNoQuantity(t *testing.T) {
	r := rand.New(rand.NewPCG(29, 1))
	for range sampled.Of(200, 4) {
		var lines []madeLine
		rows := slices.Concat(headOfTable, []string{"220|50 Pos.|80 Description|>330 Quantity|>420 Unit price|>540 Amount"})
		per := []int{10, 100}[r.IntN(2)]
		for i := range 2 + r.IntN(4) {
			price, chance := 101+2*r.IntN(4000), i+2 // the amount is price times chance
			l := madeLine{anyOf(r, "Bolts", "Washers", "Paper"), chance * per, price, chance * price}
			y := 234 + 28*i
			if r.IntN(2) == 0 { // in the name
				l.name = fmt.Sprintf("%s %d mm", l.name, chance)
			}
			rows = append(rows, fmt.Sprintf("%d|50 %d|80 %s|>330 %d|>420 %s|>540 %s", y, i+2, l.name, l.quantity, inCents(l.price), inCents(l.amount)), fmt.Sprintf("%d|>420 per %d", y+12, per))
			lines = append(lines, l)
		}
		wantLines(t, append(rows, totalsFrom(400, sumOf(lines), 20)...), lines)
	}
}

// A line of one unit whose columns have heads alike is read, whatever it is called.
func TestOneUnit(t *testing.T) {
	r := rand.New(rand.NewPCG(29, 2))
	for range sampled.Of(200, 4) {
		head, total, net, tax := "220|50 Concepto|>210 IVA|>310 Cantidad|330 Precio (IVA|480 IVA", "Total factura", "Base imponible", "IVA"
		below := "230|330 incluido)|480 incluido"
		names := []string{"Portes", "Mano de obra", "Planta de olivo", "Cuadernos"}
		if r.IntN(2) == 0 {
			head, below, total, net, tax = "220|50 Popis|>210 DPH|>310 Množství|330 Cena za j. (s DPH)|480 s DPH", "", "Celkem s DPH", "Základ daně", "DPH"
			names = []string{"Doprava", "Montáž", "Deska"}
		}
		rows := slices.Concat(headOfTable, []string{head})
		if below != "" {
			rows = append(rows, below)
		}
		gross, n := 0, 2+r.IntN(5)
		one := r.IntN(n)
		for i := range n {
			quantity, price := 2+r.IntN(9), 1000+r.IntN(90000)
			if i == one || r.IntN(3) == 0 {
				quantity = 1
			}
			gross += quantity * price
			rows = append(rows, fmt.Sprintf("%d|50 %s|>215 21 %%|>310 %d|>420 %s|>530 %s", 246+14*i, anyOf(r, names...), quantity, inCents(price), inCents(quantity*price)))
		}
		base := (gross*100 + 60) / 121
		rows = append(rows, fmt.Sprintf("400|330 %s|>530 %s", net, inCents(base)), fmt.Sprintf("414|330 %s 21 %%|>530 %s", tax, inCents(gross-base)), fmt.Sprintf("428|330 %s|>530 %s", total, inCents(gross)))
		if read := readPage(t, rows); len(read.Invoice.Lines) != n {
			t.Errorf("%d lines, want %d: %q", len(read.Invoice.Lines), n, rows)
		}
	}
}

// Lines with an amount, whose quantity and price stand in the row below, are read whole, with any totals below them.
func TestFactorsBelow(t *testing.T) {
	r := rand.New(rand.NewPCG(29, 3))
	for range sampled.Of(200, 4) {
		rows := slices.Concat(headOfTable, []string{"220|50 " + anyOf(r, "Description|>540 Amount", "Description", "Pos.|80 Description|>540 Amount")})
		var lines []madeLine
		y := 236
		for i := range 1 + r.IntN(5) {
			l := madeLine{name: anyOf(r, "Bread", "Assembly", "Transport", "Window frames"), quantity: 1 + r.IntN(4), price: 100 + r.IntN(90000)}
			l.amount = l.quantity * l.price
			number := ""
			if strings.HasPrefix(rows[len(headOfTable)], "220|50 Pos.") {
				number = fmt.Sprintf("50 %d|80 ", i+1)
			} else {
				number = "50 "
			}
			rows = append(rows, fmt.Sprintf("%d|%s%s|>540 %s", y, number, l.name, inCents(l.amount)), fmt.Sprintf("%d|80 %d %s %s", y+12, l.quantity, anyOf(r, "pcs ×", "pcs x", "pieces at", "×"), inCents(l.price)))
			lines, y = append(lines, l), y+30
		}
		net := sumOf(lines)
		tax := (net*20 + 50) / 100
		if r.IntN(2) == 0 {
			rows = append(rows, "440|50 Net total|170 VAT 20 %|290 Total with VAT", fmt.Sprintf("454|50 %s|170 %s|290 %s", inCents(net), inCents(tax), inCents(net+tax)))
		} else {
			rows = append(rows, totalsFrom(440, net, 20)...)
		}
		read := readPage(t, rows)
		if len(read.Invoice.Lines) != len(lines) {
			t.Errorf("%d lines, want %d: %q", len(read.Invoice.Lines), len(lines), rows)
			continue
		}
		for i, l := range lines {
			if !has(read, i, l) {
				t.Errorf("line %d is not %d x %s: %q", i+1, l.quantity, inCents(l.price), rows)
			}
		}
	}
}

// A strip of totals and the breakdown of the VAT are no lines, above the lines or without any.
func TestTotalsAreNoLines(t *testing.T) {
	r := rand.New(rand.NewPCG(29, 4))
	for range sampled.Of(100, 4) {
		l := madeLine{"Chairs", 2 + r.IntN(9), 1000 + r.IntN(90000), 0}
		l.amount = l.quantity * l.price
		tax := (l.amount*21 + 50) / 100
		net, vat, gross := inCents(l.amount), inCents(tax), inCents(l.amount+tax)
		strip := [][]string{
			{"220|50 Totaal excl. btw|170 Btw 21 %|250 Totaal incl. btw|370 Reeds betaald|470 Te betalen", fmt.Sprintf("234|50 %s €|170 %s €|250 %s €|370 -10,00 €|470 %s €", net, vat, gross, inCents(l.amount+tax-1000))},
			{"220|50 Kategoria VAT|150 Stawka|>250 Netto (EUR)|>320 VAT (EUR)|350 Razem bez VAT|>540 " + net, fmt.Sprintf("234|50 Opodatkowane|150 21%%|>250 %s|>320 %s|350 Razem VAT|>540 %s", net, vat, vat), "248|350 Razem z VAT|>540 " + gross},
		}[r.IntN(2)]
		rows := slices.Concat(headOfTable, strip)
		var want []madeLine
		if r.IntN(2) == 0 {
			rows = append(rows, "300|50 Lp.|80 Opis|>300 Ilość|>400 Cena jedn.|>440 VAT|>540 Wartość netto", fmt.Sprintf("314|50 1|80 %s|>300 %d|>400 %s|>440 21%%|>540 %s", l.name, l.quantity, inCents(l.price), net))
			want = append(want, l)
		}
		wantLines(t, rows, want)
	}
}

// A price per unit is the price also where its head says so in words that could be those of a base quantity.
func TestPricePerUnit(t *testing.T) {
	r := rand.New(rand.NewPCG(29, 5))
	for range sampled.Of(100, 4) {
		rows := slices.Concat(headOfTable, []string{"220|50 Popis|>310 Množství|330 Cena za j.|>540 Celkem bez DPH"})
		var lines []madeLine
		for i := range 2 + r.IntN(4) {
			l := madeLine{name: anyOf(r, "Doprava", "Montáž", "Deska"), quantity: 1 + r.IntN(6), price: 10000 + r.IntN(900000)}
			if i == 0 { // it is called like a charge, so that nothing below the head says where its columns are
				l.name = "Doprava"
			}
			l.amount = l.quantity * l.price
			rows, lines = append(rows, fmt.Sprintf("%d|50 %s|>310 %d|>366 %s|>540 %s", 234+14*i, l.name, l.quantity, inCents(l.price), inCents(l.amount))), append(lines, l)
		}
		read := readPage(t, append(rows, totalsFrom(400, sumOf(lines), 20)...))
		for i, l := range lines {
			if !has(read, i, l) {
				t.Errorf("line %d is not %d x %s: %q", i+1, l.quantity, inCents(l.price), rows)
			}
		}
	}
}

// A price without a quantity, or the other way round, is not sure to be the one and not the other.
func TestLoneFactor(t *testing.T) {
	r := rand.New(rand.NewPCG(29, 6))
	for range sampled.Of(200, 4) {
		at := 300 + r.IntN(100) // of the prices, below either head
		rows := slices.Concat(headOfTable, []string{"220|50 Description|280 Quantity|370 Unit price|>540 Amount"})
		net, n := 0, 1+r.IntN(4)
		for i := range n {
			amount := 10000 + r.IntN(90000)
			rows, net = append(rows, fmt.Sprintf("%d|50 Care of the garden|>%d %s|>540 %s", 234+14*i, at, inCents(101+2*r.IntN(4000)), inCents(amount))), net+amount
		}
		read := readPage(t, append(rows, totalsFrom(400, net, 20)...))
		for i := range n {
			for _, name := range []string{"/invoicedQuantity", "/price/netPrice"} {
				if f := read.Fields[fmt.Sprintf("/lines/%d%s", i, name)]; f != nil && f.Confidence >= sureFrom {
					t.Errorf("line %d: %s is %s with %.2f: %q", i+1, name, f.Value, f.Confidence, rows)
				}
			}
		}
	}
}
