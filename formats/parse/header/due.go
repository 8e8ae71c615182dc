package header

import (
	"slices"
	"strings"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// dueWithoutLabel takes the day to pay by where no label begins a cell with it: a cell of nothing but a
// word such as by and a day; the day behind that which ends the term of a discount, as in "bis 13.11.2026 mit
// 2 % Skonto, bis 30.11.2026 ohne Abzug"; or that of a sentence which asks for a payment.
func (d *draft) dueWithoutLabel() {
	d.dueAfterIssue()
	if have, found := d.Claims["dueDate"]; found && have.hit.StartsCell {
		return
	}
	var by, behind, asked []candidate.Date
	for _, r := range d.Layout.Rows {
		if d.isLine[r.Index] {
			continue
		}
		by = append(by, d.byCells(r)...)
		if day, found := d.behindDiscount(r); found {
			behind = append(behind, day)
		}
		asked = append(asked, d.askedBy(r)...)
	}
	issued := d.Claims["issueDate"].Value
	if _, found := d.Claims["dueDate"]; found {
		asked = nil // a label in a sentence says more
	}
	for _, days := range [][]candidate.Date{by, behind, asked} {
		if len(days) == 1 && days[0].ISO() >= issued && d.isFreeDay(days[0].Words) {
			delete(d.Claims, "dueDate")
			d.accept(Claim{Field: "dueDate", Value: days[0].ISO(), Words: days[0].Words, Score: lexicon.Weigh().Head.Titled})
			return
		}
	}
}

// dueAfterIssue takes the next best day to pay by where the best one is before the day of the invoice, as in Deposit
// paid by card 24 March.
func (d *draft) dueAfterIssue() {
	issued := d.Claims["issueDate"].Value
	if due, found := d.Claims["dueDate"]; !found || due.Value >= issued {
		return
	}
	others := d.Alternatives["dueDate"]
	if at := slices.IndexFunc(others, func(c Claim) bool { return c.Value >= issued && d.isFreeDay(c.Words) }); at >= 0 {
		others[at], d.Claims["dueDate"] = d.Claims["dueDate"], others[at]
	}
}

// isFreeDay reports whether no field but another day has the words of a day.
func (d *draft) isFreeDay(of []*layout.Word) bool {
	return !slices.ContainsFunc(of, func(w *layout.Word) bool { return d.Used[w] != "" && headerKinds[d.Used[w]] != kindDate })
}

// byCells are the days of the cells of a row that have a word such as by before them and nothing else.
func (d *draft) byCells(r *layout.Row) (days []candidate.Date) {
	for i := range r.Cells {
		of := r.Cells[i].Words()
		for before := 1; before <= longestBy && before < len(of); before++ {
			if !isBy(of[:before]) {
				continue
			}
			if day, n := d.Notation.DateAt(of[before:]); n > 0 && before+n == len(of) {
				days = append(days, day)
			}
		}
	}
	return days
}

// askedBy are the days in a row that a word such as due is behind, or a word such as by before, and one that asks for a
// payment.
func (d *draft) askedBy(r *layout.Row) (days []candidate.Date) {
	for i := range r.Words {
		if day, n := d.Notation.DateAt(r.Words[i:]); n > 0 && i+n < len(r.Words) && lexicon.Words().DueBehind[folded(r.Words[i+n])] {
			days = append(days, day)
		}
	}
	asks := slices.IndexFunc(r.Words, isToPay)
	if asks < 0 || len(days) > 0 {
		return days
	}
	for i := asks + 1; i < len(r.Words); i++ {
		if day, n := d.Notation.DateAt(r.Words[i:]); n > 0 && endsWithBy(r.Words[:i]) && !endsDiscount(&layout.Hit{Row: r, First: asks, Last: asks}, day.Words) {
			days = append(days, day)
		}
	}
	return days
}

// IsDayOfSentence reports whether nothing but a word such as by makes a day that to pay by, within a text that asks for
// no payment, as in Our office is closed / until 6 January.
func (h *Head) IsDayOfSentence(l *layout.Layout) bool {
	c, found := h.Claims["dueDate"]
	if !found || c.hit.Row == nil || !isBy(c.hit.Words()) {
		return false
	}
	r := c.hit.Row
	of := r.Words
	if r.Index > 0 && isNext(l.Rows[r.Index-1], r) {
		of = slices.Concat(l.Rows[r.Index-1].Words, of)
	}
	goesOn := of[len(of)-1] != c.Words[len(c.Words)-1] || of[0] != r.Words[c.hit.First]
	return goesOn && !slices.ContainsFunc(of, asksForPayment)
}

// asksForPayment reports whether a word is one that a sentence has which asks for a payment or says when it is due.
func asksForPayment(w *layout.Word) bool {
	f := folded(w)
	return lexicon.Words().DueBehind[f] || isDiscount(w) || isToPay(w)
}

// isToPay reports whether a word begins as one that asks for a payment.
func isToPay(w *layout.Word) bool {
	return beginsAs(w, lexicon.Words().PayStems)
}

// beginsAs reports whether a word begins as one of a list of stems does.
func beginsAs(w *layout.Word, stems []string) bool {
	f := folded(w)
	return slices.ContainsFunc(stems, func(stem string) bool { return strings.HasPrefix(f, stem) })
}

// longestBy is how many words such as by stand before a day at most.
const longestBy = 4

func isBy(of []*layout.Word) bool { return lexicon.Words().ByWords[lexicon.Fold(layout.TextOf(of))] }

func endsWithBy(of []*layout.Word) bool {
	for n := 1; n <= min(longestBy, len(of)); n++ {
		if isBy(of[len(of)-n:]) {
			return true
		}
	}
	return false
}

// behindDiscount is the day in a row, or in the one below, that follows one which ends the term of a discount.
func (d *draft) behindDiscount(r *layout.Row) (found candidate.Date, ok bool) {
	if !slices.ContainsFunc(r.Words, isDiscount) {
		return found, false
	}
	words := slices.Clone(r.Words)
	if below := d.RowBelow(r); below != nil {
		words = append(words, below.Words...)
	}
	var first string
	for i := range words {
		day, n := d.Notation.DateAt(words[i:])
		if n == 0 || !endsWithBy(words[:i]) {
			continue
		}
		switch {
		case first == "" && slices.Contains(r.Words, words[i]):
			first = day.ISO()
		case first != "" && day.ISO() > first:
			return day, true
		}
	}
	return found, false
}

// IsOfOtherPayment reports whether the row of a day says that it is that of a discount for early payment or of the next
// payment.
func IsOfOtherPayment(r *layout.Row) bool {
	return slices.ContainsFunc(r.Words, func(w *layout.Word) bool {
		return isDiscount(w) || lexicon.Words().NextWords[folded(w)]
	})
}
