package page

import (
	"strconv"

	"einvoice/model"
)

// A place is where a term is: its code in the standard, and the path of a request.
type place struct{ term, path string }

// places are the places of all terms of an invoice, by the pointers to their leaves.
func places(o model.Object) map[any]place {
	found := map[any]place{}
	addPlaces(found, o, "")
	return found
}

func addPlaces(found map[any]place, o model.Object, prefix string) {
	for i := range o.Type.Fields {
		f := &o.Type.Fields[i]
		path := prefix + f.Name
		switch {
		case !o.Has(f):
		case f.Kind.IsLeaf():
			found[leafOf(o, f)] = place{f.BT, path}
		case f.Kind == model.KindGroup:
			addPlaces(found, o.Group(f), path+".")
		default:
			list := o.List(f)
			for j := range list.Len() {
				addPlaces(found, list.At(j), path+"["+strconv.Itoa(j)+"].")
			}
		}
	}
}

// spans calls do for each part of a phrase, with the place of its term; that of words of
// the language is nil.
func (p phrase) spans(where map[any]place, do func(text string, at *place)) {
	from := 0
	for _, m := range p.marks {
		if m.from > from {
			do(p.text[from:m.from], nil)
		}
		if m.to > m.from {
			if at, known := where[m.leaf]; known {
				do(p.text[m.from:m.to], &at)
			} else {
				do(p.text[m.from:m.to], nil)
			}
		}
		from = max(from, m.to)
	}
	if from < len(p.text) {
		do(p.text[from:], nil)
	}
}
