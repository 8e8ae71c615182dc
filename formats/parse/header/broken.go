package header

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"einvoice/formats/parse/layout"
)

// isBroken reports whether a label whose cell has no more than small words goes on in the row below, with which it asks for something
// else, or nothing says for what: a day below Date / de paiement may be any.
func (d *draft) isBroken(h *layout.Hit) bool {
	cell := &h.Row.Cells[h.Row.CellAt(h.First)]
	below, field := d.Layout.RestOfLabel(cell)
	if below == nil || h.First != cell.First || slices.ContainsFunc(h.Row.Words[h.Last+1:cell.Last+1], func(w *layout.Word) bool { return w.Text != strings.ToLower(w.Text) }) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(below.Text())
	return field != "" || h.Field == "issueDate" && unicode.IsLower(first)
}

// joinBroken joins to an identifier the part of it that stands in the row above, where a narrow column broke it at a hyphen:
// INV- above 06269-A.
func (d *draft) joinBroken() {
	for _, field := range []string{"number", "order"} {
		c, found := d.Claims[field]
		if !found || len(c.Words) == 0 {
			continue
		}
		row := d.Layout.RowOf(c.Words[0])
		if row == nil || row.Cells[row.CellAt(slices.Index(row.Words, c.Words[0]))].First != slices.Index(row.Words, c.Words[0]) {
			continue
		}
		above := d.Layout.NextOfColumn(row, c.Words[0].Box.Left, -1)
		if above == nil || above.First != above.Last || !strings.HasSuffix(above.Text(), "-") || len(above.Text()) < 2 {
			continue
		}
		c.Value, c.Words = above.Text()+c.Value, slices.Concat(above.Words(), c.Words)
		d.Claims[field] = c
		d.use(above.Words(), field)
	}
}
