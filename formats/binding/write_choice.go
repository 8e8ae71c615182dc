package binding

import (
	"slices"
	"strings"

	"einvoice/model"
)

// belongsHere reports whether something that belongs to none of the enclosing
// lists is written in the entries that are open now.
func (w *writer) belongsHere(lists []enclosingList) bool {
	for i := range lists {
		l := &lists[i]
		if w.indices[l.entrySlot] != w.preferredEntry(l) || w.split.repeated {
			return false
		}
	}
	return true
}

// preferredEntry is the index of the entry in which to write what does not belong
// to the list. It is kept, because it is needed again for every entry.
func (w *writer) preferredEntry(l *enclosingList) int {
	if l.prefer == nil {
		return 0
	}
	owner := w.owner(&l.list)
	if found, ok := w.preferred[l]; ok && found.owner == owner {
		return found.index
	}
	found, list := preferredEntry{owner: owner}, owner.List(l.list.field)
	for i := range list.Len() {
		if slices.Contains(l.codes, trim(list.At(i).Text(l.prefer).Raw)) {
			found.index = i
			break
		}
	}
	if w.preferred == nil {
		w.preferred = map[*enclosingList]preferredEntry{}
	}
	w.preferred[l] = found
	return found.index
}

// alternativeGroup is the group whose terms an element with alternatives holds.
func (w *writer) alternativeGroup(e *writeElement) model.Object {
	for _, a := range e.alternatives {
		if a.element == e && a.opens {
			return w.owner(&a.group).Group(a.group.field)
		} else if a.element == e {
			return w.owner(&a.group)
		}
	}
	return model.Object{}
}

// isBestAlternative reports whether, of all elements that can hold terms of a
// group, this is the first that leaves out the fewest of them.
func isBestAlternative(e *writeElement, group model.Object) bool {
	var best *writeElement
	fewest := 0
	for _, a := range e.alternatives {
		left := 0
		for _, b := range e.alternatives {
			for _, f := range b.fields {
				if !slices.Contains(a.fields, f) && group.Has(f) {
					left++
				}
			}
		}
		if a.shape == shapeIBAN && !ibanShaped(group.Raw(a.fields[0])) {
			left++
		}
		if best == nil || left < fewest {
			best, fewest = a.element, left
		}
	}
	return best == e
}

// ibanShaped reports whether a text looks like an IBAN. It does not compare the
// check digits, because rules do.
func ibanShaped(raw string) bool {
	s := strings.ReplaceAll(trim(raw), " ", "")
	if len(s) < 15 || len(s) > 34 {
		return false
	}
	for i := range len(s) {
		c := s[i]
		letter, digit := c >= 'A' && c <= 'Z', c >= '0' && c <= '9'
		if i < 2 && !letter || (i == 2 || i == 3) && !digit || !letter && !digit {
			return false
		}
	}
	return true
}
