package model

import (
	"cmp"
	"slices"
	"strconv"

	"einvoice/model/source"
)

// An Index knows where each group of an invoice stands: its path with list
// indices and the group around it, and which term was read from which place of
// the document. It is made when the first finding needs it.
type Index struct {
	places []place     // by address
	terms  []Term      // by place in the document
	groups []groupRead // likewise
}

type place struct {
	at     uintptr
	parent Object
	field  *Field
	index  int // in a list, else -1
}

// groupRead is a group and the element it was read from.
type groupRead struct {
	ref   source.Ref
	group Object
}

// A Term is one leaf of an invoice.
type Term struct {
	Of    Object
	Field *Field
	ref   source.Ref
}

// NewIndex walks the invoice once.
func NewIndex(invoice *Invoice) *Index {
	x := &Index{places: make([]place, 0, 64), terms: make([]Term, 0, 192)}
	x.add(ObjectOf(invoice))
	slices.SortFunc(x.places, func(a, b place) int { return cmp.Compare(a.at, b.at) })
	slices.SortFunc(x.terms, func(a, b Term) int { return cmp.Compare(a.ref, b.ref) })
	slices.SortStableFunc(x.groups, func(a, b groupRead) int { return cmp.Compare(a.ref, b.ref) })
	return x
}

func (x *Index) add(o Object) {
	if ref := o.Ref(); ref != 0 {
		x.groups = append(x.groups, groupRead{ref, o})
	}
	for i := range o.Type.Fields {
		f := &o.Type.Fields[i]
		switch f.Kind {
		case KindGroup:
			if g := o.Group(f); g.Present() {
				x.places = append(x.places, place{uintptr(g.ptr), o, f, -1})
				x.add(g)
			}
		case KindList:
			list := o.List(f)
			for i := range list.Len() {
				g := list.At(i)
				x.places = append(x.places, place{uintptr(g.ptr), o, f, i})
				x.add(g)
			}
		default:
			if ref := o.RefOf(f); ref != 0 {
				x.terms = append(x.terms, Term{o, f, ref})
			}
		}
	}
}

// place finds a group; the invoice itself has none.
func (x *Index) place(o Object) (place, bool) {
	i, ok := slices.BinarySearchFunc(x.places, uintptr(o.ptr), func(p place, at uintptr) int { return cmp.Compare(p.at, at) })
	if !ok {
		return place{}, false
	}
	return x.places[i], true
}

// Path is where a group stands, such as lines[2].vat; empty for the invoice.
func (x *Index) Path(o Object) string {
	p, ok := x.place(o)
	if !ok {
		return ""
	}
	path := x.Path(p.parent)
	if path != "" {
		path += "."
	}
	path += p.field.Name
	if p.index >= 0 {
		path += "[" + strconv.Itoa(p.index) + "]"
	}
	return path
}

// Parent is the group around a group, absent for the invoice.
func (x *Index) Parent(o Object) Object {
	p, _ := x.place(o)
	return p.parent
}

// TermAt is the leaf that was read from a place in the document.
func (x *Index) TermAt(ref source.Ref) (Term, bool) {
	i, ok := slices.BinarySearchFunc(x.terms, ref, func(t Term, ref source.Ref) int { return cmp.Compare(t.ref, ref) })
	if !ok {
		return Term{}, false
	}
	return x.terms[i], true
}

// GroupAt is the group that was read from an element: the one that is this
// element, or the one that has it as a term. Of several groups read from one
// element it is the inner one.
func (x *Index) GroupAt(ref source.Ref) (Object, bool) {
	after, _ := slices.BinarySearchFunc(x.groups, ref+1, func(g groupRead, ref source.Ref) int { return cmp.Compare(g.ref, ref) })
	if after > 0 && x.groups[after-1].ref == ref {
		return x.groups[after-1].group, true
	}
	t, ok := x.TermAt(ref)
	return t.Of, ok
}

// Join puts a path and a name together.
func Join(path, name string) string {
	if path == "" || name == "" {
		return path + name
	}
	return path + "." + name
}
