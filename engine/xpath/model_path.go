package xpath

import (
	"slices"

	"einvoice/model"
)

// A modelPath is a location path from a group down through fields, step by step.
type modelPath struct {
	steps []modelStep
}

func (p *modelPath) walk(e *Evaluation, from modelNode, i int, visit visitor[modelNode]) bool {
	if !e.Budget.Step() {
		return false
	}
	if i == len(p.steps) {
		return visit(e, from)
	}
	s := &p.steps[i]
	switch {
	case s.positional && s.field.Kind == model.KindList:
		return p.walkKept(e, from, i, visit)
	case s.field.Kind.IsLeaf():
		term := modelNode{from.of, s.field, s.number, 0}
		return !from.of.Has(s.field) || !s.hold(e, term) || p.walk(e, term, i+1, visit)
	case s.field.Kind == model.KindGroup:
		group := modelNode{from.of.Group(s.field), s.field, s.number, 0}
		return !group.of.Present() || !s.hold(e, group) || p.walk(e, group, i+1, visit)
	}
	list := from.of.List(s.field)
	for j := range list.Len() {
		group := modelNode{list.At(j), s.field, s.number, int32(j)}
		if !e.Budget.Step() || s.hold(e, group) && !p.walk(e, group, i+1, visit) {
			return false
		}
	}
	return true
}

func (p *modelPath) walkKept(e *Evaluation, from modelNode, i int, visit visitor[modelNode]) bool {
	s := &p.steps[i]
	for _, n := range s.filter(e, s.candidates(e, from.of)) {
		if !p.walk(e, n, i+1, visit) {
			return false
		}
	}
	return !e.Budget.Stopped()
}

// A modelPlace is where expressions about the model can be: at groups of a type,
// or at a term in them.
type modelPlace struct {
	of *model.Type
	by *model.Field // that leads there; nil for the root of the model
}

func (at modelPlace) isTerm() bool { return at.by != nil && at.by.Kind.IsLeaf() }

// dialect is that of expressions about what is at the place.
func (at modelPlace) dialect() *dialect[modelNode] {
	return &dialect[modelNode]{path: at.path, joined: at.elsewhere, text: modelText, name: modelName}
}

// path compiles a path, which is followed faster where it goes down through fields.
func (at modelPlace) path(path LocationPath) (nodeSet[modelNode], error) {
	if leavesFields(&path) {
		return at.elsewhere(&Expr{Op: Path, Path: path, Column: path.Steps[0].Column})
	}
	p := &modelPath{}
	err := at.compile(p, path.Steps)
	nodes := nodesOf(func(e *Evaluation, from modelNode, visit visitor[modelNode]) bool { return p.walk(e, from, 0, visit) })
	if err == nil && len(p.steps) == 1 && p.steps[0].field.Kind.IsLeaf() && len(p.steps[0].all) == 0 {
		s := &p.steps[0]
		nodes.first = func(e *Evaluation, from modelNode) (modelNode, bool) {
			return modelNode{from.of, s.field, s.number, 0}, e.Budget.Step() && from.of.Has(s.field)
		}
	}
	return nodes, err
}

// compile compiles steps down through fields by their names.
func (at modelPlace) compile(p *modelPath, steps []Step) error {
	for i := range steps {
		if steps[i].isAnyNode() {
			continue
		}
		s, err := at.step(&steps[i])
		if err != nil {
			return err
		}
		p.steps = append(p.steps, s)
		at = at.in(s.field)
	}
	return nil
}

// in is the place in a field of the groups at the place.
func (at modelPlace) in(f *model.Field) modelPlace {
	if f.Kind.IsLeaf() {
		return modelPlace{at.of, f}
	}
	return modelPlace{f.Elem, f}
}

// nowhere says why a step leads nowhere.
func (at modelPlace) nowhere(step *Step) error {
	if at.isTerm() && step.Axis != Attribute {
		return &Error{Column: step.Column, Message: at.by.Name + " is a term and has nothing below it"}
	}
	return unknownField(step, at.of)
}

// step compiles a step into a field of the groups at the place.
func (at modelPlace) step(step *Step) (s modelStep, err error) {
	field, ok := at.of.Field(step.Name)
	if !ok || at.isTerm() {
		return s, at.nowhere(step)
	}
	s.field, s.number = field, numberOfField(at.of, field)
	s.predicates, err = at.in(field).dialect().predicates(step.Predicates)
	return s, err
}

func numberOfField(t *model.Type, f *model.Field) int32 {
	return int32(slices.IndexFunc(t.Fields, func(other model.Field) bool { return other.Name == f.Name }))
}
