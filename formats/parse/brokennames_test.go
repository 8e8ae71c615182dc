package parse_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"einvoice/model/sampled"
)

// A name that a narrow column breaks, or that has words in small letters, is read whole or is not sure: neither its lower row
// alone nor what stands behind the small words.
func TestBrokenNames(t *testing.T) {
	r := rand.New(rand.NewPCG(29, 10))
	for range sampled.Of(300, 4) {
		seller := anyOf(r, "Hurtownia Kwiatów", "Wattwerk Energietechnik", "Van Houten Transport", "Papelería Nueva Era", "Talleres Iturralde", "Café chez nous", "Klitmøller Tømrer", "Maison douce Alba") + anyOf(r, " GmbH", " S.A.", " B.V.", " Ltd", " SARL")
		buyer := anyOf(r, "Bar toujours Léo", "Hormigones del Ebro", "Pekárna U Mostu", "Tiszai Malom", "Elektromontaż Bielsko") + anyOf(r, " S.L.", " s.r.o.", " AG", " Sp. z o.o.")
		most := 9 + r.IntN(20)
		y := 60
		rows := []string{"40|50 Invoice"}
		for _, p := range []struct{ label, name string }{{"From", seller}, {"Bill to", buyer}} {
			rows = append(rows, fmt.Sprintf("%d|50 %s", y, p.label))
			for _, row := range slices.Concat(inColumn(p.name, most), []string{"7 High Street", "33000 Bordeaux"}) {
				y += 12
				rows = append(rows, fmt.Sprintf("%d|50 %s", y, row))
			}
			y += 30
		}
		rows = append(rows, "250|50 Invoice number: INV-2611", "264|50 Invoice date: 20/11/2026", "290|50 Description|>330 Quantity|>420 Unit price|>540 Amount", "304|50 Advice|>330 2|>420 150.00|>540 300.00")
		rows = append(rows, totalsFrom(340, 30000, 20)...)
		read := readPage(t, rows)
		for pointer, want := range map[string]string{"/seller/name": seller, "/buyer/name": buyer} {
			if f := read.Fields[pointer]; f != nil && f.Confidence >= sureFrom && f.Value != want {
				t.Errorf("%s is %q with %.2f, want %q: %q", pointer, f.Value, f.Confidence, want, rows)
			}
		}
	}
}
