package xpath

import (
	"slices"

	"einvoice/model/source"
)

// A nameIndex has the elements of a document by name. Hundreds of rules ask for a
// few elements wherever they are; each would go through the whole document.
type nameIndex struct {
	names int           // how many names were interned when it was made; 0 before
	first []int32       // by name: where its elements begin in nodes; they end where those of the next name begin
	nodes []source.Node // of each name in document order
}

// elementsNamed are the elements of a name in the document, in document order.
func (e *Evaluation) elementsNamed(name source.Name) []source.Node {
	if made := e.names.names; made == 0 || len(e.Tree.Unknown) > 0 && made != source.Interned() {
		e.names.make(e.Tree)
	}
	if int(name)+1 >= len(e.names.first) {
		return nil
	}
	return e.names.nodes[e.names.first[name]:e.names.first[name+1]]
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

// make sorts the elements by name, counting first how many there are of each. A
// name without a number that is valid everywhere is none that a path has.
func (x *nameIndex) make(t *source.Tree) {
	x.names = source.Interned()
	x.first = x.first[:0]
	elements := t.Elements[t.Root():]
	for i := range elements {
		if name := t.Interned(elements[i].Name); name.Known() {
			if missing := int(name) + 3 - len(x.first); missing > 0 {
				x.first = append(x.first, make([]int32, missing)...)
			}
			x.first[name+2]++
		}
	}
	for name := 1; name < len(x.first); name++ {
		x.first[name] += x.first[name-1]
	}
	x.nodes = slices.Grow(x.nodes[:0], len(elements))[:len(elements)]
	for i := range elements {
		if name := t.Interned(elements[i].Name); name.Known() {
			x.nodes[x.first[name+1]] = t.Root() + source.Node(i)
			x.first[name+1]++
		}
	}
}
