package layout

import (
	"strings"
	"testing"

	"einvoice/formats/parse/drawn"
	"einvoice/formats/pdf/text"
)

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
		"R E C H N U N G 4711": "RECHNUNG 4711", "A B C": "A B C", "a b c d": "a b c d", "Nr. I N V O I C E": "Nr. INVOICE", "R E C H N U N G N r. 4 7 1 1": "RECHNUNGNr.4711", "J. R. R. Tolkien": "J. R. R. Tolkien",
	} {
		var words []*Word
		for _, w := range drawn.Words(printed, 50, 107.4, 2.8) {
			words = append(words, NewWord(w, 1))
		}
		if got := TextOf(joinSpaced(words)); got != want {
			t.Errorf("%s is read as %q, want %q", printed, got, want)
		}
	}
}

// What a browser prints at the edges of a page is not of the invoice; the same in the midst of it is,
// and so is a foot with an address of its own.
func TestRowsOfBrowsers(t *testing.T) {
	const height = 842
	for row, of := range map[string]bool{
		"11/24/26, 10:47 PM   Factura 2026/0144": true, "24/11/2026, 22:47   Rechnung": true, "24.11.26, 22:47": true, "2026-11-24, 22:47:01   Faktura": true,
		"https://shop.example/invoice/144?print=1   1/2": true, "file:///tmp/a.html   1/1": true,
		"https://zanetti.example   IBAN DE02120300000000202051": false, "Seite 1/2": false, "12/11/2026": false, "Factura 2026/0144": false,
	} {
		for top, isEdge := range map[float64]bool{18: true, 400: false, 822: true} {
			sheet := text.Sheet{Width: 595, Height: height, Words: drawn.Words(row, 24, top+8, 8)}
			for i := range sheet.Words {
				sheet.Words[i].Box.Top, sheet.Words[i].Box.Bottom = top, top+8
			}
			if got := len(New([]text.Sheet{sheet}).Rows) == 0; got != (of && isEdge) {
				t.Errorf("%q at %.0f: left out is %t", row, top, got)
			}
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
	if got := len(New([]text.Sheet{sheet}).Rows); got != n {
		t.Errorf("%d rows, want %d", got, n)
	}
}
