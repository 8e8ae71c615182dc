package xpath

import (
	"strings"

	"einvoice/model/source"

	antchfx "github.com/antchfx/xpath"
)

// An xmlNavigator walks an xmlTree for antchfx/xpath. Every move is a
// step of the budget; when that stops it, there is nowhere left to move.
type xmlNavigator struct {
	e    *Evaluation
	tree *xmlTree
	at   *xmlNode
	attr int // of its attributes the current one, -1 for the node itself
}

// ref is the element or attribute of the source tree that is the current node, or
// that a text or comment is in.
func (n *xmlNavigator) ref() source.Ref {
	element := n.at
	if element.kind != antchfx.ElementNode && element.kind != antchfx.RootNode {
		element = element.parent
	}
	r := n.tree.refs[element].Ref()
	if n.attr >= 0 {
		first, _ := attributesOf(n.e.Tree, r)
		return (first + source.Attr(n.attr)).Ref()
	}
	return r
}

// found describes the current node.
func (n *xmlNavigator) found() Found {
	path := n.e.Tree.Path(n.ref())
	switch n.NodeType() {
	case antchfx.TextNode:
		path += "/text()"
	case antchfx.CommentNode:
		path += "/comment()"
	case antchfx.RootNode:
		path = "/"
	}
	return Found{Path: path, Value: n.Value(), At: n.ref(), place: []int32{int32(n.tree.order[n.at]), int32(n.attr)}}
}

func (n *xmlNavigator) NodeType() antchfx.NodeType {
	if n.attr >= 0 {
		return antchfx.AttributeNode
	}
	return n.at.kind
}

func (n *xmlNavigator) LocalName() string {
	switch n.NodeType() {
	case antchfx.AttributeNode:
		return n.at.attrs[n.attr].name
	case antchfx.ElementNode:
		return n.at.name
	}
	return ""
}

func (n *xmlNavigator) Prefix() string {
	switch n.NodeType() {
	case antchfx.AttributeNode:
		return n.at.attrs[n.attr].prefix
	case antchfx.ElementNode:
		return n.at.prefix
	}
	return ""
}

// NamespaceURL is what antchfx/xpath compares the namespaces of names with.
func (n *xmlNavigator) NamespaceURL() string {
	switch n.NodeType() {
	case antchfx.AttributeNode:
		return n.at.attrs[n.attr].namespace
	case antchfx.ElementNode:
		return n.at.namespace
	}
	return ""
}

func (n *xmlNavigator) Value() string {
	if n.attr >= 0 {
		return n.e.read(n.at.attrs[n.attr].value)
	}
	if n.at.kind == antchfx.CommentNode {
		return n.e.read(n.at.text)
	}
	var all strings.Builder
	n.writeTexts(n.at, &all)
	return all.String()
}

func (n *xmlNavigator) writeTexts(of *xmlNode, to *strings.Builder) {
	if of.kind == antchfx.TextNode {
		to.WriteString(n.e.read(of.text))
	}
	for c := of.first; c != nil && n.e.Budget.Spend(stepsPerMove); c = c.next {
		n.writeTexts(c, to)
	}
}

func (n *xmlNavigator) Copy() antchfx.NodeNavigator {
	n.e.Budget.Spend(stepsPerMove)
	c := *n
	return &c
}

func (n *xmlNavigator) MoveTo(other antchfx.NodeNavigator) bool {
	o, ok := other.(*xmlNavigator)
	if ok {
		*n = *o
	}
	return ok
}

// move moves to another node, if it is there and the budget allows it.
func (n *xmlNavigator) move(to *xmlNode) bool {
	if !n.e.Budget.Spend(stepsPerMove) || to == nil {
		return false
	}
	n.at = to
	return true
}

func (n *xmlNavigator) MoveToRoot() { n.at, n.attr = n.tree.root, -1 }

func (n *xmlNavigator) MoveToParent() bool {
	if n.attr >= 0 {
		n.attr = -1
		return n.e.Budget.Spend(stepsPerMove)
	}
	return n.move(n.at.parent)
}

func (n *xmlNavigator) MoveToNextAttribute() bool {
	if !n.e.Budget.Spend(stepsPerMove) || n.attr >= len(n.at.attrs)-1 {
		return false
	}
	n.attr++
	return true
}

func (n *xmlNavigator) MoveToChild() bool    { return n.attr < 0 && n.move(n.at.first) }
func (n *xmlNavigator) MoveToNext() bool     { return n.attr < 0 && n.move(n.at.next) }
func (n *xmlNavigator) MoveToPrevious() bool { return n.attr < 0 && n.move(n.at.previous) }

func (n *xmlNavigator) MoveToFirst() bool {
	if n.attr >= 0 || n.at.previous == nil {
		return false
	}
	for n.MoveToPrevious() {
	}
	return true
}
