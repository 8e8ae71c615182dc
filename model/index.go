package model

import (
	"cmp"
	"slices"
	"strconv"
	"unsafe"

	"einvoice/model/reuse"
	"einvoice/model/source"
)

// An Index finds the path of each group of an invoice and the group around it, and the
// term that was read from an element or attribute of the document. It is made when the
// first finding needs it.
type Index struct {
	locations []location
	byAddress []addressed
	sought    int // how many groups were looked for, until byAddress is sorted
	terms     []Term
	groups    []Object
	// The index in terms of the term that was read from each element and attribute, and
	// the index in groups of the innermost group that was read from each element, all
	// increased by one; 0 if there is none.
	atElement, atAttribute, groupAt []int32
}

// addressed is a location, by the address of its group.
type addressed struct {
	address  uintptr
	location int32
}

// A location is where a group is in the invoice.
type location struct {
	parent Object
	field  *Field
	index  int // in a list; -1 for others
}

// A Term is one leaf of an invoice.
type Term struct {
	Of    Object // the group with the leaf
	Field *Field
}

// NewIndex makes the index of a document's invoice and what is around it.
func NewIndex(doc *Document) *Index {
	x := &Index{locations: make([]location, 0, 64), byAddress: make([]addressed, 0, 64), terms: make([]Term, 0, 192), groups: make([]Object, 0, 64)}
	x.Make(doc)
	return x
}

// Make makes the index of another document in the memory of this one.
func (x *Index) Make(doc *Document) {
	x.Forget()
	if doc == nil || doc.Invoice == nil {
		return
	}
	if t := doc.Source; t != nil {
		x.atElement, x.groupAt = reuse.Zeros(x.atElement, len(t.Elements)), reuse.Zeros(x.groupAt, len(t.Elements))
		x.atAttribute = reuse.Zeros(x.atAttribute, len(t.Attributes))
	}
	x.add(ObjectOf(doc.Invoice))
	if doc.Container != nil {
		x.add(ObjectOf(doc.Container))
	}
	if doc.Batch != nil {
		x.add(ObjectOf(doc.Batch))
	}
}

// Forget drops the document, so that an index that waits for the next one keeps
// nothing of it in memory.
func (x *Index) Forget() {
	clear(x.locations)
	clear(x.terms)
	clear(x.groups)
	x.locations, x.byAddress, x.terms, x.groups = x.locations[:0], x.byAddress[:0], x.terms[:0], x.groups[:0]
	x.sought = 0
	x.atElement, x.atAttribute, x.groupAt = x.atElement[:0], x.atAttribute[:0], x.groupAt[:0]
}

func (x *Index) add(o Object) {
	sourced := len(x.atElement) > 0 // an invoice that was copied out of its document keeps its references
	if ref := o.Ref(); ref > 0 && sourced {
		x.groups = append(x.groups, o)
		x.groupAt[ref] = int32(len(x.groups))
	}
	for i, p := range o.Type.places {
		at := unsafe.Add(o.ptr, uintptr(p.offset))
		switch p.kind {
		case KindText:
			if ref := *(*source.Ref)(at); ref != 0 && sourced {
				x.terms = append(x.terms, Term{o, &o.Type.Fields[i]})
				*x.termNumber(ref) = int32(len(x.terms))
			}
		case KindGroup:
			if *(*unsafe.Pointer)(at) != nil {
				f := &o.Type.Fields[i]
				g := o.Group(f)
				x.locate(g, location{o, f, -1})
				x.add(g)
			}
		default:
			if *(*int)(at) == 0 {
				continue
			}
			f := &o.Type.Fields[i]
			list := o.List(f)
			for i := range list.Len() {
				g := list.At(i)
				x.locate(g, location{o, f, i})
				x.add(g)
			}
		}
	}
}

func (x *Index) locate(g Object, at location) {
	x.byAddress = append(x.byAddress, addressed{uintptr(g.ptr), int32(len(x.locations))})
	x.locations = append(x.locations, at)
}

// mostSought is how many groups are looked for one by one. Most documents have findings about
// fewer, so that sorting the groups would cost more.
const mostSought = 16

// location finds a group; ok is false for the invoice itself.
func (x *Index) location(o Object) (l location, ok bool) {
	i, address := 0, uintptr(o.ptr)
	if x.sought < mostSought {
		x.sought++
		for i < len(x.byAddress) && x.byAddress[i].address != address {
			i++
		}
		ok = i < len(x.byAddress)
	} else {
		if x.sought == mostSought {
			x.sought++
			slices.SortFunc(x.byAddress, func(a, b addressed) int { return cmp.Compare(a.address, b.address) })
		}
		i, ok = slices.BinarySearchFunc(x.byAddress, address, func(a addressed, address uintptr) int { return cmp.Compare(a.address, address) })
	}
	if !ok {
		return location{}, false
	}
	return x.locations[x.byAddress[i].location], true
}

// Path is the path of a group, such as lines[2].vat; empty for the invoice.
func (x *Index) Path(o Object) string {
	p, ok := x.location(o)
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

// Parent is the group around a group; absent for the invoice.
func (x *Index) Parent(o Object) Object {
	p, _ := x.location(o)
	return p.parent
}

// termNumber is the entry of an element or attribute in atElement or atAttribute.
func (x *Index) termNumber(ref source.Ref) *int32 {
	if ref < 0 {
		return &x.atAttribute[ref.Attribute()]
	}
	return &x.atElement[ref]
}

// TermAt is the leaf that was read from an element or attribute of the document.
func (x *Index) TermAt(ref source.Ref) (Term, bool) {
	if ref == 0 || *x.termNumber(ref) == 0 {
		return Term{}, false
	}
	return x.terms[*x.termNumber(ref)-1], true
}

// GroupAt is the group that was read from an element: the innermost group that is
// this element or, if there is none, the group with the term that was read from it.
func (x *Index) GroupAt(ref source.Ref) (Object, bool) {
	if ref > 0 && x.groupAt[ref] != 0 {
		return x.groups[x.groupAt[ref]-1], true
	}
	t, ok := x.TermAt(ref)
	return t.Of, ok
}

// FieldAt is the path and the field of the leaf that was read from an element or attribute,
// or else of the group; nil for what is neither, and for the invoice itself.
func (x *Index) FieldAt(ref source.Ref) (path string, field *Field) {
	if t, ok := x.TermAt(ref); ok {
		return Join(x.Path(t.Of), t.Field.Name), t.Field
	}
	group, ok := x.GroupAt(ref)
	if !ok {
		return "", nil
	}
	if l, inner := x.location(group); inner {
		return x.Path(group), l.field
	}
	return "", nil
}

// Around is the group that an element or attribute is about: that of GroupAt or, if nothing
// was read from it, the innermost one with all that was read inside the element, or else the
// one that was read around it.
func (x *Index) Around(t *source.Tree, ref source.Ref) Object {
	if group, ok := x.GroupAt(ref); ok {
		return group
	}
	if t == nil || len(t.Elements) == 0 {
		return Object{}
	}
	n := t.Owner(ref)
	if inside := x.inside(t, n); inside.Present() {
		return inside
	}
	for ; n != 0; n = t.Parent(n) {
		if group, ok := x.GroupAt(n.Ref()); ok {
			return group
		}
	}
	return Object{}
}

// inside is the innermost group with all that was read inside an element; absent if nothing was.
func (x *Index) inside(t *source.Tree, of source.Node) (all Object) {
	for n := of; n < t.Elements[of].End; n++ {
		group, ok := x.GroupAt(n.Ref())
		if !ok {
			continue
		}
		if !all.Present() {
			all = group
		}
		for all.Present() && !x.has(all, group) {
			all = x.Parent(all)
		}
		if !x.Parent(all).Present() {
			break // nothing is around the invoice
		}
	}
	return all
}

// has reports whether a group is another one or inside it.
func (x *Index) has(all, group Object) bool {
	for ; group != all && group.Present(); group = x.Parent(group) {
	}
	return group.Present()
}

// Join appends a name to a path.
func Join(path, name string) string {
	if path == "" || name == "" {
		return path + name
	}
	return path + "." + name
}
