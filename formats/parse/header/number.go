package header

import (
	"math"
	"slices"
	"strings"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// isCited reports whether a label of a number goes on after another word of its cell, as in Riferimento fattura:
// the number may be that of another document.
func isCited(h *layout.Hit) bool {
	if h.Field != "number" || h.StartsCell {
		return false
	}
	if layout.HasMoney(h.Row) || strings.HasPrefix(h.Row.Words[h.First].Text, "(") { // what an amount is about
		return true
	}
	titles := h.Row.Find(&lexicon.Words().Titles)
	for i := h.First - 1; i >= h.Row.Cells[h.Row.CellAt(h.First)].First; i-- {
		w := h.Row.Words[i]
		before := lexicon.Fold(w.Text)
		switch {
		case strings.HasSuffix(w.Text, ":") || lexicon.HasDigit(before):
			return false
		case len(before) >= leastOfWord && !lexicon.Words().TitleAsides[before] && !slices.ContainsFunc(titles, func(o layout.Hit) bool { return o.First <= i && o.Last >= i }):
			return true
		}
	}
	return false
}

// isOfSentence reports whether a label of a number begins a row of a paragraph that goes on from the row above and says
// an amount, as in the / invoice 17 of 200 € is void: the number may be that of another document.
func (d *draft) isOfSentence(h *layout.Hit) bool {
	r := h.Row
	if h.Field != "number" || h.First > 0 || r.Index == 0 || len(r.Cells) > 1 || len(r.Words) < leastOfSentence || !layout.HasMoney(r) {
		return false
	}
	above := d.Layout.Rows[r.Index-1]
	last := above.Words[len(above.Words)-1]
	return len(above.Cells) == 1 && len(above.Words) >= leastOfSentence && isNext(above, r) && !isEndOfSentence(last) && !strings.HasSuffix(last.Text, ":")
}

// isCredited reports whether a label on a credit note calls its number that of an invoice, and goes on after another
// word, as in Ref. invoice 17, or another label calls a number that of a credit note: it is the one that is credited.
func (d *draft) isCredited(h *layout.Hit) bool {
	return d.title.Code == creditNote && h.Field == "number" && (!h.StartsCell || d.numbersCredit || d.isBelowReference(h)) && callsNoCredit(h)
}

// isBelowReference reports whether the cell of a label is below one that asks for the credited invoice, as Rechnung 17
// below Bezug.
func (d *draft) isBelowReference(h *layout.Hit) bool {
	if h.Row.Index == 0 {
		return false
	}
	left := h.Row.Cells[h.Row.CellAt(h.First)].Left
	above := d.Layout.Rows[h.Row.Index-1]
	return slices.ContainsFunc(above.Find(&lexicon.Words().Header), func(o layout.Hit) bool {
		return o.Field == "precedingInvoice" && o.StartsCell && math.Abs(above.Words[o.First].Box.Left-left) < 3
	})
}

// callsNoCredit reports whether the words of a label call the document an invoice, and no credit note.
func callsNoCredit(h *layout.Hit) bool {
	return callsInvoice(h) && !lexicon.CallsCredit(layout.TextOf(h.Words()))
}

// creditNote is the code of a credit note (UNTDID 1001).
const creditNote = "381"

// endsCell reports whether a word is the last of its cell.
func endsCell(r *layout.Row, w *layout.Word) bool {
	at := slices.Index(r.Words, w)
	return at >= 0 && r.Cells[r.CellAt(at)].Last == at
}

// IsCited reports whether the number of the invoice is one that a label gives inside of other words.
func (h *Head) IsCited() bool {
	c, found := h.Claims["number"]
	return found && (h.cited || c.hit.Row != nil && isCited(&c.hit))
}

// IsOrderOpen reports whether the order may be the number of the customer: nothing but a reference of who is called so is
// asked for, as by Référence client, and what is behind it has digits alone.
func (h *Head) IsOrderOpen() bool {
	c, found := h.Claims["order"]
	isOfBuyer := func(w *layout.Word) bool {
		role, known := lexicon.Words().Parties.Exactly(w.Text)
		return known && role == "buyer"
	}
	return found && c.hit.Field == "yourReference" && slices.ContainsFunc(c.hit.Words(), isOfBuyer) && !strings.ContainsFunc(c.Value, func(r rune) bool { return r < '0' || r > '9' })
}

// numberInTitle takes the identifier in a line of large letters that follows a word for
// number, as in Rent invoice no. 4711, where no label asks for one.
func (d *draft) numberInTitle() {
	if _, found := d.Claims["number"]; found {
		return
	}
	for _, r := range d.Layout.Rows {
		if r.Page > 1 || r.Top > 0.5*d.Layout.Pages[0].Height {
			return
		}
		if r.Size() < 1.15*d.Layout.Usual {
			continue
		}
		for i := 1; i+1 < len(r.Words); i++ {
			if len(r.Words[i].Tokens) == 0 || !isFiller(r.Words[i].Text) || lexicon.Fold(r.Words[i].Text) == "de" {
				continue
			}
			if id, n := idAt(r.Words[i+1:]); n > 0 && d.Used[r.Words[i+1]] == "" {
				of := r.Words[i+1 : i+1+n]
				d.Claims["number"] = Claim{Field: "number", Value: id, Words: of, Score: lexicon.Weigh().Head.Titled}
				d.use(of, "number")
				return
			}
		}
	}
}

// numberBehindTitle takes the identifier that ends the cell of the title, where no label asks for one, as in
// Hotelrechnung 118830.
func (d *draft) numberBehindTitle() {
	if _, found := d.Claims["number"]; found || !d.title.Own {
		return
	}
	row, title := d.titleRow(), d.title.hit
	behind := row.Words[title.Last+1 : row.Cells[row.CellAt(title.Last)].Last+1]
	if len(behind) > 0 && isFiller(behind[0].Text) {
		behind = behind[1:]
	}
	if _, isDate := d.Notation.DateAt(behind); isDate > 0 || len(behind) == 0 || d.Used[behind[0]] != "" {
		return
	}
	id, n := idAt(behind)
	if n > 0 && (n == len(behind) || len(strings.Trim(behind[n].Text, "-–—·|")) == 0) { // Rent invoice 17 – lease of 11/11/2015
		d.Claims["number"] = Claim{Field: "number", Value: id, Words: behind[:n], Score: lexicon.Weigh().Head.Titled}
		d.use(behind[:n], "number")
	}
}

// numberBehindName takes the identifier behind what calls the document an invoice in the upper half of the first page,
// where no label and no title gives one: behind a colon, as in Huurnota: 17, or a word for number, as in the subject
// Note d'honoraires n° 17.
func (d *draft) numberBehindName() {
	if _, found := d.Claims["number"]; found {
		return
	}
	for _, r := range d.Layout.Rows {
		if r.Page > 1 || r.Top > headingPart*d.Layout.Pages[0].Height {
			return
		}
		for _, h := range r.Find(&lexicon.Words().Titles) {
			behind := r.Words[h.Last+1:]
			if !isInvoice(h.Field) || isInRow(&h) || d.isLine[r.Index] || len(behind) < 2 && !h.Colon || len(behind) == 0 {
				continue
			}
			switch {
			case behind[0].Text == ":", isFiller(behind[0].Text) && lexicon.Fold(behind[0].Text) != "de":
				behind = behind[1:]
			case !h.Colon:
				continue
			}
			if _, isDate := d.Notation.DateAt(behind); isDate > 0 || d.Used[behind[0]] != "" {
				continue
			}
			if id, n := idAt(behind); n > 0 {
				of := behind[:n]
				d.Claims["number"] = Claim{Field: "number", Value: id, Words: of, Score: lexicon.Weigh().Head.Untitled}
				d.use(of, "number")
				d.cited = !h.StartsCell
				return
			}
		}
	}
}

// numberOfSubject takes the number of what the page is about, as in Betreft: factuur 17, where it has no other and is no
// credit note.
func (d *draft) numberOfSubject() {
	about, found := d.Claims["precedingInvoice"]
	if _, numbered := d.Claims["number"]; !found || numbered || d.title.Code == creditNote {
		return
	}
	delete(d.Claims, "precedingInvoice")
	about.Field = "number"
	d.Claims["number"], d.cited = about, true
}

// isMiddle reports whether a cell has the middle of the first cell of a row.
func isMiddle(c *layout.Cell, of *layout.Row) bool {
	return math.Abs(c.Left+c.Right-of.Cells[0].Left-of.Cells[0].Right) < 6
}

// isDayBehind reports whether words are a day, with what may stand before it behind a number: a word such as of, a
// separator, or the label of a day.
func (d *draft) isDayBehind(of []*layout.Word) bool {
	const before = 3 // words
	for i := 0; i <= before && i < len(of); i++ {
		if _, n := d.Notation.DateAt(of[i:]); n > 0 {
			return i+n == len(of)
		}
		if lexicon.HasDigit(of[i].Text) {
			return false
		}
	}
	return false
}

// numberBelowTitle takes the identifier that is alone in a cell below the title, or with its day, where
// no label asks for one.
func (d *draft) numberBelowTitle() {
	if _, found := d.Claims["number"]; found || !d.title.Found {
		return
	}
	title := d.title.Words[0]
	row := d.titleRow()
	last := row.Words[row.Cells[row.CellAt(slices.Index(row.Words, title))].Last]
	for _, r := range d.Layout.Rows {
		below := r.Top - title.Box.Bottom
		if r.Page > 1 || below < -0.5*title.Size || below > 5*title.Size {
			continue
		}
		if d.isLine[r.Index] { // what follows is a position or an amount
			return
		}
		for i := range r.Cells {
			of := r.Cells[i].Words()
			isBelow := math.Abs(r.Cells[i].Left-title.Box.Left) <= 4 || isMiddle(&r.Cells[i], row)
			if len(of) > 1 && isFiller(of[0].Text) && lexicon.Fold(of[0].Text) != "de" { // Nr. 17, which may be set to the right
				of, isBelow = of[1:], isBelow || math.Abs(r.Cells[i].Right-last.Box.Right) <= 4
			}
			if _, isDate := d.Notation.DateAt(of); isDate > 0 || !isBelow {
				continue
			}
			if id, n := idAt(of); n > 0 && (n == len(of) || d.isDayBehind(of[n:])) && d.Used[of[0]] == "" {
				d.Claims["number"] = Claim{Field: "number", Value: id, Words: of[:n], Score: lexicon.Weigh().Head.Untitled}
				d.use(of[:n], "number")
				return
			}
		}
	}
}

// idAt is the identifier that words begin with, and how many of them it has, with the groups that it goes on in.
func idAt(of []*layout.Word) (id string, n int) {
	id, n = candidate.IDAt(of)
	if grouped := groupsAt(of, n); grouped > n {
		return layout.TextOf(of[:grouped]), grouped
	}
	return id, n
}

// groupsAt is how many words a number has that goes on in groups to the end of its cell or to a dash, as F26 1008 774 or
// Q091 7Y; as many as it had where it does not.
func groupsAt(of []*layout.Word, n int) int {
	at := n
	for n > 0 && at < len(of) && layout.Near(of[at-1], of[at]) && len(of[at].Tokens) > 0 {
		if !group().MatchString(of[at].Text) {
			return n
		}
		at++
	}
	if at-n == 1 && year().MatchString(of[n].Text) { // 17 2026
		return n
	}
	return at
}

// group matches a part of a number: digits, and capitals where there are digits.
var group = lexicon.Pattern(`^(?:[A-Z]{0,3}\d+|\d+[A-Z]{1,3})$`)

// year matches a year that an invoice may be of.
var year = lexicon.Pattern(`^(?:19|20)\d\d$`)

// wholeDate matches a day with its year in full. A number such as 12/11/26 may look like a day.
var wholeDate = lexicon.Pattern(`^(?:\d{1,2}/\d{1,2}/\d{4}|\d{4}/\d{1,2}/\d{1,2})$`)
