// Package query evaluates any XPath 1.0 over a document, for people who ask what it holds.
// What rules may have is evaluated as they do. For everything else antchfx/xpath follows
// single steps, an axis with a node test, along which it finds what XPath 1.0 says. What
// it does with predicates, comparisons, functions and positions differs from XPath 1.0 in
// many places (docs/adr/0033-xpath.md), so that engine/xpath decides these here too.
package query

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"einvoice/engine/xpath"
	"einvoice/model"
	"einvoice/model/source"

	antchfx "github.com/antchfx/xpath"
)

// Evaluate evaluates an expression from the root of the source document, or of the model if
// it begins there.
func Evaluate(x *xpath.Expression, e *xpath.Evaluation, doc *model.Document) (*xpath.Result, error) {
	out, err := x.Evaluate(e, doc)
	why, ok := errors.AsType[*xpath.Error](err)
	if !ok {
		return out, err
	}
	var t *tree
	if root := x.Root(); root != nil {
		t = treeOfModel(root, root.Of(doc))
	} else if t, err = treeOfDocument(e.Tree); err != nil {
		return nil, err
	}
	if out, err = xpath.EvaluateBy(x, e, 0, t.walk(), func(n int32) xpath.Found { return t.found(e, n) }); err == nil {
		out.NotInRules = why
	}
	return out, err
}

// walk leads through the tree with antchfx/xpath. Nodes are numbered in their order.
func (t *tree) walk() *xpath.Walk[int32] {
	return &xpath.Walk[int32]{
		Step: t.step,
		Root: func(int32) int32 { return 0 },
		Order: func(e *xpath.Evaluation, nodes []int32) []int32 {
			e.Budget.Spend(int64(len(nodes)))
			slices.Sort(nodes)
			return slices.Compact(nodes)
		},
		Text: t.text,
		Name: func(_ *xpath.Evaluation, n int32) source.QName { return t.nodes[n].name },
	}
}

// step compiles a step. antchfx/xpath finds nothing by prefix:*, so that it is asked for *.
func (t *tree) step(s *xpath.Step) (func(*xpath.Evaluation, int32) []int32, error) {
	prefix, anyOf := strings.CutSuffix(s.Name, ":*")
	test := s.Name
	if anyOf {
		test = "*"
	}
	if s.Axis == "namespace" {
		return nil, &xpath.Error{Column: s.Column, Message: "there is no namespace axis: prefixes are fixed, whatever a document declares"}
	}
	target, ofInstructions := strings.CutPrefix(s.Name, "processing-instruction(")
	if ofInstructions {
		test, target = "node()", strings.Trim(strings.TrimSuffix(target, ")"), `"'`)
	}
	compiled, err := antchfx.CompileWithNS(string(s.Axis)+"::"+test, source.Prefixes)
	if err != nil {
		return nil, &xpath.Error{Column: s.Column, Message: err.Error()}
	}
	return func(e *xpath.Evaluation, from int32) (found []int32) {
		if s.Axis == xpath.Attribute && t.isAttribute(from) {
			return nil // antchfx/xpath goes on to the attributes after it
		}
		nodes := compiled.Select(&navigator{t, e, from})
		for nodes.MoveNext() && !e.Budget.Stopped() {
			n := nodes.Current().(*navigator).at
			if ofInstructions && (t.nodes[n].kind != instruction || target != "" && t.nodes[n].name.Local != target) {
				continue
			}
			if !anyOf || t.nodes[n].name.URI == source.Prefixes[prefix] {
				found = append(found, n)
			}
		}
		return found
	}, nil
}

// stepsPerMove is how many steps of the budget a move of antchfx/xpath is worth, which
// copies its navigator at every turn.
const stepsPerMove = 16

// A navigator is a place in a tree. When the budget stops it, there is nowhere left to move.
type navigator struct {
	*tree
	e  *xpath.Evaluation
	at int32
}

func (n *navigator) NodeType() antchfx.NodeType { return n.nodes[n.at].kind }
func (n *navigator) LocalName() string          { return n.nodes[n.at].name.Local }
func (n *navigator) NamespaceURL() string       { return n.nodes[n.at].name.URI }
func (n *navigator) Prefix() string             { return "" } // names are compared by namespace
func (n *navigator) Value() string              { return "" } // no step asks for it

func (n *navigator) Copy() antchfx.NodeNavigator {
	n.e.Budget.Spend(stepsPerMove)
	c := *n
	return &c
}

func (n *navigator) MoveTo(other antchfx.NodeNavigator) bool {
	n.at = other.(*navigator).at
	return true
}

func (n *navigator) move(to int32) bool {
	if to == 0 || !n.e.Budget.Spend(stepsPerMove) {
		return false
	}
	n.at = to
	return true
}

func (n *navigator) MoveToRoot()       { n.at = 0 }
func (n *navigator) MoveToChild() bool { return n.move(n.nodes[n.at].child) }
func (n *navigator) MoveToNext() bool  { return !n.isAttribute(n.at) && n.move(n.nodes[n.at].next) }
func (n *navigator) MoveToPrevious() bool {
	return !n.isAttribute(n.at) && n.move(n.nodes[n.at].previous)
}
func (n *navigator) MoveToParent() bool {
	if n.at == 0 || !n.e.Budget.Spend(stepsPerMove) {
		return false
	}
	n.at = n.nodes[n.at].parent
	return true
}

func (n *navigator) MoveToNextAttribute() bool {
	if n.isAttribute(n.at) {
		return n.move(n.nodes[n.at].next)
	}
	return n.move(n.nodes[n.at].attribute)
}

func (n *navigator) MoveToFirst() bool {
	if n.nodes[n.at].previous == 0 {
		return false
	}
	for n.MoveToPrevious() {
	}
	return true
}

// found describes a node.
func (t *tree) found(e *xpath.Evaluation, n int32) xpath.Found {
	return xpath.Found{Path: t.path(e.Tree, n), Value: t.text(e, n), At: t.nodes[n].ref}
}

func (t *tree) path(of *source.Tree, n int32) string {
	node := &t.nodes[n]
	switch {
	case node.kind == antchfx.RootNode:
		return "/"
	case t.ofModel && node.parent == 0:
		return "/" + node.name.Local
	case t.ofModel && node.index > 0:
		return fmt.Sprintf("%s/%s[%d]", t.path(of, node.parent), node.name.Local, node.index)
	case t.ofModel:
		return t.path(of, node.parent) + "/" + node.name.Local
	case node.kind == antchfx.TextNode:
		return of.Path(node.ref) + "/text()"
	case node.kind == antchfx.CommentNode:
		return of.Path(node.ref) + "/comment()"
	case node.kind == instruction:
		return of.Path(node.ref) + "/processing-instruction()"
	}
	return of.Path(node.ref)
}
