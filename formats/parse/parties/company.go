package parties

import (
	"slices"
	"strings"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// takeWhole takes the seller's name as another place of the pages has it with its legal form, as Pfaff Sanitär GmbH where
// the letterhead has Pfaff, if all such places have one.
func (d *draft) takeWhole() {
	p := d.seller()
	if p.Name.Value == "" || p.Labelled || HasLegalForm(p.Name.Words) {
		return
	}
	var whole candidate.Printed
	first := lettersOf(p.Name.Words[0].Text)
	for _, r := range d.Layout.Rows {
		for i, w := range r.Words {
			if d.isLine[r.Index] || lettersOf(w.Text) != first {
				continue
			}
			of := companyAt(r, i, p.Name.Words)
			name := nameOf(of)
			if len(of) == 0 || !isName(name.Value) || isBank(of) || d.isOfOther(name.Value) {
				continue
			}
			if whole.Value != "" && lexicon.Fold(whole.Value) != lexicon.Fold(name.Value) {
				return
			}
			whole = name
		}
	}
	if whole.Value != "" {
		p.Others = append(p.Others, p.Name)
		p.Name = whole
	}
}

// isOfOther reports whether a name is that of another party than the seller.
func (d *draft) isOfOther(name string) bool {
	for role, p := range d.ByRole {
		if role != "seller" && p != nil && lexicon.Fold(p.Name.Value) == lexicon.Fold(name) {
			return true
		}
	}
	return false
}

// companyAt is the company with a legal form that has a name at a word of a row, its first, or that word alone where it has
// letters enough to stand for one: with the words in capitals before it, as in SARL Le Goff and Garage Le Goff SA.
func companyAt(r *layout.Row, at int, name []*layout.Word) []*layout.Word {
	const enough = 6 // letters
	cell := &r.Cells[r.CellAt(at)]
	of := r.Words[:cell.Last+1]
	end := at + 1
	if at+len(name) <= len(of) && lettersOf(layout.TextOf(of[at:at+len(name)])) == lettersOf(layout.TextOf(name)) {
		end = at + len(name)
	} else if len(lettersOf(name[0].Text)) < enough {
		return nil
	}
	for at > cell.First && isBeforeName(of[cell.First:at]) {
		at--
	}
	n := legalForm(of[at:])
	if n == 0 && lexicon.Words().LegalForms[lexicon.Fold(of[at].Text)] && isOfName(of[at].Text) {
		n = end - at
	}
	for n > 0 && !strings.ContainsFunc(of[at+n-1].Text, isOfWord) { // the sign that parts it from what follows
		n--
	}
	if n < end-at || n > longName || slices.ContainsFunc(of[at:at+n], func(w *layout.Word) bool { return !isNameWord(w.Text) }) {
		return nil
	}
	return of[at : at+n]
}

// isBeforeName reports whether the last of some words may be one of the name behind them: it begins with a capital letter, or
// joins one that does with it.
func isBeforeName(of []*layout.Word) bool {
	last := of[len(of)-1].Text
	if endsPart(last) || strings.HasSuffix(last, ".") && len(last) > longestTitle || lexicon.HasDigit(last) {
		return false
	}
	return isOfName(last) || len(of) > 1 && lexicon.Words().NameJoiners[lexicon.Fold(last)] && isOfName(of[len(of)-2].Text) && !endsPart(of[len(of)-2].Text)
}

// longestTitle is how many letters a word with a full stop has in a name, as in St. and Dipl.
const longestTitle = 5

// endsPart reports whether a word ends a part of a line, or is a sign between two.
func endsPart(s string) bool {
	return strings.ContainsAny(s[len(s)-1:], ",;:|") || !strings.ContainsFunc(s, isOfWord) && s != "&" && s != "+"
}

// isNameWord reports whether a word may be one inside of a name.
func isNameWord(s string) bool {
	return isOfName(strings.TrimLeft(s, "(")) || s == "&" || s == "+" || lexicon.Words().NameJoiners[lexicon.Fold(s)] || lexicon.Words().LegalForms[lexicon.Fold(s)]
}
