package source

import "slices"

// Few is how many children of one element are searched one by one. If an element has
// more, its children are found by name in an index that is made once. Otherwise, a
// search that is made for each of ten thousand lines would look at ten thousand lines
// each time.
const Few = 32

// A siblingIndex holds, by name and in document order, the children of elements that
// have more than Few.
type siblingIndex struct {
	children map[childKey][]Node
	names    int // how many names were interned when the index was made
}

type childKey struct {
	parent Node
	name   Name
}

// FollowingNamed are those of n and the siblings after it that have the given name. The
// parent must have more than Few children.
func (t *Tree) FollowingNamed(n Node, name Name) []Node {
	all := t.named(t.Parent(n), name)
	from, _ := slices.BinarySearch(all, n)
	return all[from:]
}

// ordinal is the position of n among the siblings with its name, from 1; 0 if it is
// the only one.
func (t *Tree) ordinal(n Node) int {
	parent, name := t.Parent(n), t.Name(n)
	position, count, walked := 0, 0, 0
	for c := range t.Children(parent) {
		if walked++; walked > Few {
			all := t.named(parent, name)
			before, _ := slices.BinarySearch(all, n)
			position, count = before+1, len(all)
			break
		}
		if t.Name(c) == name {
			count++
		}
		if c == n {
			position = count
		}
	}
	if count == 1 {
		return 0
	}
	return position
}

// named are the children with a name, of an element with more than Few children.
func (t *Tree) named(parent Node, name Name) []Node {
	index := t.siblings.Load()
	// Unknown names may have been interned since the index was made.
	if index == nil || len(t.Unknown) > 0 && index.names != Interned() {
		index = t.indexSiblings() // two concurrent callers make equal ones
		t.siblings.Store(index)
	}
	return index.children[childKey{parent, name}]
}

func (t *Tree) indexSiblings() *siblingIndex {
	index := &siblingIndex{children: make(map[childKey][]Node), names: Interned()}
	widths := make([]int32, len(t.Elements))
	for n := t.Root() + 1; int(n) < len(t.Elements); n++ {
		widths[t.Parent(n)]++
	}
	for n := t.Root() + 1; int(n) < len(t.Elements); n++ {
		if parent := t.Parent(n); widths[parent] > Few {
			of := childKey{parent, t.Name(n)}
			index.children[of] = append(index.children[of], n)
		}
	}
	return index
}
