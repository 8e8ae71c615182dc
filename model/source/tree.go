package source

import (
	"iter"
	"slices"
	"sync/atomic"
)

// A Ref refers to the element or attribute that something was read from: a positive
// number is an element, a negative one an attribute, and zero means that it was not
// read from a document. Among elements, and among attributes, a larger number is later
// in the document.
type Ref int32

// Element is the element of a positive Ref; 0 for any other.
func (r Ref) Element() Node { return Node(max(r, 0)) }

// Attribute is the attribute of a negative Ref.
func (r Ref) Attribute() Attr { return Attr(-1 - r) }

// A Node is the index of an element in its tree. Node 0 is not an element.
type Node int32

// Ref is the reference to the element itself.
func (n Node) Ref() Ref { return Ref(n) }

// An Attr is the index of an attribute in its tree.
type Attr int32

// Ref is the reference to the attribute.
func (a Attr) Ref() Ref { return Ref(-1 - a) }

// An Element is one element of the tree. Its descendants are the elements after it that
// come before End.
type Element struct {
	Name      Name
	Parent    Node
	End       Node   // the first element that is not a descendant
	Offset    int32  // of the "<" of its start tag in Tree.Data
	FirstAttr Attr   // its attributes are FirstAttr .. FirstAttr+Attrs-1
	Attrs     uint16 // how many attributes it has
	// Where Tree.Text finds its text: size bytes of Data from text on; or a text that is not
	// in Data as it is said, by its number counted down from -1. Without pointers, the
	// collector of garbage passes the elements by.
	text, size int32
}

// An Attribute is one attribute. Namespace declarations are in Tree.Namespaces.
type Attribute struct {
	Name   Name
	Owner  Node
	Offset int32 // of the name's first byte in Tree.Data
	Value  string
}

// A Tree is one parsed document.
type Tree struct {
	// Data is the document in UTF-8. Texts and attribute values can be substrings of it.
	Data string
	// Elements holds the elements in document order; index 0 is unused, the
	// root element is index 1.
	Elements   []Element
	Attributes []Attribute
	// Unknown are the names that were not interned when the document was parsed.
	Unknown []QName
	// Known is how many names were interned then (Count); 0 if that is not known.
	Known int
	// Namespaces are the namespace declarations in document order, without those that
	// repeat a declaration in scope.
	Namespaces []Namespace

	made    []string // texts that are not in Data as they are said
	storage *storage // nil for a tree that was not read, or was given back

	lines    atomic.Pointer[lineIndex]
	siblings atomic.Pointer[siblingIndex]
}

// A Namespace is one namespace declaration. Prefix is empty for the default namespace.
type Namespace struct {
	Owner  Node
	Prefix string
	URI    string
}

// UnknownName is the number of the name at index i of Tree.Unknown.
func UnknownName(i int) Name { return firstUnknown + Name(i) }

// Root is the document's root element.
func (t *Tree) Root() Node { return 1 }

// NameOf is the qualified name of any name in this tree.
func (t *Tree) NameOf(n Name) QName {
	if n >= firstUnknown {
		return t.Unknown[n-firstUnknown]
	}
	return n.QName()
}

// Name is the name of an element.
func (t *Tree) Name(n Node) Name { return t.Interned(t.Elements[n].Name) }

// Interned is the interned number of a name of this tree, if it has one, and otherwise
// the name itself. A rule that was compiled after the document was parsed can have
// interned a name that was unknown.
func (t *Tree) Interned(n Name) Name {
	if n < firstUnknown {
		return n
	}
	return t.internedSince(n)
}

// internedSince is Interned of a name that was unknown when the document was parsed. It is
// apart so that the compiler copies Interned into its callers.
func (t *Tree) internedSince(n Name) Name {
	if t.Known == Count() { // no name was interned since; finding one takes long
		return n
	}
	if known, ok := Lookup(t.Unknown[n-firstUnknown]); ok {
		return known
	}
	return n
}

// Text is the element's character data without that of its children, with references
// replaced. If it has child elements, pieces between two tags that are only white space are
// left out.
func (t *Tree) Text(n Node) string {
	e := &t.Elements[n]
	if e.text < 0 {
		return t.made[-1-e.text]
	}
	return t.Data[e.text : e.text+e.size]
}

// SetText says where in Data the text of an element is.
func (t *Tree) SetText(n Node, from, to int) {
	t.Elements[n].text, t.Elements[n].size = int32(from), int32(to-from)
}

// MakeText gives an element a text that is not in Data as it is said.
func (t *Tree) MakeText(n Node, text string) {
	t.made = append(t.made, text)
	t.Elements[n].text, t.Elements[n].size = -int32(len(t.made)), 0
}

// Parent is the parent element of n; 0 for the root element.
func (t *Tree) Parent(n Node) Node { return t.Elements[n].Parent }

// FirstChild is the first child element of n; 0 if there is none.
func (t *Tree) FirstChild(n Node) Node {
	if c := n + 1; c < t.Elements[n].End {
		return c
	}
	return 0
}

// NextSibling is the next sibling element of n; 0 if there is none.
func (t *Tree) NextSibling(n Node) Node {
	next := t.Elements[n].End
	if int(next) < len(t.Elements) && t.Elements[next].Parent == t.Elements[n].Parent {
		return next
	}
	return 0
}

// Children are the child elements of n.
func (t *Tree) Children(n Node) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for c := t.FirstChild(n); c != 0; c = t.NextSibling(c) {
			if !yield(c) {
				return
			}
		}
	}
}

// Child is the first child element of n with a name; 0 if there is none.
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
		if t.Interned(t.Attributes[a].Name) == name {
			return a, true
		}
	}
	return 0, false
}

// NamespaceAt is the namespace that a prefix is bound to at n. Qualified names in values
// need it (xsi:type="cac:PartyType").
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

// Owner is the element of a Ref: the element itself, or the one with the attribute.
func (t *Tree) Owner(r Ref) Node {
	if r < 0 {
		return t.Attributes[r.Attribute()].Owner
	}
	return Node(r)
}
