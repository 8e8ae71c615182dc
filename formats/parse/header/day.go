package header

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// isOfNext reports whether the word before the label of a day says that it is about the next document, as in Prochaine
// échéance.
func (d *draft) isOfNext(h *layout.Hit) bool {
	if headerKinds[h.Field] != kindDate {
		return false
	}
	before := h.First - 1
	of := h.Row
	if before < 0 && of.Index > 0 { // where a row of a sentence begins
		of = d.Layout.Rows[of.Index-1]
		before = len(of.Words) - 1
	}
	return before >= 0 && lexicon.Words().NextWords[lexicon.Fold(of.Words[before].Text)]
}

// isTerm reports whether the label of the day of the invoice ends a term of payment, as in 60 days from invoice date.
func isTerm(h *layout.Hit) bool {
	if h.Field != "issueDate" || h.StartsCell || h.Colon || isOfDay(h) || h.Length <= genericLabel {
		return false
	}
	const reach = 3 // words of a term
	for i := h.First - 1; i >= max(h.First-reach, h.Row.Cells[h.Row.CellAt(h.First)].First); i-- {
		if n, err := strconv.Atoi(h.Row.Words[i].Text); err == nil && n <= latestTerm {
			return true
		}
	}
	return false
}

// latestTerm is how many days a term of payment has at most.
const latestTerm = 365

// withRowBelow are the words of a day that is broken: those at the end of a row and what is below
// them, as the year of 20 November. Nil where none is.
func (d *draft) withRowBelow(h *layout.Hit, of []*layout.Word) []*layout.Word {
	const most = 3 // words of the first row
	if headerKinds[h.Field] != kindDate || len(of) > most {
		return nil
	}
	below := d.RowBelow(h.Row)
	if below == nil {
		return nil
	}
	cell := h.Row.Cells[h.Row.CellAt(h.First)].Left // where a row of a narrow column goes on
	at := slices.IndexFunc(below.Words, func(w *layout.Word) bool {
		return math.Abs(w.Box.Left-of[0].Box.Left) < 2 || h.StartsCell && math.Abs(w.Box.Left-cell) < 2
	})
	if at < 0 {
		return nil
	}
	return append(slices.Clone(of), below.Words[at])
}

// followsNumber reports whether a label stands behind that of the number.
func followsNumber(h *layout.Hit) bool {
	before := labelBefore(h)
	return before != nil && before.Field == "number"
}

// followsOwnNumber reports whether a label stands behind that of a number which is not inside of other words.
func followsOwnNumber(h *layout.Hit) bool {
	before := labelBefore(h)
	return before != nil && before.Field == "number" && !isCited(before)
}

// followsIdentifier reports whether a label stands right behind a word with a digit, as in Delivery note 17 of 20/11/2026.
func followsIdentifier(h *layout.Hit) bool {
	return h.First > 0 && !h.StartsCell && lexicon.HasDigit(h.Row.Words[h.First-1].Text)
}

// isOfDay reports whether a label is a word such as of, which is none elsewhere.
func isOfDay(h *layout.Hit) bool {
	return lexicon.Words().OfDay[lexicon.Fold(layout.TextOf(h.Words()))]
}

// isOfAnother reports whether a word such as of stands behind the label of another document, as in
// Your order 17 of 20/11/2026, or in its cell behind something that is not called an invoice, as in
// Down payment of 20/11/2026: the day is that document's.
func isOfAnother(h *layout.Hit) bool {
	cell := h.Row.Cells[h.Row.CellAt(h.First)].First
	if !h.StartsCell && isOfDay(h) && isOfAnotherInTitle(h.Row, h.Last+1) { // Rent invoice 17 – lease of 11/11/2015
		return true
	}
	if before := labelBefore(h); before != nil && (h.StartsCell || before.First >= cell) {
		return before.Field != "number" && headerKinds[before.Field] != kindDate
	}
	if h.StartsCell || !isOfDay(h) {
		return false
	}
	return !slices.ContainsFunc(h.Row.Find(&lexicon.Words().Titles), func(o layout.Hit) bool {
		return isInvoice(o.Field) && o.First >= cell && o.Last < h.First
	})
}

// goesOnFromAbove reports whether a label in small letters begins a row that goes on with a sentence about something else
// than the invoice, as in under our agreement 17 / dated 1 April 2025.
func (d *draft) goesOnFromAbove(h *layout.Hit) bool {
	const (
		sentence = 6 // words of a row at least
		near     = 6 // words from the end of the row that an invoice is named in at most
	)
	r := h.Row
	if h.First > 0 || r.Index == 0 || !unicode.IsLower([]rune(r.Words[0].Text)[0]) {
		return false
	}
	above := d.Layout.Rows[r.Index-1]
	last := len(above.Words) - 1
	if d.RowBelow(above) != r || len(above.Cells) > 1 || last+1 < sentence || strings.HasSuffix(above.Words[last].Text, ".") {
		return false
	}
	return !slices.ContainsFunc(above.Find(&lexicon.Words().Titles), func(o layout.Hit) bool { return isInvoice(o.Field) && last-o.Last < near })
}

// dropDayOfAnother takes the next best day of the invoice where the best one follows the number of another document,
// as in To our invoice 17 of 20/11/2026 on a credit note with a number of its own. It returns the day that was dropped.
func (d *draft) dropDayOfAnother(claims []Claim) (dropped Claim, isDropped bool) {
	own := map[string]bool{} // days that a label of their own asks for
	for _, c := range claims {
		if c.Field == "issueDate" && c.hit.StartsCell && !callsNoCredit(&c.hit) {
			own[c.Value] = true
		}
	}
	// On a credit note, the day of an invoice is that of the credited one where another label asks for a day as well.
	isOfCredited := func(c *Claim) bool {
		return d.title.Code == creditNote && c.hit.Row != nil && callsNoCredit(&c.hit) && (len(own) > 1 || len(own) == 1 && !own[c.Value])
	}
	isOther := func(c *Claim) bool {
		if isOfCredited(c) {
			return true
		}
		number, numbered := d.Claims["number"]
		if !numbered || c.hit.Row == nil || !isOfDay(&c.hit) || !followsNumber(&c.hit) && !followsIdentifier(&c.hit) {
			return false
		}
		before := layout.TextOf(c.hit.Row.Words[:c.hit.First])
		return lexicon.HasDigit(before) && !strings.Contains(before, layout.TextOf(number.Words)) // Invoice of 20/11/2026 names no other
	}
	dropped = d.Claims["issueDate"]
	if dropped.Field == "" || !isOther(&dropped) {
		return dropped, false
	}
	for _, w := range dropped.Words {
		d.Used[w] = "other"
	}
	delete(d.Claims, "issueDate")
	for _, c := range claims {
		if c.Field == "issueDate" && !isOther(&c) {
			d.accept(c)
		}
	}
	return dropped, true
}

// isDayOfAnother reports whether the words before a day say that it is another document's.
func isDayOfAnother(r *layout.Row, day int) bool {
	for first := day - 1; first >= max(day-2, 0); first-- {
		if lexicon.Words().OfDay[lexicon.Fold(layout.TextOf(r.Words[first:day]))] {
			startsCell := slices.ContainsFunc(r.Cells, func(c layout.Cell) bool { return c.First == first })
			return isOfAnother(&layout.Hit{Row: r, First: first, Last: day - 1, StartsCell: startsCell})
		}
	}
	return false
}

// labelBefore is the last label in a row before another one; nil where there is none.
func labelBefore(h *layout.Hit) (last *layout.Hit) {
	for _, o := range h.Row.Find(&lexicon.Words().Header) {
		if o.Last < h.First && h.First-o.Last <= ofReach {
			last = &o
		}
	}
	return last
}

// ofReach is how many words a label is at most before one such as of that belongs to it.
const ofReach = 6

// periodAt reads two days with a word or a dash between them.
func (d *draft) periodAt(of []*layout.Word) (string, int) {
	for i := 0; i < len(of) && i < 3; i++ {
		start, n := d.Notation.DateAt(of[i:])
		for j := i + n; n > 0 && j < len(of) && j < i+n+3; j++ {
			if end, m := d.Notation.DateAt(of[j:]); m > 0 && end.ISO() >= start.ISO() {
				return start.ISO() + "/" + end.ISO(), j + m
			}
		}
	}
	return "", 0
}

// beginsPeriod reports whether words are two days with no more than two words or a dash between them: no
// label that asks for one day means the first.
func (d *draft) beginsPeriod(of []*layout.Word) bool {
	_, n := d.Notation.DateAt(of)
	for i := n; n > 0 && i < len(of) && i <= n+2 && layout.Near(of[i-1], of[i]); i++ {
		if _, m := d.Notation.DateAt(of[i:]); m > 0 {
			return true
		}
	}
	return false
}

// dateBehindNumber takes the day that follows the number, as in Invoice no. 17 of 20/11/2026,
// where no label asks for one.
func (d *draft) dateBehindNumber() {
	number, numbered := d.Claims["number"]
	if _, found := d.Claims["issueDate"]; found || !numbered {
		return
	}
	last := number.Words[len(number.Words)-1]
	for _, r := range d.Layout.Rows {
		at := slices.Index(r.Words, last) + 1
		for i := at; at > 0 && i < len(r.Words) && i <= at+2; i++ {
			if day, n := d.Notation.DateAt(r.Words[i:]); n > 0 {
				d.accept(Claim{Field: "issueDate", Value: day.ISO(), Words: day.Words, Score: lexicon.Weigh().Head.Titled})
				return
			}
			if f := lexicon.Fold(r.Words[i].Text); !lexicon.Words().TitleAsides[f] && f != "" {
				break
			}
		}
	}
}

// isEdition reports whether a row says of which edition a form is, as in Version 2 of 01/03/2020.
func isEdition(r *layout.Row) bool {
	return slices.ContainsFunc(r.Words, func(w *layout.Word) bool { return lexicon.Words().Editions[lexicon.Fold(w.Text)] })
}

// decideTaxPoint decides what the tax point is: the day of the invoice where no label asks for one,
// else the day of the supply (VAT Notice 700, section 14), where no label asks for that.
func (d *draft) decideTaxPoint() {
	c, ok := d.Claims["taxPoint"]
	if !ok {
		return
	}
	delete(d.Claims, "taxPoint")
	for _, field := range []string{"issueDate", "deliveryDate"} {
		if have, taken := d.Claims[field]; !taken {
			c.Field = field
			d.Claims[field] = c
			return
		} else if have.Value == c.Value {
			return
		}
	}
}

// issueDateWithoutLabel takes the first day of the first page where no label asks for it.
func (d *draft) issueDateWithoutLabel() {
	if c, found := d.Claims["issueDate"]; found && (c.hit.Row == nil || c.hit.Row.Page == 1) {
		return
	} else if found { // on a later page, such as the first day of an annex: that of the letter is before
		delete(d.Claims, "issueDate")
		if !d.placeAndDay() {
			d.Claims["issueDate"] = c
		}
		return
	}
	if d.title.Found && d.dateInRow(d.titleRow()) || d.placeAndDay() {
		return
	}
	for _, r := range d.Layout.Rows {
		if r.Page > 1 || d.isLine[r.Index] {
			return
		}
		for i := 0; i < len(r.Words); i++ {
			if d.beginsPeriod(r.Words[i:]) {
				break
			}
			if day, n := d.Notation.DateAt(r.Words[i:]); n > 0 && d.Used[r.Words[i]] == "" && !isEdition(r) && !isDayOfAnother(r, i) {
				d.Claims["issueDate"] = Claim{Field: "issueDate", Value: day.ISO(), Words: day.Words, Score: lexicon.Weigh().Head.First}
				d.use(day.Words, "issueDate")
				return
			}
		}
	}
}

// placeAndDay takes the day that stands in a cell of the first page with nothing but a place before
// it, as in Trier, den 20.11.2026: a letter has its own day so.
func (d *draft) placeAndDay() bool {
	const longestPlace = 5 // words, with one such as the
	for _, r := range d.Layout.Rows {
		if r.Page > 1 {
			break
		}
		for i := range r.Cells {
			c := &r.Cells[i]
			of := c.Words()
			comma := slices.IndexFunc(of, func(w *layout.Word) bool { return strings.HasSuffix(w.Text, ",") })
			if d.isLine[r.Index] || comma < 0 || comma > longestPlace || !unicode.IsUpper([]rune(of[0].Text)[0]) || lexicon.HasDigit(layout.TextOf(of[:comma+1])) {
				continue
			}
			for at := comma + 1; at <= comma+2 && at < len(of); at++ {
				if day, n := d.Notation.DateAt(of[at:]); n > 0 && at+n == len(of) && d.Used[of[at]] == "" {
					d.accept(Claim{Field: "issueDate", Value: day.ISO(), Words: day.Words, Score: lexicon.Weigh().Head.Untitled})
					return true
				}
			}
		}
	}
	return false
}

// isOfAnotherInTitle reports whether a word such as of before a day follows a dash and what another document is called,
// as in Rent invoice 17 – lease of 11/11/2015.
func isOfAnotherInTitle(r *layout.Row, day int) bool {
	dash := slices.IndexFunc(r.Words[:day], func(w *layout.Word) bool { return len(strings.Trim(w.Text, "-–—·|")) == 0 })
	return dash >= 0 && day-dash > 2 && lexicon.Words().OfDay[lexicon.Fold(r.Words[day-1].Text)] && !lexicon.HasDigit(r.Words[day-2].Text)
}

// dateInRow takes the only day of a row that no label asks for.
func (d *draft) dateInRow(r *layout.Row) bool {
	var found candidate.Date
	for i := 0; r != nil && i < len(r.Words); i++ {
		day, n := d.Notation.DateAt(r.Words[i:])
		if n == 0 || d.Used[r.Words[i]] != "" || isOfAnotherInTitle(r, i) {
			continue
		}
		if len(found.Words) > 0 || isEdition(r) {
			return false
		}
		found = day
		i += n - 1
	}
	if len(found.Words) == 0 {
		return false
	}
	d.accept(Claim{Field: "issueDate", Value: found.ISO(), Words: found.Words, Score: lexicon.Weigh().Head.Untitled})
	return true
}

// IsWeakDay reports whether the day of the invoice is no more than the first one on the page, or has a label that
// neither begins its cell nor follows the number.
func (h *Head) IsWeakDay() bool {
	c := h.Claims["issueDate"]
	if c.hit.Row == nil {
		return c.Score <= lexicon.Weigh().Head.First
	}
	return (!c.hit.StartsCell || isOfDay(&c.hit)) && !followsNumber(&c.hit) // a word such as of may begin a row of a sentence
}
