package xpath

import (
	"strings"

	"einvoice/model/source"

	"github.com/antchfx/xmlquery"
	antchfx "github.com/antchfx/xpath"
)

// An xmlNavigator walks a tree of xmlquery for antchfx/xpath. Every move is a
// step of the budget; when that stops it, there is nowhere left to move.
type xmlNavigator struct {
	e    *Evaluation
	tree *xmlTree
	at   *xmlquery.Node
	attr int // of its attributes the current one, -1 for the node itself
}

// ref is the element or attribute of the source tree that is the current node, or
// that a text or comment is in.
func (n *xmlNavigator) ref() source.Ref {
	element := n.at
	if element.Type != xmlquery.ElementNode && element.Type != xmlquery.DocumentNode {
		element = element.Parent
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
	switch {
	case n.attr >= 0:
		return antchfx.AttributeNode
	case n.at.Type == xmlquery.ElementNode:
		return antchfx.ElementNode
	case n.at.Type == xmlquery.TextNode:
		return antchfx.TextNode
	case n.at.Type == xmlquery.CommentNode:
		return antchfx.CommentNode
	}
	return antchfx.RootNode
}

func (n *xmlNavigator) LocalName() string {
	switch n.NodeType() {
	case antchfx.AttributeNode:
		return n.at.Attr[n.attr].Name.Local
	case antchfx.ElementNode:
		return n.at.Data
	}
	return ""
}

func (n *xmlNavigator) Prefix() string {
	switch n.NodeType() {
	case antchfx.AttributeNode:
		return n.at.Attr[n.attr].Name.Space
	case antchfx.ElementNode:
		return n.at.Prefix
	}
	return ""
}

// NamespaceURL is what antchfx/xpath compares the namespaces of names with.
func (n *xmlNavigator) NamespaceURL() string {
	switch n.NodeType() {
	case antchfx.AttributeNode:
		return n.at.Attr[n.attr].NamespaceURI
	case antchfx.ElementNode:
		return n.at.NamespaceURI
	}
	return ""
}

func (n *xmlNavigator) Value() string {
	if n.attr >= 0 {
		return n.e.read(n.at.Attr[n.attr].Value)
	}
	if n.at.Type == xmlquery.CommentNode {
		return n.e.read(n.at.Data)
	}
	var all strings.Builder
	n.writeTexts(n.at, &all)
	return all.String()
}

func (n *xmlNavigator) writeTexts(of *xmlquery.Node, to *strings.Builder) {
	if of.Type == xmlquery.TextNode {
		to.WriteString(n.e.read(of.Data))
	}
	for c := of.FirstChild; c != nil && n.e.Budget.Spend(stepsPerMove); c = c.NextSibling {
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
func (n *xmlNavigator) move(to *xmlquery.Node) bool {
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
	return n.move(n.at.Parent)
}

func (n *xmlNavigator) MoveToNextAttribute() bool {
	if !n.e.Budget.Spend(stepsPerMove) || n.attr >= len(n.at.Attr)-1 {
		return false
	}
	n.attr++
	return true
}

func (n *xmlNavigator) MoveToChild() bool    { return n.attr < 0 && n.move(n.at.FirstChild) }
func (n *xmlNavigator) MoveToNext() bool     { return n.attr < 0 && n.move(n.at.NextSibling) }
func (n *xmlNavigator) MoveToPrevious() bool { return n.attr < 0 && n.move(n.at.PrevSibling) }

func (n *xmlNavigator) MoveToFirst() bool {
	if n.attr >= 0 || n.at.PrevSibling == nil {
		return false
	}
	for n.MoveToPrevious() {
	}
	return true
}
