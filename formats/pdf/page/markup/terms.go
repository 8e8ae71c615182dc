package markup

import (
	"strconv"

	"einvoice/formats/pdf/page/compose"
	"einvoice/formats/pdf/page/typeset"
	"einvoice/model"
)

// A Place is where a term is: its code in the standard, and the path of a request.
type Place struct{ term, path string }

// Places are the places of all terms of an invoice, by the pointers to their leaves.
func Places(o model.Object) map[any]Place {
	found := map[any]Place{}
	addPlaces(found, o, "")
	return found
}

func addPlaces(found map[any]Place, o model.Object, prefix string) {
	for i := range o.Type.Fields {
		f := &o.Type.Fields[i]
		path := prefix + f.Name
		switch {
		case !o.Has(f):
		case f.Kind.IsLeaf():
			found[compose.LeafOf(o, f)] = Place{f.BT, path}
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

// Spans calls do for each part of a phrase, with the place of its term; that of words of
// the language is nil.
func Spans(p typeset.Phrase, where map[any]Place, do func(text string, at *Place)) {
	from := 0
	for _, m := range p.Marks {
		if m.From > from {
			do(p.Text[from:m.From], nil)
		}
		if m.To > m.From {
			if at, known := where[m.Leaf]; known {
				do(p.Text[m.From:m.To], &at)
			} else {
				do(p.Text[m.From:m.To], nil)
			}
		}
		from = max(from, m.To)
	}
	if from < len(p.Text) {
		do(p.Text[from:], nil)
	}
}
