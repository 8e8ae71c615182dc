package xpath

import (
	"fmt"
	"slices"
	"sync"

	"einvoice/model"
	"einvoice/model/source"
)

// A modelPoint is a node of the model that knows the nodes around it, so that paths lead
// from it in all directions. The topmost is the root of the tree, above the root of the
// model.
type modelPoint struct {
	placedNode
	up *modelPoint
}

func aboveModel(top model.Object) *modelPoint {
	return &modelPoint{placedNode: placedNode{modelNode: modelNode{of: top, number: aboveRoot}}}
}

// below is a node in the point. Remembering where it is takes longer the deeper it is.
func (p *modelPoint) below(e *Evaluation, n modelNode) *modelPoint {
	e.Budget.Spend(int64(len(p.place)))
	return &modelPoint{placedNode{n, append(slices.Clip(p.place), n.number, n.index)}, p}
}

// pointAt is the point of a node whose groups around it the evaluation knows.
func (e *Evaluation) pointAt(n modelNode) *modelPoint {
	if len(e.around) == 0 {
		return aboveModel(n.of).below(e, n)
	}
	p := aboveModel(e.around[0].of)
	for _, g := range e.around {
		p = p.below(e, g)
	}
	return p.below(e, n)
}

// path is the path of the point as results show it.
func (p *modelPoint) path() string {
	switch {
	case p.up == nil:
		return "/"
	case p.up.up == nil:
		return "/" + rootOfType(p.of.Type).Name
	case p.field.Kind == model.KindList:
		return fmt.Sprintf("%s/%s[%d]", p.up.path(), p.field.Name, p.index+1)
	}
	return p.up.path() + "/" + p.field.Name
}

func (p *modelPoint) found(e *Evaluation) Found {
	out := Found{Path: p.path(), Value: modelText(e, p.modelNode), At: p.of.Ref()}
	if p.isTerm() {
		out.At = p.of.RefOf(p.field)
	}
	return out
}

// inside are the groups and terms in a group that a node test names.
func (p *modelPoint) inside(e *Evaluation, test string) (out []*modelPoint) {
	switch {
	case p.isTerm():
	case p.up == nil:
		if root := p.below(e, modelNode{of: p.of}); root.fits(test) {
			out = append(out, root)
		}
	default:
		for i := range p.of.Type.Fields {
			if f := &p.of.Type.Fields[i]; named(f.Name, test) {
				for _, n := range (&modelStep{field: f, number: int32(i)}).candidates(e, p.of) {
					out = append(out, p.below(e, n))
				}
			}
		}
	}
	return out
}

func (p *modelPoint) fits(test string) bool {
	return test == anyNode || p.up != nil && named(modelName(nil, p.modelNode).Local, test)
}

// withAllInside adds a node and all inside it.
func (p *modelPoint) withAllInside(e *Evaluation, out []*modelPoint) []*modelPoint {
	out = append(out, p)
	if e.Budget.Step() {
		for _, inside := range p.inside(e, "*") {
			out = inside.withAllInside(e, out)
		}
	}
	return out
}

// modelWalk leads through the model by the axes that rules have.
var modelWalk = &Walk[*modelPoint]{
	Step: stepInModel,
	Root: func(p *modelPoint) *modelPoint {
		for p.up != nil {
			p = p.up
		}
		return p
	},
	Order: func(e *Evaluation, points []*modelPoint) []*modelPoint {
		e.Budget.Spend(int64(len(points)))
		slices.SortFunc(points, func(a, b *modelPoint) int { return slices.Compare(a.place, b.place) })
		return slices.CompactFunc(points, func(a, b *modelPoint) bool { return slices.Equal(a.place, b.place) })
	},
	Text: func(e *Evaluation, p *modelPoint) string { return modelText(e, p.modelNode) },
	Name: func(e *Evaluation, p *modelPoint) source.QName { return modelName(e, p.modelNode) },
}

func stepInModel(s *Step) (func(*Evaluation, *modelPoint) []*modelPoint, error) {
	test := s.Name
	switch s.Axis {
	case Child:
		return func(e *Evaluation, p *modelPoint) []*modelPoint { return p.inside(e, test) }, nil
	case descendantOrSelf: // what // stands for
		return func(e *Evaluation, p *modelPoint) []*modelPoint { return p.withAllInside(e, nil) }, nil
	case Attribute:
		return nil, unknownField(s, nil)
	case Ancestor, FollowingSibling, PrecedingSibling:
		return nil, &Error{Column: s.Column, Message: fmt.Sprintf("paths over the invoice do not have the axis %s: write .. for each level", s.Axis)}
	}
	return func(_ *Evaluation, p *modelPoint) []*modelPoint {
		if s.Axis == Parent {
			p = p.up
		}
		if p == nil || !p.fits(test) {
			return nil
		}
		return []*modelPoint{p}
	}, nil
}

// elsewhere compiles paths over the model that do not only go down through fields: up
// (..), to any depth (//), from the root, by no name (*), or several joined by |. One that
// can lead nowhere is an error.
func (at modelPlace) elsewhere(x *Expr) (nodeSet[modelNode], error) {
	v, err := modelWalk.dialect().compile(x)
	if err != nil {
		return nodeSet[modelNode]{}, err
	}
	shape := modelShape()
	_, err = shape.structure.Follow(Places{shape.elements[at]: true}, x.paths(nil))
	return nodesOf(func(e *Evaluation, from modelNode, visit visitor[modelNode]) bool {
		return v.nodes.each(e, e.pointAt(from), func(e *Evaluation, n *modelPoint) bool { return visit(e, n.modelNode) })
	}), err
}

// A shape is what the model can have, as a Structure.
type shape struct {
	structure *Structure
	elements  map[modelPlace]*Element
	places    map[*Element]modelPlace
}

var modelShape = sync.OnceValue(func() *shape {
	s := &shape{elements: map[modelPlace]*Element{}, places: map[*Element]modelPlace{}}
	inside := map[*model.Type][]*Element{}
	var all []*Element
	for _, root := range roots() {
		all = append(all, s.element(root.Name, modelPlace{of: root.Type}, inside))
	}
	s.structure = NewStructure(all)
	s.structure.nowhere = s.nowhere
	return s
})

// element makes that of a place; groups of a type have the same elements inside.
func (s *shape) element(name string, at modelPlace, inside map[*model.Type][]*Element) *Element {
	e := &Element{Name: name}
	s.elements[at], s.places[e] = e, at
	if at.isTerm() {
		return e
	}
	elements, known := inside[at.of]
	if !known {
		elements = make([]*Element, len(at.of.Fields))
		inside[at.of] = elements
		for i := range elements {
			f := &at.of.Fields[i]
			elements[i] = s.element(f.Name, at.in(f), inside)
		}
	}
	e.Children = elements
	return e
}

func (s *shape) nowhere(at Places, step *Step) error {
	for e := range at {
		if place, inModel := s.places[e]; inModel && len(at) == 1 {
			return place.nowhere(step)
		}
	}
	message := "no group or term of the invoice is called " + step.Name + " here"
	if step.isAnyNode() {
		message = "there is nothing around the root"
	}
	return &Error{Column: step.Column, Message: message}
}

// leavesFields reports whether a path does not only go down through fields.
func leavesFields(path *LocationPath) bool {
	return path.Absolute || slices.ContainsFunc(path.Steps, func(s Step) bool {
		named := s.Axis == Child && !s.Descendant && s.Name != "*"
		return !named && s.Axis != Attribute && !(s.Axis == Self && s.isAnyNode()) || slices.ContainsFunc(s.Predicates, asksElsewhere)
	})
}

// asksElsewhere reports whether an expression has a path that leaves the fields.
func asksElsewhere(x Expr) bool {
	return x.Op == Joined || x.Op == Path && leavesFields(&x.Path) || slices.ContainsFunc(x.Args, asksElsewhere)
}
