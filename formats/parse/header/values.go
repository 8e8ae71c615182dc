package header

import (
	"slices"
	"strings"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// isPostBox reports whether words are a line of an address, such as BP 14.
func isPostBox(of []*layout.Word) bool {
	return len(of) == 2 && lexicon.Words().PostBoxes[lexicon.Fold(of[0].Text)]
}

// accountRows is how many rows an account may begin in, from that of its label on.
const accountRows = 4

// valueAt reads the value of the type that a label asks for, at the beginning of words.
func (d *draft) valueAt(h *layout.Hit, of []*layout.Word) (c Claim, ok bool) {
	c = Claim{Field: h.Field, hit: *h}
	n := 0
	switch headerKinds[h.Field] {
	case kindID:
		if _, _, _, isCity := candidate.CityIn(layout.TextOf(of)); (isCity || isPostBox(of)) && h.Field == "number" {
			return c, false
		}
		if _, isDate := d.Notation.DateAt(of); isDate > 0 && (!strings.Contains(of[0].Text, "/") || wholeDate().MatchString(of[0].Text)) {
			return c, false
		}
		if c.Value, n = candidate.IDAt(of); h.Field == "taxNumber" {
			c.Value, n = candidate.GroupedAt(of)
		} else if h.Field == "number" {
			if id, grouped := candidate.GroupedAt(of); grouped > n && endsCell(h.Row, of[grouped-1]) { // 402 202 877
				c.Value, n = id, grouped
			} else if grouped := groupsAt(of, n); grouped > n {
				c.Value, n = layout.TextOf(of[:grouped]), grouped
			}
		}
		if a, isAmount := d.Notation.At(of); isAmount > 0 && (a.Currency != "" || a.Percent) {
			return c, false
		}
	case kindDate:
		var day candidate.Date
		if day, n = d.Notation.DateAt(of); n > 0 {
			c.Value = day.ISO()
		}
	case kindVatID:
		if c.Value, n = candidate.LabelledVatIDAt(of); n == 0 {
			c.Value, n = candidate.NationalVatIDBehind(h.Words(), of)
		}
	case kindIBAN:
		if d.IsDebited(h.Row, h.Last+1) {
			return c, false
		}
		for _, r := range d.Layout.Rows[h.Row.Index:min(h.Row.Index+accountRows, len(d.Layout.Rows))] {
			if at := slices.Index(r.Words, of[0]); at >= 0 {
				if c.Value, c.Words = d.AccountAt(r, at); len(c.Words) > 0 {
					return c, true
				}
			}
		}
		c.Value, n = candidate.LabelledIBANAt(of)
	case kindBIC:
		if s := strings.Trim(of[0].Text, ".,;"); candidate.BICShape().MatchString(s) {
			c.Value, n = s, 1
		}
	case kindText:
		if c.Value, n = textAt(of); isLabel(c.Value) {
			return c, false
		}
	case kindCurrency:
		if code, ok := candidate.CurrencyAt(of); ok {
			c.Value, n = code, 1
		}
	case kindPeriod:
		c.Value, n = d.periodAt(of)
	case kindOther:
		n = d.otherAt(of)
	}
	c.Words = of[:n]
	return c, n > 0
}

// isLabel reports whether a text is a label as a whole, as the next head of a table.
func isLabel(s string) bool {
	for _, list := range []*lexicon.Labels{&lexicon.Words().Columns, &lexicon.Words().Header, &lexicon.Words().Totals, &lexicon.Words().Parties} {
		if _, is := list.Exactly(s); is {
			return true
		}
	}
	return false
}

// textAt reads the rest of a cell, or of one of the texts of a line that bullets part.
func textAt(of []*layout.Word) (string, int) {
	n := 0
	for n < len(of) && !layout.IsBullet(of[n]) && (n == 0 || of[n].Box.Left-of[n-1].Box.Right < layout.CellGap*max(of[n].Size, 4)) {
		n++
	}
	s := strings.Trim(layout.TextOf(of[:n]), " :")
	if s == "" || len(s) > 100 {
		return "", 0
	}
	return s, n
}

// otherAt is how many words the value of a label has that is not asked for.
func (d *draft) otherAt(of []*layout.Word) int {
	if len(of) == 0 {
		return 0
	}
	if _, n := d.Notation.DateAt(of); n > 0 {
		return n
	}
	n := 0
	for n < len(of) && n < 4 && (n == 0 || layout.Near(of[n-1], of[n])) && (lexicon.HasDigit(of[n].Text) || isFiller(of[n].Text)) {
		n++
	}
	return n
}
