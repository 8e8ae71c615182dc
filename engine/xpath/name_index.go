package xpath

import (
	"slices"

	"einvoice/model/source"
)

// A nameIndex has the elements of a document by name. Hundreds of rules ask for a
// few elements wherever they are; each would go through the whole document.
type nameIndex struct {
	names int           // how many names were interned when it was made; 0 before
	spans []span        // by name
	nodes []source.Node // of each name in document order
	found []source.Name // those with a span, in order of their first elements
}

// A span is where the elements of a name are in nodes.
type span struct{ from, to int32 }

// elementsNamed are the elements of a name in the document, in document order.
func (e *Evaluation) elementsNamed(name source.Name) []source.Node {
	if made := e.names.names; made == 0 || len(e.Tree.Unknown) > 0 && made != source.Interned() {
		e.names.make(e.Tree)
	}
	if int(name) >= len(e.names.spans) {
		return nil
	}
	s := e.names.spans[name]
	return e.names.nodes[s.from:s.to]
}

// elementsInside are those among them that are inside an element; 0 is the root,
// which all are inside.
func (e *Evaluation) elementsInside(of source.Ref, name source.Name) []source.Node {
	all := e.elementsNamed(name)
	if of == 0 {
		return all
	}
	first, end := inside(e.Tree, of)
	from, _ := slices.BinarySearch(all, first)
	to, _ := slices.BinarySearch(all, end)
	return all[from:to]
}

// make sorts the elements by name, counting first how many there are of each. What it costs
// grows with the names of the document, not with all that are known. A name without a number
// that is valid everywhere is none that a path has.
func (x *nameIndex) make(t *source.Tree) {
	for _, name := range x.found {
		x.spans[name] = span{}
	}
	x.found = x.found[:0]
	x.names = source.Interned()
	elements := t.Elements[t.Root():]
	for i := range elements {
		if name := t.Interned(elements[i].Name); name.Known() {
			if missing := int(name) + 1 - len(x.spans); missing > 0 {
				x.spans = append(x.spans, make([]span, missing)...)
			}
			if x.spans[name].to == 0 {
				x.found = append(x.found, name)
			}
			x.spans[name].to++
		}
	}
	begin := int32(0)
	for _, name := range x.found {
		size := x.spans[name].to
		x.spans[name] = span{begin, begin}
		begin += size
	}
	x.nodes = slices.Grow(x.nodes[:0], len(elements))[:len(elements)]
	for i := range elements {
		if name := t.Interned(elements[i].Name); name.Known() {
			s := &x.spans[name]
			x.nodes[s.to] = t.Root() + source.Node(i)
			s.to++
		}
	}
}
