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
	places []place // by address
	terms  []Term
	// Where each element's and attribute's term stands in terms, and each
	// element's innermost group in groups, plus one; 0 where there is none.
	atElement, atAttribute, groupAt []int32
	groups                          []Object
}

type place struct {
	at     uintptr
	parent Object
	field  *Field
	index  int // in a list, else -1
}

// A Term is one leaf of an invoice.
type Term struct {
	Of    Object
	Field *Field
}

// NewIndex walks the invoice of a document once.
func NewIndex(doc *Document) *Index {
	x := &Index{places: make([]place, 0, 64), terms: make([]Term, 0, 192), groups: make([]Object, 0, 64)}
	if t := doc.Source; t != nil {
		x.atElement, x.groupAt = make([]int32, len(t.Elements)), make([]int32, len(t.Elements))
		x.atAttribute = make([]int32, len(t.Attributes))
	}
	x.add(ObjectOf(doc.Invoice))
	if doc.Container != nil {
		x.add(ObjectOf(doc.Container))
	}
	slices.SortFunc(x.places, func(a, b place) int { return cmp.Compare(a.at, b.at) })
	return x
}

func (x *Index) add(o Object) {
	if ref := o.Ref(); ref > 0 {
		x.groups = append(x.groups, o)
		x.groupAt[ref] = int32(len(x.groups))
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
				x.terms = append(x.terms, Term{o, f})
				*x.slot(ref) = int32(len(x.terms))
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

// slot is where the term of a place in the document is noted.
func (x *Index) slot(ref source.Ref) *int32 {
	if ref < 0 {
		return &x.atAttribute[-1-ref]
	}
	return &x.atElement[ref]
}

// TermAt is the leaf that was read from a place in the document.
func (x *Index) TermAt(ref source.Ref) (Term, bool) {
	if ref == 0 || *x.slot(ref) == 0 {
		return Term{}, false
	}
	return x.terms[*x.slot(ref)-1], true
}

// GroupAt is the group that was read from an element: the one that is this
// element, or the one that has it as a term. Of several groups read from one
// element it is the inner one.
func (x *Index) GroupAt(ref source.Ref) (Object, bool) {
	if ref > 0 && x.groupAt[ref] != 0 {
		return x.groups[x.groupAt[ref]-1], true
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
