package source

import "slices"

// Few is how many children of one element are looked at one by one. Those of
// an element with more are found by name in an index that is made once: what
// is asked at each of ten thousand lines must not look at ten thousand lines.
const Few = 32

// siblings holds the children of wide elements by name, in document order.
type siblings struct {
	children map[family][]Node
	names    int // how many names were interned when it was made
}

type family struct {
	parent Node
	name   Name
}

// FollowingNamed are n and the siblings after it, as far as they are called
// name. It is for elements with more than Few children.
func (t *Tree) FollowingNamed(n Node, name Name) []Node {
	all := t.named(t.Parent(n), name)
	from, _ := slices.BinarySearch(all, n)
	return all[from:]
}

// ordinal is the number of n among the siblings of its name, 0 if it is alone.
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

// named are the children called name of an element with more than Few.
func (t *Tree) named(parent Node, name Name) []Node {
	index := t.siblings.Load()
	// Names that were unknown may have been interned since.
	if index == nil || len(t.Unknown) > 0 && index.names != len(*names.Load()) {
		index = t.indexSiblings() // twice, if two callers race: equal results
		t.siblings.Store(index)
	}
	return index.children[family{parent, name}]
}

func (t *Tree) indexSiblings() *siblings {
	index := &siblings{children: make(map[family][]Node), names: len(*names.Load())}
	widths := make([]int32, len(t.Elements))
	for n := t.Root() + 1; int(n) < len(t.Elements); n++ {
		widths[t.Parent(n)]++
	}
	for n := t.Root() + 1; int(n) < len(t.Elements); n++ {
		if parent := t.Parent(n); widths[parent] > Few {
			of := family{parent, t.Name(n)}
			index.children[of] = append(index.children[of], n)
		}
	}
	return index
}
