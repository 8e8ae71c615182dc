package source

import (
	"iter"
	"slices"
	"sync/atomic"
)

// A Ref says where something stood in its document: a positive number is an
// element, a negative one an attribute, zero means it came from no document.
// Refs grow in document order among elements, and among attributes.
type Ref int32

// Element returns the element of a positive Ref.
func (r Ref) Element() Node { return Node(max(r, 0)) }

// A Node is the index of an element in its tree. Node 0 is no element.
type Node int32

// Ref is the reference to the element itself.
func (n Node) Ref() Ref { return Ref(n) }

// An Attr is the index of an attribute in its tree.
type Attr int32

// Ref is the reference to the attribute.
func (a Attr) Ref() Ref { return Ref(-1 - a) }

// An Element is one element of the tree. Its descendants are the elements
// after it, up to and without End.
type Element struct {
	Name      Name
	Parent    Node
	End       Node   // the first element that is no descendant
	Offset    int32  // of the "<" of its start tag in Tree.Data
	FirstAttr Attr   // its attributes are FirstAttr .. FirstAttr+Attrs-1
	Attrs     uint16 //
	// Text is its own character data, children's excluded, entities resolved,
	// as written otherwise. Where there are child elements, white space alone
	// between two tags is layout, not text, and not kept.
	Text string
}

// An Attribute is one attribute; namespace declarations are in Tree.Namespaces.
type Attribute struct {
	Name   Name
	Owner  Node
	Offset int32 // of the name's first byte in Tree.Data
	Value  string
}

// A Tree is one parsed document.
type Tree struct {
	// Data is the document in UTF-8; texts and values may be substrings of it.
	Data string
	// Elements holds the elements in document order; index 0 is unused, the
	// root element is index 1.
	Elements   []Element
	Attributes []Attribute
	// Unknown spells the names that nobody interned, by Name - firstUnknown.
	Unknown []QName
	// Namespaces holds the declarations in document order; those that repeat
	// what is in scope anyway are left out.
	Namespaces []Namespace

	lines    atomic.Pointer[lines]
	siblings atomic.Pointer[siblings]
}

// A Namespace is one declaration; Prefix is empty for the default namespace.
type Namespace struct {
	Owner  Node
	Prefix string
	URI    string
}

// UnknownName is the number of the i-th name in Tree.Unknown.
func UnknownName(i int) Name { return firstUnknown + Name(i) }

// Root is the document's root element.
func (t *Tree) Root() Node { return 1 }

// NameOf spells a name of this tree, known or not.
func (t *Tree) NameOf(n Name) QName {
	if n >= firstUnknown {
		return t.Unknown[n-firstUnknown]
	}
	return n.QName()
}

// Name is the name of an element.
func (t *Tree) Name(n Node) Name { return t.Known(t.Elements[n].Name) }

// Known is the number that a name of this tree has now: a rule that was
// compiled after the document was read may have interned it since.
func (t *Tree) Known(n Name) Name {
	if n < firstUnknown {
		return n
	}
	if known, ok := Lookup(t.Unknown[n-firstUnknown]); ok {
		return known
	}
	return n
}

// Text is the element's own character data.
func (t *Tree) Text(n Node) string { return t.Elements[n].Text }

// Parent is the element around n, 0 for the root.
func (t *Tree) Parent(n Node) Node { return t.Elements[n].Parent }

// FirstChild is the first element inside n, 0 if there is none.
func (t *Tree) FirstChild(n Node) Node {
	if c := n + 1; c < t.Elements[n].End {
		return c
	}
	return 0
}

// NextSibling is the element after n under the same parent, 0 if n is the last.
func (t *Tree) NextSibling(n Node) Node {
	next := t.Elements[n].End
	if int(next) < len(t.Elements) && t.Elements[next].Parent == t.Elements[n].Parent {
		return next
	}
	return 0
}

// Children walks the elements directly inside n.
func (t *Tree) Children(n Node) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for c := t.FirstChild(n); c != 0; c = t.NextSibling(c) {
			if !yield(c) {
				return
			}
		}
	}
}

// Child is the first element called name directly inside n, 0 if there is none.
func (t *Tree) Child(n Node, name Name) Node {
	for c := t.FirstChild(n); c != 0; c = t.NextSibling(c) {
		if t.Name(c) == name {
			return c
		}
	}
	return 0
}

// AttrsOf are the attributes of n in document order.
func (t *Tree) AttrsOf(n Node) []Attribute {
	e := &t.Elements[n]
	return t.Attributes[e.FirstAttr : e.FirstAttr+Attr(e.Attrs)]
}

// Attr finds the attribute of n by name.
func (t *Tree) Attr(n Node, name Name) (Attr, bool) {
	e := &t.Elements[n]
	for a := e.FirstAttr; a < e.FirstAttr+Attr(e.Attrs); a++ {
		if t.Known(t.Attributes[a].Name) == name {
			return a, true
		}
	}
	return 0, false
}

// NamespaceAt is the namespace that a prefix is bound to at n, as a qualified
// name in a value needs it (xsi:type="cac:PartyType").
func (t *Tree) NamespaceAt(n Node, prefix string) (uri string, ok bool) {
	if prefix == "xml" {
		return Prefixes["xml"], true
	}
	for ; n != 0; n = t.Parent(n) {
		i, _ := slices.BinarySearchFunc(t.Namespaces, n, func(d Namespace, n Node) int { return int(d.Owner - n) })
		for ; i < len(t.Namespaces) && t.Namespaces[i].Owner == n; i++ {
			if t.Namespaces[i].Prefix == prefix {
				return t.Namespaces[i].URI, true
			}
		}
	}
	return "", prefix == ""
}

// Owner is the element a Ref stands at: itself, or its attribute's element.
func (t *Tree) Owner(r Ref) Node {
	if r < 0 {
		return t.Attributes[-1-r].Owner
	}
	return Node(r)
}
