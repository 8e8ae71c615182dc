package xpath

import (
	"slices"

	"einvoice/model"
)

// A modelPath is a location path down through fields, step by step: from a
// group, from the root of the model, or from what is around the group.
type modelPath struct {
	begin  func(e *Evaluation) modelNode // nil for the group itself
	of     *model.Type                   // of the group that it begins at, then
	onRoot predicates[modelNode]         // of the step to the root
	steps  []modelStep
}

func atRoot(e *Evaluation) modelNode   { return e.top }
func atParent(e *Evaluation) modelNode { return e.around[len(e.around)-1] }

func (p *modelPath) each(e *Evaluation, from modelNode, visit visitor[modelNode]) bool {
	if p.begin != nil {
		from = p.begin(e)
		if from.of.Type != p.of || !p.onRoot.hold(e, from) {
			return !e.Budget.Stopped()
		}
	}
	return p.walk(e, from, 0, visit)
}

func (p *modelPath) first(e *Evaluation, from modelNode) (found modelNode, ok bool) {
	none := p.each(e, from, func(_ *Evaluation, n modelNode) bool { found = n; return false })
	return found, !none
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
	of   *model.Type
	term *model.Field // nil for the group itself
	// inside is the type around the groups that a context selects. In predicates
	// further in, what is around a group is not known.
	inside *model.Type
}

// dialect is that of expressions about what is at the place.
func (at modelPlace) dialect() *dialect[modelNode] {
	return &dialect[modelNode]{
		path:  at.path,
		union: func(paths []LocationPath) (nodeSet[modelNode], error) { return compileAntchfxPaths(at, paths...) },
		text:  modelText,
		name:  modelName,
	}
}

// path compiles a path: by itself where it goes down through fields, also from the
// root or from what is around the group; else for antchfx/xpath.
func (at modelPlace) path(path LocationPath) (nodeSet[modelNode], error) {
	steps := path.Steps
	switch {
	case fromRoot(&path):
		root := modelPlace{of: rootNamed(steps[0].Name).Type}
		onRoot, err := root.dialect().predicates(steps[0].Predicates)
		if err != nil {
			return nil, err
		}
		p := &modelPath{begin: atRoot, of: root.of, onRoot: onRoot}
		return p, root.compile(p, steps[1:])
	case !leavesFields(&path):
		p := &modelPath{}
		return p, at.compile(p, steps)
	case at.inside != nil && fromParent(&path):
		p := &modelPath{begin: atParent, of: at.inside}
		return p, modelPlace{of: at.inside}.compile(p, steps[1:])
	}
	return compileAntchfxPaths(at, path)
}

// fromRoot and fromParent recognize paths that go down from the root of the model,
// and from what is around a group.
func fromRoot(path *LocationPath) bool {
	first := &path.Steps[0]
	return path.Absolute && !first.Descendant && first.Axis == Child && rootNamed(first.Name) != nil && goDown(path.Steps)
}

func fromParent(path *LocationPath) bool {
	first := &path.Steps[0]
	return !path.Absolute && first.Axis == Parent && first.isAnyNode() && goDown(path.Steps[1:])
}

// compile compiles steps down through fields by their names.
func (at modelPlace) compile(p *modelPath, steps []Step) error {
	for i := range steps {
		if steps[i].isAnyNode() {
			continue
		}
		s, err := at.step(&steps[i], false)
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
		return modelPlace{of: at.of, term: f}
	}
	return modelPlace{of: f.Elem}
}

// step compiles a step into a field of the groups at the place. That of a context
// knows what is around the groups that it leads to.
func (at modelPlace) step(step *Step, ofContext bool) (s modelStep, err error) {
	if at.term != nil {
		return s, &Error{Column: step.Column, Message: at.term.Name + " is a term and has nothing below it"}
	}
	field, ok := at.of.Field(step.Name)
	if !ok {
		return s, unknownField(step, at.of)
	}
	s.field, s.number = field, numberOfField(at.of, field)
	to := at.in(field)
	if ofContext {
		to.inside = at.of
	}
	s.predicates, err = to.dialect().predicates(step.Predicates)
	return s, err
}

func numberOfField(t *model.Type, f *model.Field) int32 {
	return int32(slices.IndexFunc(t.Fields, func(other model.Field) bool { return other.Name == f.Name }))
}
