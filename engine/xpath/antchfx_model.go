package xpath

import (
	"slices"
	"strings"

	"einvoice/model"

	antchfx "github.com/antchfx/xpath"
)

// Paths in predicates over the model that do not only go down through fields: up
// (..), to any depth (//), by no name (*), or several joined by |. antchfx/xpath
// follows them, with a navigator over the model. It compares numbers as
// floating-point numbers and gets much wrong in comparisons, functions and
// positions (antchfx_misread.go), so that it is given paths alone; comparing and
// calling functions is done here, as everywhere else.

// leavesFields reports whether a path asks for what is not below its own group,
// other than from the root.
func leavesFields(path *LocationPath) bool {
	return !fromRoot(path) && (path.Absolute || !goDown(path.Steps))
}

// goDown reports whether steps, and the paths in their predicates, only go down
// through fields.
func goDown(steps []Step) bool {
	for i := range steps {
		s := &steps[i]
		named := s.Axis == Child && !s.Descendant && !strings.HasSuffix(s.Name, "*")
		if !named && s.Axis != Attribute && !(s.Axis == Self && s.isAnyNode()) || slices.ContainsFunc(s.Predicates, asksElsewhere) {
			return false
		}
	}
	return true
}

// asksElsewhere reports whether an expression has a path that leaves the fields.
func asksElsewhere(x Expr) bool {
	return x.Op == Joined || x.Op == Path && leavesFields(&x.Path) || slices.ContainsFunc(x.Args, asksElsewhere)
}

// An antchfxPath is paths that antchfx/xpath follows.
type antchfxPath struct {
	expression *antchfx.Expr
}

func compileAntchfxPaths(at modelPlace, paths ...LocationPath) (nodeSet[modelNode], error) {
	texts := make([]string, len(paths))
	for i := range paths {
		if err := checkAntchfxPath(&paths[i], []modelPlace{at}); err != nil {
			return nil, err
		}
		texts[i] = paths[i].Text
	}
	expression, err := antchfx.Compile(strings.Join(texts, " | "))
	if err != nil {
		return nil, &Error{Column: paths[0].Steps[0].Column, Message: err.Error()}
	}
	return &antchfxPath{expression}, nil
}

func (p *antchfxPath) each(e *Evaluation, from modelNode, visit visitor[modelNode]) bool {
	var found []placedNode
	for nodes := p.expression.Select(navigatorAt(e, from)); nodes.MoveNext() && !e.Budget.Stopped(); {
		found = append(found, nodes.Current().(*modelNavigator).node())
	}
	found = inModelOrder(e, found)
	for _, n := range found {
		if e.Budget.Stopped() || !visit(e, n.modelNode) {
			return false
		}
	}
	return !e.Budget.Stopped()
}

func (p *antchfxPath) first(e *Evaluation, from modelNode) (found modelNode, ok bool) {
	none := p.each(e, from, func(_ *Evaluation, n modelNode) bool { found = n; return false })
	return found, !none
}

// checkAntchfxPath refuses a path that leads nowhere from some places, and a
// predicate in it that antchfx/xpath might decide otherwise than XPath says.
func checkAntchfxPath(path *LocationPath, from []modelPlace) error {
	if path.Absolute {
		from = []modelPlace{{}}
	}
	for i := range path.Steps {
		step := &path.Steps[i]
		if step.Axis == Attribute {
			return unknownField(step, from[0].of)
		}
		from = placesAfter(from, step)
		switch {
		case len(from) == 0 && step.isAnyNode():
			return &Error{Column: step.Column, Message: "there is nothing around the root"}
		case len(from) == 0:
			return &Error{Column: step.Column, Message: "no group or term of the invoice is called " + step.Name + " here"}
		}
		for j := range step.Predicates {
			if err := checkAntchfxPredicate(&step.Predicates[j], from); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkAntchfxPredicate(x *Expr, at []modelPlace) error {
	switch {
	case x.Op == Path:
		return checkAntchfxPath(&x.Path, at)
	case (x.Op == Equal || x.Op == NotEqual) && x.Args[0].Op == Path && x.Args[1].Op == Literal:
		return checkAntchfxPath(&x.Args[0].Path, at)
	case x.Op == And, x.Op == Or, x.Op == Call && x.Name == "not":
		for i := range x.Args {
			if err := checkAntchfxPredicate(&x.Args[i], at); err != nil {
				return err
			}
		}
		return nil
	}
	return &Error{Column: x.Column, Message: "a predicate within a path that has .., //, * or begins with / asks whether a path is there, or compares a path with a text on its right: write the rest in the CEL assertion, where invoice is at hand"}
}

// placesAfter is where a step leads from some places.
func placesAfter(from []modelPlace, step *Step) (out []modelPlace) {
	if step.Descendant {
		from = placesWithin(from)
	}
	for _, at := range from {
		for _, to := range at.along(step) {
			if !slices.Contains(out, to) {
				out = append(out, to)
			}
		}
	}
	return out
}

// placesWithin are some places and all below them.
func placesWithin(places []modelPlace) []modelPlace {
	all := slices.Clone(places)
	for i := 0; i < len(all); i++ {
		for _, below := range all[i].along(&Step{Axis: Child, Name: "*"}) {
			if !slices.Contains(all, below) {
				all = append(all, below)
			}
		}
	}
	return all
}

// along are the places to which a step may lead from one. The zero place is the
// root of the tree, above the roots of the model. What a group is called is not
// known on the way up.
func (at modelPlace) along(step *Step) (out []modelPlace) {
	fits := func(name string) bool { return step.Name == "*" || step.Name == name }
	switch {
	case step.Axis == Self:
		return []modelPlace{at}
	case step.Axis == Parent && at.term != nil:
		return []modelPlace{{of: at.of}}
	case step.Axis == Parent && at.of != nil:
		return placesAround(at.of)
	case step.Axis == Parent:
		return nil
	case at.of == nil:
		for _, root := range roots() {
			if fits(root.Name) {
				out = append(out, modelPlace{of: root.Type})
			}
		}
	case at.term == nil:
		for i := range at.of.Fields {
			if f := &at.of.Fields[i]; fits(f.Name) {
				out = append(out, at.in(f))
			}
		}
	}
	return out
}

// placesAround are the places of groups that have groups of a type inside.
func placesAround(t *model.Type) (out []modelPlace) {
	if rootOfType(t) != nil {
		return []modelPlace{{}}
	}
	var all []*model.Type
	for _, root := range roots() {
		all = append(all, root.Type)
	}
	for _, around := range typesWithin(all) {
		if slices.ContainsFunc(around.Fields, func(f model.Field) bool { return f.Elem == t }) {
			out = append(out, modelPlace{of: around})
		}
	}
	return out
}
