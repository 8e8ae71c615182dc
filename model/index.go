package model

import (
	"strconv"
	"unsafe"

	"einvoice/model/source"
)

// An Index knows where each group of an invoice stands: its path with list
// indices and the group around it. It is made when the first finding needs it.
type Index struct {
	places map[unsafe.Pointer]place
	terms  map[source.Ref]Term
	groups map[source.Ref]Object
}

type place struct {
	parent Object
	field  *Field
	index  int // in a list, else -1
}

// A Term is one leaf of an invoice.
type Term struct {
	Of    Object
	Field *Field
}

// NewIndex walks the invoice once.
func NewIndex(invoice *Invoice) *Index {
	x := &Index{places: map[unsafe.Pointer]place{}, terms: map[source.Ref]Term{}, groups: map[source.Ref]Object{}}
	x.add(ObjectOf(invoice))
	return x
}

func (x *Index) add(o Object) {
	if ref := o.Ref(); ref != 0 {
		x.groups[ref] = o // of groups read from one element, the inner one
	}
	for i := range o.Type.Fields {
		f := &o.Type.Fields[i]
		switch f.Kind {
		case KindGroup:
			if g := o.Group(f); g.Present() {
				x.places[g.ptr] = place{o, f, -1}
				x.add(g)
			}
		case KindList:
			list := o.List(f)
			for i := range list.Len() {
				g := list.At(i)
				x.places[g.ptr] = place{o, f, i}
				x.add(g)
			}
		default:
			if ref := o.RefOf(f); ref != 0 {
				x.terms[ref] = Term{o, f}
			}
		}
	}
}

// Path is where a group stands, such as lines[2].vat; empty for the invoice.
func (x *Index) Path(o Object) string {
	p, ok := x.places[o.ptr]
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
func (x *Index) Parent(o Object) Object { return x.places[o.ptr].parent }

// TermAt is the leaf that was read from a place in the document.
func (x *Index) TermAt(ref source.Ref) (Term, bool) {
	t, ok := x.terms[ref]
	return t, ok
}

// GroupAt is the group that was read from an element: the one that is this
// element, or the one that has it as a term.
func (x *Index) GroupAt(ref source.Ref) (Object, bool) {
	if o, ok := x.groups[ref]; ok {
		return o, true
	}
	t, ok := x.terms[ref]
	return t.Of, ok
}

// Join puts a path and a name together.
func Join(path, name string) string {
	if path == "" || name == "" {
		return path + name
	}
	return path + "." + name
}
