package parties

import (
	"strings"

	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/layout"
	"einvoice/formats/parse/lexicon"
)

// legalStatement finds the statement of legal form and capital that companies of some
// countries print apart from their name (BT-33), as in "SARL au capital de 120 000 €",
// and the form that it begins with. Right behind the name, as in Hafen SARL au capital de 120 000 €, the form is the
// name's.
func (d *draft) legalStatement() (statement candidate.Printed, form string) {
	for _, r := range d.Layout.Rows {
		for _, h := range r.Find(&lexicon.Words().Capital) {
			of := r.Cells[r.CellAt(h.First)].Words()
			label := h.First - r.Cells[r.CellAt(h.First)].First
			for n := min(4, label); n >= 1; n-- {
				if s := layout.TextOf(of[label-n : label]); len(of[label-n].Tokens) > 0 && lexicon.Words().LegalForms[lexicon.Fold(s)] {
					return candidate.Printed{Value: layout.TextOf(d.statementEnd(of[label-n:], n)), Words: d.statementEnd(of[label-n:], n)}, s
				}
			}
		}
	}
	return candidate.Printed{}, ""
}

// statementEnd cuts a statement behind its amount.
func (d *draft) statementEnd(of []*layout.Word, from int) []*layout.Word {
	for i := from; i < len(of); i++ {
		if n, used := d.Notation.At(of[i:]); used > 0 && !n.Percent {
			end := i + used
			for end < len(of) && layout.Near(of[end-1], of[end]) && groupOfCapital().MatchString(of[end].Text) { // 10 000€
				end++
			}
			return of[:end]
		}
	}
	return of
}

// groupOfCapital matches three digits more of a number, or the currency behind it.
var groupOfCapital = lexicon.Pattern(`^(?:\d{3}(?:€|EUR)?|€|EUR|euros?)[.,;]?$`)

// withoutForm is a name without the legal form before or behind it.
func withoutForm(name candidate.Printed, form string) (candidate.Printed, bool) {
	n := len(strings.Fields(form))
	if n == 0 || len(name.Words) <= n {
		return name, false
	}
	rest := len(name.Words) - n
	switch key := lexicon.Fold(form); {
	case lexicon.Fold(layout.TextOf(name.Words[rest:])) == key:
		return nameOf(name.Words[:rest]), true
	case lexicon.Fold(layout.TextOf(name.Words[:n])) == key:
		return nameOf(name.Words[n:]), true
	}
	return name, false
}

// nameOf is the name that words are.
func nameOf(of []*layout.Word) candidate.Printed {
	return candidate.Printed{Value: strings.Trim(layout.TextOf(of), " :,;·|"), Words: of}
}
