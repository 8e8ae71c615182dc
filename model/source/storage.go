package source

import "sync"

// A storage is the memory of a tree, which a later one uses when the first is given back.
type storage struct {
	elements   []Element
	attributes []Attribute
	namespaces []Namespace
	made       []string
}

var storages = sync.Pool{New: func() any { return new(storage) }}

// mostStored is how many elements, attributes and others there may be room for in memory that
// waits for another document.
const mostStored = 1 << 13

// NewTree is a tree for a document, with room for so many elements and attributes.
func NewTree(data string, elements, attributes int) *Tree {
	s := storages.Get().(*storage)
	t := &Tree{Known: Count(), Data: data, storage: s}
	t.Elements, t.Attributes = withRoom(s.elements, elements), withRoom(s.attributes, attributes)
	t.Elements = append(t.Elements, Element{})
	t.Namespaces, t.made = s.namespaces, s.made
	return t
}

func withRoom[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, 0, n)
	}
	return s
}

// GiveBack leaves the memory of the tree to a later one. The tree is empty after it; texts
// that were asked for stay.
func (t *Tree) GiveBack() {
	s := t.storage
	if s == nil {
		return
	}
	s.elements, s.attributes = emptied(t.Elements), emptied(t.Attributes)
	s.namespaces, s.made = emptied(t.Namespaces), emptied(t.made)
	*t = Tree{}
	storages.Put(s)
}

// emptied is the memory of a slice that only grew.
func emptied[T any](s []T) []T {
	if cap(s) > mostStored {
		return nil
	}
	clear(s)
	return s[:0]
}
