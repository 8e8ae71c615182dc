package parse

import "strings"

// legalStatement finds the statement of legal form and capital that companies of some
// countries print apart from their name (BT-33), as in "SARL au capital de 120 000 €",
// and the form that it begins with.
func (d *partyDraft) legalStatement() (statement printed, form string) {
	for _, r := range d.layout.rows {
		for _, h := range r.find(&words().Capital) {
			of := r.cells[r.cellAt(h.first)].words()
			label := h.first - r.cells[r.cellAt(h.first)].first
			for n := min(4, label); n >= 1; n-- {
				if s := textOf(of[label-n : label]); len(of[label-n].tokens) > 0 && words().LegalForms[fold(s)] {
					return printed{textOf(d.statementEnd(of[label-n:], n)), d.statementEnd(of[label-n:], n)}, s
				}
			}
		}
	}
	return printed{}, ""
}

// statementEnd cuts a statement behind its amount.
func (d *partyDraft) statementEnd(of []*word, from int) []*word {
	for i := from; i < len(of); i++ {
		if n, used := d.notation.at(of[i:]); used > 0 && !n.percent {
			end := i + used
			for end < len(of) && near(of[end-1], of[end]) && groupOfCapital().MatchString(of[end].Text) { // 10 000€
				end++
			}
			return of[:end]
		}
	}
	return of
}

// groupOfCapital matches three digits more of a number, or the currency behind it.
var groupOfCapital = pattern(`^(?:\d{3}(?:€|EUR)?|€|EUR|euros?)[.,;]?$`)

// withoutForm is a name without the legal form before or behind it.
func withoutForm(name printed, form string) (printed, bool) {
	n := len(strings.Fields(form))
	if n == 0 || len(name.words) <= n {
		return name, false
	}
	rest := len(name.words) - n
	switch key := fold(form); {
	case fold(textOf(name.words[rest:])) == key:
		return nameOf(name.words[:rest]), true
	case fold(textOf(name.words[:n])) == key:
		return nameOf(name.words[n:]), true
	}
	return name, false
}

// nameOf is the name that words are.
func nameOf(of []*word) printed { return printed{strings.Trim(textOf(of), " :,;·|"), of} }
