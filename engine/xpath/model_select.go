package xpath

import (
	"fmt"
	"slices"
	"strings"

	"einvoice/engine/budget"
	"einvoice/model"

	antchfx "github.com/antchfx/xpath"
)

// A ModelSelection finds the groups of the model that a context selects.
// Path-shaped contexts read the fields directly; whatever else the grammar
// allows is evaluated by antchfx/xpath with a navigator over the model.
type ModelSelection struct {
	root    *Root
	types   []*model.Type // what can be selected, in order of the paths
	paths   []*modelPath
	antchfx *antchfx.Expr // set when it evaluates, not the paths
}

// A modelPath is a compiled location path: what must be true of its root, and
// the steps down from there.
type modelPath struct {
	root      *Root
	predicate modelPredicate
	steps     []modelStep
}

// A modelStep leads from groups of several types to what is inside them.
type modelStep map[*model.Type]modelMove

// A modelMove is one step from groups of one type: into one field, or, for a
// step with //, to every group below that has the name.
type modelMove struct {
	field     *model.Field
	predicate modelPredicate

	below      string // the name that is looked for at any depth
	predicates map[*model.Type]modelPredicate
}

// OverModel compiles a context for selection over the model. A context that can
// select nothing is an error.
func OverModel(u *Union) (*ModelSelection, error) {
	s := &ModelSelection{}
	direct := true
	for _, path := range u.Paths {
		compiled, selected, ok, err := compileModelPath(path)
		if err != nil {
			return nil, err
		}
		if s.root == nil {
			s.root = compiled.root
		}
		if s.root != compiled.root {
			return nil, &Error{Column: path.Steps[0].Column, Message: "the paths of one context begin with the same root"}
		}
		direct = direct && ok
		s.paths = append(s.paths, compiled)
		for _, t := range selected {
			if !slices.Contains(s.types, t) {
				s.types = append(s.types, t)
			}
		}
	}
	if direct {
		return s, nil
	}
	expression, err := antchfx.Compile(u.Text)
	if err != nil {
		return nil, &Error{Column: 1, Message: err.Error()}
	}
	s.antchfx = expression
	return s, nil
}

// Root is what the context begins with.
func (s *ModelSelection) Root() *Root { return s.root }

// Types are the types of the groups that can be selected.
func (s *ModelSelection) Types() []*model.Type { return s.types }

// Select appends the groups below a root that the context selects. When the
// budget stops it, some are missing.
func (s *ModelSelection) Select(top model.Object, b *budget.Budget, out []model.Object) []model.Object {
	if s.antchfx != nil {
		return evaluateOnModel(s.antchfx, top, b, out)
	}
	for _, path := range s.paths {
		if path.predicate == nil || path.predicate(top) {
			out = descend(top, path.steps, b, out)
		}
	}
	return out
}

func descend(o model.Object, steps []modelStep, b *budget.Budget, out []model.Object) []model.Object {
	if len(steps) == 0 {
		return append(out, o)
	}
	move, ok := steps[0][o.Type]
	switch {
	case !ok:
		return out
	case move.field == nil:
		return move.search(o, steps[1:], b, out)
	case move.field.Kind == model.KindGroup:
		if g := o.Group(move.field); g.Present() && b.Step() && (move.predicate == nil || move.predicate(g)) {
			out = descend(g, steps[1:], b, out)
		}
		return out
	}
	list := o.List(move.field)
	for i := range list.Len() {
		if !b.Step() {
			return out
		}
		if g := list.At(i); move.predicate == nil || move.predicate(g) {
			out = descend(g, steps[1:], b, out)
		}
	}
	return out
}

// search goes through all groups inside o.
func (m *modelMove) search(o model.Object, rest []modelStep, b *budget.Budget, out []model.Object) []model.Object {
	visit := func(f *model.Field, g model.Object) {
		if f.Name == m.below {
			if predicate := m.predicates[g.Type]; predicate == nil || predicate(g) {
				out = descend(g, rest, b, out)
			}
		}
		out = m.search(g, rest, b, out)
	}
	for i := range o.Type.Fields {
		switch f := &o.Type.Fields[i]; f.Kind {
		case model.KindGroup:
			if g := o.Group(f); g.Present() && b.Step() {
				visit(f, g)
			}
		case model.KindList:
			list := o.List(f)
			for i := range list.Len() {
				if !b.Step() {
					return out
				}
				visit(f, list.At(i))
			}
		}
	}
	return out
}

// compileModelPath checks a path against the model and compiles it; direct is
// false when it is right but only antchfx can evaluate it.
func compileModelPath(path LocationPath) (compiled *modelPath, selected []*model.Type, direct bool, err error) {
	first := path.Steps[0]
	compiled = &modelPath{root: rootNamed(first.Name)}
	if first.Descendant || compiled.root == nil {
		return nil, nil, false, &Error{Column: first.Column, Message: "a context over the invoice begins with /invoice, one over the PDF around it with /container"}
	}
	if compiled.predicate, direct, err = compileModelPredicates(first.Predicates, compiled.root.Type); err != nil {
		return nil, nil, false, err
	}
	selected = []*model.Type{compiled.root.Type}
	for _, step := range path.Steps[1:] {
		var next []*model.Type
		moves := modelStep{}
		for _, t := range selected {
			move, reached, ok, err := compileModelStep(step, t)
			if err != nil {
				return nil, nil, false, err
			}
			direct = direct && ok
			if len(reached) == 0 {
				continue
			}
			moves[t] = move
			for _, r := range reached {
				if !slices.Contains(next, r) {
					next = append(next, r)
				}
			}
		}
		if len(next) == 0 {
			return nil, nil, false, unknownStep(step, selected[0])
		}
		compiled.steps = append(compiled.steps, moves)
		selected = next
	}
	return compiled, selected, direct, nil
}

func unknownStep(step Step, from *model.Type) error {
	message := fmt.Sprintf("%s has no group %s, so the context can select nothing", from.Name, step.Name)
	if near := from.Nearest(step.Name); near != "" && near != step.Name {
		message += fmt.Sprintf("; did you mean %s?", near)
	}
	if f, ok := from.Field(step.Name); ok && f.Kind.IsLeaf() {
		message = fmt.Sprintf("%s is a term, not a group: select the group around it and ask has(this.%s)", step.Name, step.Name)
	}
	return &Error{Column: step.Column, Message: message}
}

// compileModelStep compiles one step from groups of one type.
func compileModelStep(step Step, from *model.Type) (m modelMove, reached []*model.Type, direct bool, err error) {
	if step.Axis != Child || strings.HasSuffix(step.Name, "*") {
		return m, nil, false, &Error{Column: step.Column, Message: "a context over the invoice names its groups"}
	}
	if step.Descendant {
		return compileModelDescendants(step, from)
	}
	field, ok := from.Field(step.Name)
	if !ok || field.Kind.IsLeaf() {
		return m, nil, true, nil
	}
	predicate, direct, err := compileModelPredicates(step.Predicates, field.Elem)
	return modelMove{field: field, predicate: predicate}, []*model.Type{field.Elem}, direct, err
}

// compileModelDescendants finds what // can reach and compiles the predicates
// for each type of it.
func compileModelDescendants(step Step, from *model.Type) (modelMove, []*model.Type, bool, error) {
	m := modelMove{below: step.Name, predicates: map[*model.Type]modelPredicate{}}
	var reached []*model.Type
	direct := true
	seen := map[*model.Type]bool{}
	var find func(t *model.Type) error
	find = func(t *model.Type) error {
		if seen[t] {
			return nil
		}
		seen[t] = true
		for i := range t.Fields {
			f := &t.Fields[i]
			if f.Elem == nil {
				continue
			}
			if f.Name == step.Name && !slices.Contains(reached, f.Elem) {
				predicate, ok, err := compileModelPredicates(step.Predicates, f.Elem)
				if err != nil {
					return err
				}
				direct = direct && ok
				m.predicates[f.Elem] = predicate
				reached = append(reached, f.Elem)
			}
			if err := find(f.Elem); err != nil {
				return err
			}
		}
		return nil
	}
	err := find(from)
	return m, reached, direct, err
}
