package header

import (
	"math"
	"slices"
	"strings"

	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// endOfValues is the end of the words that a label may have beside it: where the next label
// begins. Labels in one word, as Number/Date, or with a slash between them have the same values.
func endOfValues(r *layout.Row, hits []layout.Hit, at int) int {
	last := hits[at].Last
	for _, next := range hits[at+1:] {
		if next.First == last+2 && r.Words[last+1].Text == "/" {
			last = next.Last
			continue
		}
		if next.First > last {
			return next.First
		}
	}
	return len(r.Words)
}

// accept decides a claim, unless the field or the value has been decided.
func (d *draft) accept(c Claim) {
	if c.Field == "other" {
		d.use(c.Words, c.Field)
		return
	}
	if best, decided := d.Claims[c.Field]; decided {
		if best.Value != c.Value && len(d.Alternatives[c.Field]) < MaxAlternatives {
			d.Alternatives[c.Field] = append(d.Alternatives[c.Field], c)
		}
		return
	}
	for _, w := range c.Words {
		user := d.Used[w]
		sharesDate := headerKinds[c.Field] == kindDate && headerKinds[user] == kindDate && d.Claims[user].hit.Row == c.hit.Row
		if user != "" && !sharesDate {
			return
		}
	}
	d.Claims[c.Field] = c
	d.use(c.Words, c.Field)
}

func (d *draft) use(of []*layout.Word, field string) {
	for _, w := range of {
		if d.Used[w] == "" {
			d.Used[w] = field
		}
	}
}

func (d *draft) hitScore(h *layout.Hit, relation float64) float64 {
	w := &lexicon.Weigh().Head
	s := relation + w.Length*min(float64(h.Length), fullLength)/fullLength
	if h.Colon {
		s += w.Colon
	}
	if h.StartsCell {
		s += w.Start
	}
	if h.Row.Page > 1 {
		s -= w.Later
	}
	if h.Field == "number" && h.Row.Words[h.First].Size > 1.15*d.Layout.Usual {
		s += w.Large
	}
	return s
}

// claimBeside claims the value that follows a label in its row.
func (d *draft) claimBeside(h *layout.Hit, end int, claims *[]Claim) {
	if d.isOfNext(h) || isTerm(h) {
		return
	}
	if h.Field == "issueDate" && d.goesOnFromAbove(h) {
		return
	}
	isShort := h.Field == "issueDate" && (h.Length <= shortLabel || isOfDay(h) || !h.StartsCell && h.Length <= genericLabel) // such as of, which is not a label elsewhere
	if isShort && (isEdition(h.Row) || isOfAnother(h)) {
		return
	}
	of := h.Row.Words[h.Last+1 : end]
	if isShort && d.beginsPeriod(of) {
		return
	}
	for skipped := 0; skipped < len(of) && skipped <= maxSkipped; skipped++ {
		c, ok := d.valueAt(h, of[skipped:])
		if ok && (d.isBesideTitle(h, &c) || h.Field == "dueDate" && endsDiscount(h, c.Words)) {
			return
		}
		if ok {
			c.Score = d.hitScore(h, lexicon.Weigh().Head.Beside-lexicon.Weigh().Head.Skip*float64(skipped))
			if isShort && followsOwnNumber(h) {
				c.Score += lexicon.Weigh().Head.Numbered
			}
			*claims = append(*claims, c)
			return
		}
		if wrapped := d.withRowBelow(h, of[skipped:]); wrapped != nil {
			if c, ok := d.valueAt(h, wrapped); ok {
				c.Score = d.hitScore(h, lexicon.Weigh().Head.Beside-lexicon.Weigh().Head.Skip*float64(skipped+1))
				*claims = append(*claims, c)
				return
			}
		}
		if headerKinds[h.Field] != kindDate && !isFiller(of[skipped].Text) && !isAside(of[skipped].Text) || h.Field == "issueDate" && h.Length <= genericLabel && strings.HasSuffix(of[skipped].Text, ":") && of[0].Text != "/" && of[skipped].Text != ":" {
			return // the label goes on, as in Data zakończenia:
		}
	}
}

// isBesideTitle reports whether an identifier is the beginning of a cell of small letters
// beside a title in large ones, such as the house number of 4 Mill Lane beside INVOICE.
func (d *draft) isBesideTitle(h *layout.Hit, c *Claim) bool {
	label, value := h.Row.Words[h.First], c.Words[0]
	if headerKinds[h.Field] != kindID || label.Size < 1.4*d.Layout.Usual || value.Size > 0.75*label.Size {
		return false
	}
	at := slices.IndexFunc(h.Row.Cells, func(x layout.Cell) bool { return h.Row.Words[x.First] == value })
	return at >= 0 && len(h.Row.Cells[at].Words()) > len(c.Words)
}

// claimWrapped claims the value that begins the next row, where a label with a colon ends the only cell of its row.
func (d *draft) claimWrapped(h *layout.Hit, claims *[]Claim) {
	if !h.Colon || h.StartsCell || h.Last != len(h.Row.Words)-1 || len(h.Row.Cells) > 1 {
		return
	}
	below := d.RowBelow(h.Row)
	if below == nil {
		return
	}
	if c, ok := d.valueAt(h, below.Words); ok {
		c.Score = d.hitScore(h, lexicon.Weigh().Head.Beside)
		*claims = append(*claims, c)
	}
}

// claimAcross claims the value to the right of the last label of a row that is set on a
// base line of its own, as where labels are smaller than values.
func (d *draft) claimAcross(h *layout.Hit, claims *[]Claim) {
	if last := &h.Row.Cells[len(h.Row.Cells)-1]; last.Last != h.Last {
		return
	}
	_, right := h.Box()
	for _, i := range []int{h.Row.Index + 1, h.Row.Index - 1} {
		if i < 0 || i >= len(d.Layout.Rows) || d.Layout.Rows[i].Page != h.Row.Page {
			continue
		}
		r := d.Layout.Rows[i]
		at := slices.IndexFunc(r.Cells, func(c layout.Cell) bool { return c.Left > right })
		if at < 0 || layout.IsLabel(&r.Cells[at]) {
			continue
		}
		label, value := h.Row.Words[h.Last].Box, r.Words[r.Cells[at].First].Box
		overlap := min(label.Bottom, value.Bottom) - max(label.Top, value.Top)
		if overlap < 0.3*min(label.Bottom-label.Top, value.Bottom-value.Top) {
			continue
		}
		of := r.Cells[at].Words()
		// Of more words, such as 4 Mill Lane, the first is not an identifier that a label asks for.
		if c, ok := d.valueAt(h, of); ok && (headerKinds[h.Field] != kindID || len(c.Words) == len(of)) {
			c.Score = d.hitScore(h, lexicon.Weigh().Head.Beside-lexicon.Weigh().Head.Across)
			*claims = append(*claims, c)
			return
		}
	}
}

// isAside reports whether a word is set in brackets, as the code of a document's type.
func isAside(s string) bool { return strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")") }

// isFiller reports whether a word may be between a label and its value.
func isFiller(s string) bool { return lexicon.Words().Fillers[lexicon.Fold(s)] }

// claimBelow claims the value under a label.
func (d *draft) claimBelow(h *layout.Hit, isHead bool, claims *[]Claim) {
	if isOfDay(h) && !h.StartsCell && !followsNumber(h) { // the day of something that a sentence names
		return
	}
	left, right := h.Box()
	steps := 0
	for i := h.Row.Index + 1; i < len(d.Layout.Rows) && steps < maxBelow; i++ {
		r := d.Layout.Rows[i]
		if r.Page != h.Row.Page || r.Top-h.Row.Bottom > 3.5*h.Row.Height() || d.isLine[i] { // the table of lines has none
			return
		}
		for j := range r.Cells {
			cell := &r.Cells[j]
			aligned := max(cell.Left-left, left-cell.Left) < 12 || max(cell.Right-right, right-cell.Right) < 8 ||
				cell.Left >= left-3 && cell.Right <= right+3 || math.Abs(cell.Left+cell.Right-left-right) < 8 || isAloneBelow(h, cell)
			of := cell.Words()
			if at := slices.IndexFunc(of, func(w *layout.Word) bool { return math.Abs(w.Box.Left-left) < 2 }); at > 0 && headerKinds[h.Field] != kindText {
				of, aligned = of[at:], true
			}
			if !aligned || of[0].Box.Left > right+20 || cell.Right < left {
				continue
			}
			if layout.IsLabel(cell) {
				return
			}
			c, ok := d.valueAt(h, of)
			if below := d.Layout.NextOfColumn(r, cell.Left, 1); !ok && headerKinds[h.Field] == kindDate && len(of) <= mostOfBroken && below != nil { // 20. 11. / 2026
				c, ok = d.valueAt(h, slices.Concat(of, below.Words()))
			}
			if !ok || headerKinds[h.Field] == kindID && goesOnInWords(of, len(c.Words)) {
				continue
			}
			c.Score = d.hitScore(h, lexicon.Weigh().Head.Below-lexicon.Weigh().Head.Row*float64(steps))
			if isHead {
				c.Score += lexicon.Weigh().Head.Column
			}
			*claims = append(*claims, c)
			return
		}
		steps++
	}
}

// mostOfBroken is how many words of a day stand before the end of a narrow column.
const mostOfBroken = 2

// goesOnInWords reports whether a word without a digit follows an identifier, as in 4 Mill Lane.
func goesOnInWords(of []*layout.Word, n int) bool {
	return n < len(of) && layout.Near(of[n-1], of[n]) && !lexicon.HasDigit(of[n].Text) && len(of[n].Tokens) > 0 && !lexicon.Words().OfDay[lexicon.Fold(of[n].Text)]
}

// isAloneBelow reports whether a cell is below a label and below no other cell of its row, as a
// value that is set to the left below a head in the middle of its column.
func isAloneBelow(h *layout.Hit, c *layout.Cell) bool {
	at := h.Row.CellAt(h.First)
	if n := len(h.Row.Cells); n > 1 && n == len(c.Row.Cells) && c.Row.Index == h.Row.Index+1 && h.Row.Cells[at].First == h.First && h.Row.Cells[at].Last == h.Last { // a table of one row
		return c.Row.CellAt(c.First) == at
	}
	for i := range h.Row.Cells {
		if o := &h.Row.Cells[i]; (o.Left < c.Right && o.Right > c.Left) != (i == at) {
			return false
		}
	}
	left, right := h.Box()
	return min(right, c.Right)-max(left, c.Left) > 0.4*min(right-left, c.Right-c.Left)
}
