package parse_test

import (
	"math/rand/v2"
	"testing"

	"einvoice/model/sampled"
)

// A day behind the dash or the stroke after a number is no part of the number.
func TestNumberAndDay(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 7))
	for range sampled.Of(120, 4) {
		number := anyOf(r, "004247", "F0007333", "2026/118", "RE-2026-18")
		day := anyOf(r, "15 June 2026", "15. Juni 2026", "15 juin 2026", "15 de junio de 2026", "15. 6. 2026", "15.06.2026", "15/06/2026", "15-06-2026")
		sign := anyOf(r, " - ", " / ", " – ", ", ")
		title := anyOf(r, "Invoice ", "Rechnung ", "Facture n° ", "Invoice number: ")
		p := plainPage(r)
		rows := p.rows()
		for i, row := range rows {
			switch row {
			case "150|50 Invoice":
				rows[i] = "150|50 " + title + number + sign + day
			case "170|50 Invoice number: " + p.number, "184|50 Invoice date: " + p.day:
				rows[i] = rowAt(500+i, "Thank you for your order.")
			}
		}
		read := readPage(t, rows)
		if f := read.Fields["/number"]; f != nil && f.Confidence >= 0.9 && f.Value != number {
			t.Errorf("%q: the number is %q with %.2f", rows[7], f.Value, f.Confidence)
		}
		if f := read.Fields["/issueDate"]; f == nil || f.Value != "2026-06-15" {
			t.Errorf("%q: no day", rows[7])
		}
	}
}
