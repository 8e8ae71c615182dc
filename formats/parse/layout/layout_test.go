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
		"R E C H N U N G 4711": "RECHNUNG 4711", "A B C": "A B C", "a b c d": "a b c d", "Nr. I N V O I C E": "Nr. INVOICE",
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
