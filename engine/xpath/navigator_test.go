package xpath

import (
	"slices"

	"einvoice/model"

	antchfx "github.com/antchfx/xpath"
)

// A modelNavigator walks the invoice, or the PDF around it, as if it were XML: the
// root at the top, groups and terms as elements named by their JSON names, a
// list as repeated elements. antchfx/xpath evaluates with it. Every move is a step
// of the budget; when that stops it, there is nowhere left to move.
type modelNavigator struct {
	e    *Evaluation
	path []modelPosition
}

// modelPosition is one level: the children of its group, and which is current.
type modelPosition struct {
	parent model.Object
	field  int // in parent.Type.Fields; -1 is the root of the tree
	index  int // in a list
}

// navigatorAtRoot is at the root of the tree, above the root of the model.
func navigatorAtRoot(e *Evaluation, top model.Object) *modelNavigator {
	return &modelNavigator{e: e, path: []modelPosition{{parent: top, field: -1}}}
}

// node is the current node with its place.
func (n *modelNavigator) node() placedNode {
	out := placedNode{modelNode: modelNode{of: n.path[0].parent}}
	if len(n.path) == 1 {
		out.number = aboveRoot
		return out
	}
	out.place = append(out.place, 0, 0)
	for _, p := range n.path[2:] {
		out.place = append(out.place, int32(p.field), int32(p.index))
	}
	if len(n.path) > 2 {
		top := n.path[len(n.path)-1]
		out.of, out.field = top.parent, &top.parent.Type.Fields[top.field]
		out.number, out.index = int32(top.field), int32(top.index)
		if g, ok := n.group(); ok {
			out.of = g
		}
	}
	return out
}

// group is the current node as a group; the root of the tree is none, and a term
// neither.
func (n *modelNavigator) group() (model.Object, bool) {
	top := n.path[len(n.path)-1]
	if len(n.path) == 1 {
		return top.parent, false
	}
	if len(n.path) == 2 {
		return top.parent, true // the root of the model
	}
	f := &top.parent.Type.Fields[top.field]
	switch f.Kind {
	case model.KindGroup:
		return top.parent.Group(f), true
	case model.KindList:
		return top.parent.List(f).At(top.index), true
	}
	return model.Object{}, false
}

func (n *modelNavigator) NodeType() antchfx.NodeType {
	if len(n.path) == 1 {
		return antchfx.RootNode
	}
	return antchfx.ElementNode
}

func (n *modelNavigator) LocalName() string {
	switch len(n.path) {
	case 1:
		return ""
	case 2:
		return rootOfType(n.path[0].parent.Type).Name
	}
	top := n.path[len(n.path)-1]
	return top.parent.Type.Fields[top.field].Name
}

func (n *modelNavigator) Prefix() string { return "" }

func (n *modelNavigator) Value() string {
	return modelText(n.e, n.node().modelNode)
}

// Copy is how antchfx/xpath begins whatever it does, so that it is a step.
func (n *modelNavigator) Copy() antchfx.NodeNavigator {
	n.e.Budget.Step()
	return &modelNavigator{e: n.e, path: slices.Clone(n.path)}
}

func (n *modelNavigator) MoveToRoot() { n.path = n.path[:1] }

func (n *modelNavigator) MoveToParent() bool {
	if len(n.path) == 1 || !n.e.Budget.Step() {
		return false
	}
	n.path = n.path[:len(n.path)-1]
	return true
}

func (n *modelNavigator) MoveToNextAttribute() bool { return false }

func (n *modelNavigator) MoveToChild() bool {
	if !n.e.Budget.Step() {
		return false
	}
	if len(n.path) == 1 {
		n.path = append(n.path, modelPosition{parent: n.path[0].parent})
		return true
	}
	o, ok := n.group()
	if !ok {
		return false
	}
	child := modelPosition{parent: o, field: -1}
	if !child.next() {
		return false
	}
	n.path = append(n.path, child)
	return true
}

// next moves to the following present field or list element.
func (p *modelPosition) next() bool {
	fields := p.parent.Type.Fields
	if p.field >= 0 && fields[p.field].Kind == model.KindList && p.index+1 < p.parent.List(&fields[p.field]).Len() {
		p.index++
		return true
	}
	for i := p.field + 1; i < len(fields); i++ {
		if p.parent.Has(&fields[i]) {
			p.field, p.index = i, 0
			return true
		}
	}
	return false
}

func (n *modelNavigator) previous() bool {
	top := &n.path[len(n.path)-1]
	if top.index > 0 {
		top.index--
		return true
	}
	fields := top.parent.Type.Fields
	for i := top.field - 1; i >= 0; i-- {
		if top.parent.Has(&fields[i]) {
			top.field = i
			if fields[i].Kind == model.KindList {
				top.index = top.parent.List(&fields[i]).Len() - 1
			}
			return true
		}
	}
	return false
}

func (n *modelNavigator) MoveToNext() bool {
	return len(n.path) > 2 && n.e.Budget.Step() && n.path[len(n.path)-1].next()
}

func (n *modelNavigator) MoveToPrevious() bool {
	return len(n.path) > 2 && n.e.Budget.Step() && n.previous()
}

func (n *modelNavigator) MoveToFirst() bool {
	if len(n.path) < 3 {
		return false
	}
	for n.e.Budget.Step() && n.previous() {
	}
	return true
}

func (n *modelNavigator) MoveTo(other antchfx.NodeNavigator) bool {
	o, ok := other.(*modelNavigator)
	if !ok || o.path[0] != n.path[0] {
		return false
	}
	n.path = append(n.path[:0], o.path...)
	return true
}
