package parties

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// cutBehindForms ends the names of seller and buyer at their legal form, where a comma or a dash is behind it, as in
// Reed Ltd, 2 Mill Lane, or the company of the next column.
func (d *draft) cutBehindForms() {
	for _, role := range []string{"seller", "buyer"} {
		p := d.ByRole[role]
		if p == nil {
			continue
		}
		n := legalForm(p.Name.Words)
		if n == 0 || n == len(p.Name.Words) {
			continue
		}
		if d.isCompanyBeside(p.Name.Words[n:]) {
			p.Name, p.Part = nameOf(p.Name.Words[:n]), true
			continue
		}
		if last, next := p.Name.Words[n-1].Text, p.Name.Words[n].Text; strings.HasSuffix(last, ",") || strings.Trim(next, "-–—·|") == "" {
			p.Name = candidate.Printed{Value: strings.TrimRight(layout.TextOf(p.Name.Words[:n]), ","), Words: p.Name.Words[:n]}
		}
	}
}

// isCompanyBeside reports whether words behind a name are the company of the next column, which a long name comes near to:
// they have a legal form of their own, and what is below them begins at the same edge.
func (d *draft) isCompanyBeside(of []*layout.Word) bool {
	const near = 1.5 // points
	row := d.Layout.RowOf(of[0])
	if !HasLegalForm(of) || row == nil || row.Index+1 >= len(d.Layout.Rows) {
		return false
	}
	below := d.Layout.Rows[row.Index+1]
	return below.Page == row.Page && slices.ContainsFunc(below.Cells, func(c layout.Cell) bool { return math.Abs(c.Left-of[0].Box.Left) < near })
}

// cutTitles takes how a letter addresses a person from the beginning of a name: Ms Erika Arndt is Erika Arndt.
func (d *draft) cutTitles() {
	const left = 2 // words that a name has without
	for _, p := range d.ByRole {
		if p == nil || HasLegalForm(p.Name.Words) { // PAN Software GmbH is not addressed as Mr
			continue
		}
		of := p.Name.Words
		w := lexicon.Words()
		for len(of) > left && unicode.IsUpper([]rune(of[1].Text)[0]) &&
			(w.PersonTitles[lexicon.Fold(of[0].Text)] || w.Addressed[lexicon.Fold(of[0].Text)] && w.Addressed[lexicon.Fold(of[1].Text)]) { // An Familie Berg
			of = of[1:]
		}
		if len(of) < len(p.Name.Words) {
			p.Name = candidate.Printed{Value: layout.TextOf(of), Words: of}
		}
	}
}

// trimNames takes from the names what stands beside them: signs alone before and behind them, the word for an owner before
// a company, and the beginning of a sentence, as in the account of Reed Ltd.
func (d *draft) trimNames() {
	for _, p := range d.ByRole {
		if p == nil || len(p.Name.Words) == 0 {
			continue
		}
		of := p.Name.Words
		isSign := func(w *layout.Word) bool { return !strings.ContainsFunc(w.Text, isOfWord) }
		for len(of) > 1 && isSign(of[0]) {
			of = of[1:]
		}
		for len(of) > 1 && isSign(of[len(of)-1]) && !strings.HasSuffix(of[len(of)-1].Text, ")") {
			of = of[:len(of)-1]
		}
		if HasLegalForm(of) {
			whole := of
			of = behindOwner(behindBeginning(behindSentence(of)))
			if !HasLegalForm(of) { // nothing but the form is left, as of Café chez nous Ltd
				of = whole
			}
			p.Part = p.Part || len(of) < len(whole) && isOfName(whole[0].Text) // small words are of a sentence, but of some names too
		}
		if value := d.withoutStop(strings.Trim(layout.TextOf(of), " ,;:")); len(of) < len(p.Name.Words) || value != p.Name.Value && strings.HasPrefix(p.Name.Value, value) {
			p.Name = candidate.Printed{Value: value, Words: of}
		}
	}
}

// isOfWord reports whether a character is one of words and numbers.
func isOfWord(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }

// withoutStop is a name without the full stop of its sentence: behind a word of more letters than an abbreviation has,
// or where another place of the pages has the name without it.
func (d *draft) withoutStop(name string) string {
	const longest = 4 // letters of an abbreviation
	last := name[strings.LastIndexByte(name, ' ')+1:]
	word, ends := strings.CutSuffix(last, ".")
	if !ends || strings.Contains(word, ".") {
		return name
	}
	bare := strings.TrimSuffix(name, ".")
	isWithout := func(r *layout.Row) bool {
		_, behind, found := strings.Cut(layout.TextOf(r.Words)+" ", bare)
		next, _ := utf8.DecodeRuneInString(behind)
		return found && next != '.' && !isOfWord(next)
	}
	if utf8.RuneCountInString(word) > longest || slices.ContainsFunc(d.Layout.Rows, isWithout) {
		return bare
	}
	return name
}

// behindOwner are the words of a company behind the word for its owner, as in Owner Reed Ltd.
func behindOwner(of []*layout.Word) []*layout.Word {
	for len(of) > 2 && lexicon.Words().OfPersons[lexicon.Fold(strings.Trim(of[0].Text, ".:"))] {
		of = of[1:]
	}
	return of
}

// behindBeginning are the words of a company behind those of a sentence that begins in small letters and has a word in small
// letters right before the company: das Konto der Reed GmbH is Reed GmbH, and von der Heydt GmbH is whole.
func behindBeginning(of []*layout.Word) []*layout.Word {
	isSmall := func(w *layout.Word) bool { r, _ := utf8.DecodeRuneInString(w.Text); return unicode.IsLower(r) }
	if !isSmall(of[0]) {
		return of
	}
	last := 0
	for i, w := range of[:len(of)-1] {
		if isSmall(w) && !isSmall(of[i+1]) {
			last = i
		}
	}
	if isRun := !slices.ContainsFunc(of[:last+1], func(w *layout.Word) bool { return !isSmall(w) }); isRun {
		return of
	}
	return of[last+1:]
}

// findParts finds out of seller and buyer whether their name may be a part of a longer one.
func (d *draft) findParts(blocks []*block, domains []string) {
	for _, role := range []string{"seller", "buyer"} {
		if p := d.ByRole[role]; p != nil && len(p.Name.Words) > 0 {
			p.Part = p.Part || d.isPart(p, blocks, domains)
			p.GoesOn = !HasLegalForm(p.Name.Words) && d.goesOnBelow(p)
		}
	}
}

// isPart reports whether a name may be a part of a longer one: a row above or below it in its block may belong to it,
// or another place of the pages has more words right beside it; or it is none at all: a street, several texts, or whoever
// owns or leads a company. A legal form, a place that has the name between separators, and a domain that is the name and
// no more, say where it ends.
func (d *draft) isPart(p *party, blocks []*block, domains []string) bool {
	if candidate.Separators().MatchString(p.Name.Value) || isStreet(p.Name) || lexicon.Words().OfPersons[lexicon.Fold(p.Name.Words[0].Text)] {
		return true
	}
	places := d.placesOf(p)
	if slices.ContainsFunc(places, goesOnBeside) || d.hasMark(p.Name.Words) {
		return true
	}
	at, cell := inBlock(p.Name.Words[0], blocks)
	if at == nil {
		return false
	}
	if cell > 0 && !d.isOutside(at.cells[cell-1]) && !lexicon.Words().Salutation.MatchString(at.cells[cell-1].Text()) {
		return true
	}
	isClosed := HasLegalForm(p.Name.Words) || slices.Contains(domains, lettersOf(p.Name.Value)) || slices.ContainsFunc(places, func(of layout.Hit) bool {
		return of.Row != at.cells[cell].Row && endsBeside(of)
	})
	return !isClosed && cell+1 < len(at.cells) && !d.isExplained(at.cells[cell+1])
}

// isInitials reports whether a word in capital letters has those that the words of a text begin with, as TM before
// Transportes Moncayo.
func isInitials(word, text string) bool {
	const least = 2 // letters
	var initials strings.Builder
	for _, part := range strings.FieldsFunc(text, func(c rune) bool { return c == ' ' || c == '-' }) {
		if r, _ := utf8.DecodeRuneInString(part); unicode.IsUpper(r) {
			initials.WriteRune(r)
		}
	}
	return utf8.RuneCountInString(word) >= least && word == strings.ToUpper(word) && strings.HasPrefix(initials.String(), word)
}

// hasMark reports whether the first word of a name may be the mark beside it: it has the initials of the others, or
// another place of the pages begins a cell with the name of the company without it.
func (d *draft) hasMark(of []*layout.Word) bool {
	const least = 3 // words of such a name
	if len(of) < least {
		return false
	}
	if isInitials(of[0].Text, layout.TextOf(of[1:])) {
		return true
	}
	if !HasLegalForm(of[1:]) {
		return false
	}
	bare := layout.TextOf(of[1:])
	return slices.ContainsFunc(d.Layout.Rows, func(r *layout.Row) bool {
		return slices.ContainsFunc(r.Cells, func(c layout.Cell) bool { return strings.HasPrefix(c.Text(), bare) })
	})
}

// isStreet reports whether a name without a legal form begins or ends as streets do, as Via Verdi or Lange Straße.
func isStreet(name candidate.Printed) bool {
	if HasLegalForm(name.Words) {
		return false
	}
	w := lexicon.Words()
	first, last := lexicon.Fold(name.Words[0].Text), lexicon.Fold(name.Words[len(name.Words)-1].Text)
	return w.StreetsFirst[first] || slices.ContainsFunc(w.StreetsLast, func(end string) bool { return strings.HasSuffix(last, end) })
}

// inBlock is the block that a word is in, and in which of its cells; nil where it is in none.
func inBlock(w *layout.Word, blocks []*block) (*block, int) {
	for _, b := range blocks {
		for i, c := range b.cells {
			if slices.Contains(c.Words(), w) {
				return b, i
			}
		}
	}
	return nil, 0
}

// isExplained reports whether a cell below a name is no part of it: it has a digit or is a city, as addresses have, a
// country, or outside of names at all.
func (d *draft) isExplained(c *layout.Cell) bool {
	s := c.Text()
	_, isCountry := lexicon.Words().Countries.Exactly(s)
	return isCountry || lexicon.HasDigit(s) || isCityCell(c) || d.isOutside(c)
}

// isOutside reports whether a cell beside a name is a label, a title, or what senders print.
func (d *draft) isOutside(c *layout.Cell) bool {
	s := c.Text()
	role, _ := partyLabel(c)
	return role != "" || layout.IsLabel(c) || isTitle(c) || d.startsHeader(c) || d.isSellersMark(c) || senderParts(c) != nil || lexicon.Words().Attention.MatchString(s) || isPartLabel(s)
}

// placesOf are the places of the pages with the words of a name, each in one cell: the cells of a row that lead to it
// together are several texts.
func (d *draft) placesOf(p *party) (places []layout.Hit) {
	const most = 20
	first := lexicon.Fold(p.Name.Words[0].Text)
	whole := lettersOf(p.Name.Value)
	n := len(p.Name.Words)
	for _, r := range d.Layout.Rows {
		for _, c := range r.Cells {
			for i := c.First; i+n-1 <= c.Last && len(places) < most; i++ {
				if lexicon.Fold(r.Words[i].Text) == first && lettersOf(layout.TextOf(r.Words[i:i+n])) == whole {
					places = append(places, layout.Hit{Row: r, First: i, Last: i + n - 1})
				}
			}
		}
	}
	return places
}

// goesOnBeside reports whether a word of a name stands right before or behind a place: a word with a capital letter in
// its cell, with no separator between. A legal form behind is no more than the form of the name.
func goesOnBeside(of layout.Hit) bool {
	c := &of.Row.Cells[of.Row.CellAt(of.First)]
	if of.First > c.First {
		if w := of.Row.Words[of.First-1]; isOfName(w.Text) && !strings.ContainsAny(w.Text[len(w.Text)-1:], ",;:.|") {
			return true
		}
	}
	last := of.Row.Words[of.Last].Text
	return of.Last < c.Last && !strings.ContainsAny(last[len(last)-1:], ",;:|") && isOfName(of.Row.Words[of.Last+1].Text) &&
		legalForm(of.Row.Words[of.Last:c.Last+1]) == 0
}

// endsBeside reports whether a place has nothing of its cell behind it but what is parted from it.
func endsBeside(of layout.Hit) bool {
	c := &of.Row.Cells[of.Row.CellAt(of.First)]
	last := of.Row.Words[of.Last].Text
	if of.Last == c.Last || strings.ContainsAny(last[len(last)-1:], ",;|") {
		return of.Last < c.Last // the name alone in its cell may go on in the next row
	}
	r, _ := utf8.DecodeRuneInString(of.Row.Words[of.Last+1].Text)
	return !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// isOfName reports whether a word may be one of a name: it begins with a capital letter.
func isOfName(s string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, `"'„«“`))
	return unicode.IsUpper(r)
}
