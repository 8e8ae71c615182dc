package header

import (
	"slices"
	"strings"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// How far a day is from the word that says what was done on it.
const (
	saidBefore = 6 // words from it to the day
	saidAfter  = 3 // words before it that say what of, as in payment completed
	saidBehind = 9 // words from the day to it, as in the works done at your house
)

// deliveryOfSentence takes the day that the pages say something was delivered, done or held on, as in
// Work completed 3 June, or Travaux achevés le 3 juin, where no label asks for it, and all such words name one day.
func (d *draft) deliveryOfSentence() {
	if _, found := d.Claims["deliveryDate"]; found {
		return
	}
	var days []candidate.Date
	for _, r := range d.Layout.Rows {
		if !d.isLine[r.Index] || !layout.HasMoney(r) && d.isOfAllLines(r) {
			days = append(days, d.performedOn(r)...)
		}
	}
	for _, day := range days {
		if day.ISO() != days[0].ISO() {
			return
		}
	}
	if len(days) > 0 {
		d.Claims["deliveryDate"] = Claim{Field: "deliveryDate", Value: days[0].ISO(), Words: days[0].Words, Score: lexicon.Weigh().Head.Titled}
		d.use(days[0].Words, "deliveryDate")
	}
}

// isOfAllLines reports whether a row of the table says what it says of all lines: it is above the first, or there is one.
func (d *draft) isOfAllLines(r *layout.Row) bool {
	return len(d.lines) < 2 || r.Index < d.lines[0].Row.Index
}

// performedOn are the days that a row, with what its last sentence goes on with in the next one, says something was done on.
func (d *draft) performedOn(r *layout.Row) (days []candidate.Date) {
	of := r.Words
	if below := d.RowBelow(r); below != nil && len(r.Words) >= leastOfSentence {
		of = slices.Concat(of, below.Words)
	}
	for i := range r.Words {
		if !isPerformed(of[i]) || slices.ContainsFunc(of[max(i-saidAfter, 0):i], isOfOtherDay) {
			continue
		}
		if day, found := d.dayBehind(of, i); found {
			days = append(days, day)
		} else if day, found := d.dayBefore(of, i); found {
			days = append(days, day)
		}
	}
	for i := len(r.Words); i < len(of); i++ { // am 3. Juni / ausgeführten
		if day, found := d.dayBefore(of, i); found && isPerformed(of[i]) && slices.Contains(r.Words, day.Words[0]) {
			days = append(days, day)
		}
	}
	return days
}

// dayBehind is the day behind a word that says what was done.
func (d *draft) dayBehind(of []*layout.Word, said int) (candidate.Date, bool) {
	for i := said + 1; i < len(of) && i <= said+saidBefore; i++ {
		if day, n := d.Notation.DateAt(of[i:]); n > 0 {
			return day, !d.beginsPeriod(restOfRow(d.Layout.RowOf(of[i]), of[i])) && !endsWithBy(of[said+1:i]) && d.isOpenDay(day.Words)
		}
		if w := of[i]; lexicon.HasDigit(w.Text) || isEndOfSentence(of[i-1]) || isOfOtherDay(w) {
			break
		}
	}
	return candidate.Date{}, false
}

// restOfRow are the words of a row from one on.
func restOfRow(r *layout.Row, from *layout.Word) []*layout.Word {
	return r.Words[slices.Index(r.Words, from):]
}

// dayBefore is the day before a word that says what was done, behind a word such as on.
func (d *draft) dayBefore(of []*layout.Word, said int) (candidate.Date, bool) {
	for i := said - 1; i > 0 && i >= said-saidBehind; i-- {
		if isEndOfSentence(of[i]) && !lexicon.HasDigit(of[i].Text) || isOfOtherDay(of[i]) {
			break
		}
		if !lexicon.Words().OnWords[lexicon.Fold(of[i-1].Text)] {
			continue
		}
		if day, n := d.Notation.DateAt(of[i:]); n > 0 && i+n <= said {
			return day, d.isOpenDay(day.Words) && !strings.HasSuffix(of[i+n-1].Text, ".")
		}
	}
	return candidate.Date{}, false
}

// isOpenDay reports whether no field has the words of a day, or only the day of the invoice, by a word within the sentence.
func (d *draft) isOpenDay(of []*layout.Word) bool {
	issued := d.Claims["issueDate"].hit
	isOfSentence := issued.Row != nil && !issued.StartsCell
	return !slices.ContainsFunc(of, func(w *layout.Word) bool { return d.Used[w] != "" && !(isOfSentence && d.Used[w] == "issueDate") })
}

// isPerformed reports whether a word begins as one that says that something was delivered, done or held.
func isPerformed(w *layout.Word) bool {
	return beginsAs(w, lexicon.Words().PerformedStems)
}

// isOfOtherDay reports whether a word says that the day behind it is another one: that of a payment or of a document.
func isOfOtherDay(w *layout.Word) bool {
	return isToPay(w) || lexicon.Words().PaidWords[folded(w)] || beginsAs(w, lexicon.Words().InvoiceStems)
}
