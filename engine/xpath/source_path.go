package xpath

import (
	"fmt"
	"strings"

	"einvoice/engine/budget"
	"einvoice/model/source"
)

// Location paths over the source document. The context of a rule is matched
// upwards from its last step, so that one walk over the elements serves every
// rule: an element looks up the contexts that end in its name. Paths within
// assertions and predicates are followed downwards.

// An Evaluation is what evaluating a path over a source document needs beside
// the node.
type Evaluation struct {
	Tree   *source.Tree
	Budget *budget.Budget

	spent []int64 // by the patterns of a walk
}

// textPerStep is how many bytes of text are worth one step.
const textPerStep = 64

// text is TextOf, and pays for what is done with it.
func (e *Evaluation) text(r source.Ref) string {
	s := TextOf(e.Tree, r)
	e.Budget.Spend(int64(len(s) / textPerStep))
	return s
}

// A SourcePath is a compiled location path over the source document.
type SourcePath struct {
	absolute bool
	steps    []sourceStep
}

type sourceStep struct {
	descendant bool
	axis       Axis
	any        bool                    // the node test is * or prefix:*
	name       source.Name             // the node test otherwise
	fits       func(source.QName) bool // where any name will do, what it must be like; nil for every one
	predicates []sourcePredicate
	column     int
}

// OverSource compiles a location path.
func OverSource(path LocationPath) (*SourcePath, error) {
	out := &SourcePath{absolute: path.Absolute}
	for _, step := range path.Steps { // a copy: restrict takes a predicate away
		s := sourceStep{descendant: step.Descendant, axis: step.Axis, column: step.Column}
		switch {
		case step.Axis == Self || step.Axis == Parent:
		case step.Axis == Child && strings.HasSuffix(step.Name, "*"):
			s.any = true
			if err := s.restrict(&step); err != nil {
				return nil, err
			}
		default:
			q, err := source.ParseQName(step.Name)
			if err != nil {
				return nil, &Error{Column: step.Column, Message: err.Error()}
			}
			s.name = source.Intern(q)[0]
		}
		for _, p := range step.Predicates {
			predicate, err := compileSourcePredicate(p)
			if err != nil {
				return nil, err
			}
			s.predicates = append(s.predicates, predicate)
		}
		out.steps = append(out.steps, s)
	}
	return out, nil
}

// restrict compiles what a * says of the name alone: its namespace, as in
// ram:*, and how it ends, as in *[ends-with(name(), 'ID')]. That much is decided
// once a name instead of once an element.
func (s *sourceStep) restrict(step *Step) error {
	prefix, _, prefixed := strings.Cut(step.Name, ":")
	uri, known := source.Prefixes[prefix]
	if prefixed && !known {
		return &Error{Column: step.Column, Message: fmt.Sprintf("unknown prefix %q in name %q", prefix, step.Name)}
	}
	suffix := ""
	if p := step.Predicates; len(p) > 0 && p[0].Name == "ends-with" && p[0].Args[0].Name == "name" && p[0].Args[1].Op == Literal {
		suffix, step.Predicates = p[0].Args[1].Value, p[1:]
	}
	if prefixed || suffix != "" {
		s.fits = func(q source.QName) bool {
			return (!prefixed || q.URI == uri) && strings.HasSuffix(q.Local, suffix)
		}
	}
	return nil
}

// SelectsElements refuses a path whose last step leads to anything else.
func (p *SourcePath) SelectsElements() error {
	if last := p.steps[len(p.steps)-1]; last.axis != Child {
		return &Error{Column: last.column, Message: "a context selects elements"}
	}
	return nil
}

// Absolute reports whether the path begins at the root.
func (p *SourcePath) Absolute() bool { return p.absolute }

// Len counts the steps.
func (p *SourcePath) Len() int { return len(p.steps) }

func (s *sourceStep) named(t *source.Tree, n source.Node) bool {
	if !s.any {
		return t.Name(n) == s.name
	}
	return s.fits == nil || s.fits(t.NameOf(t.Name(n)))
}

func (s *sourceStep) holds(e *Evaluation, n source.Node) bool {
	for _, predicate := range s.predicates {
		if !predicate(e, n) {
			return false
		}
	}
	return true
}

// Matches reports whether an absolute path selects the element or attribute.
func (p *SourcePath) Matches(e *Evaluation, r source.Ref) bool {
	last := len(p.steps) - 1
	if r > 0 {
		return p.matchesUpTo(e, r.Element(), last)
	}
	owner := e.Tree.Owner(r)
	if p.steps[last].descendant {
		return last == 0 || p.matchesAbove(e, owner, last-1)
	}
	return p.matchesUpTo(e, owner, last-1)
}

// matchesAbove reports whether n or an element around it matches up to step i.
func (p *SourcePath) matchesAbove(e *Evaluation, n source.Node, i int) bool {
	for ; n != 0 && e.Budget.Step(); n = e.Tree.Parent(n) {
		if p.matchesUpTo(e, n, i) {
			return true
		}
	}
	return false
}

func (p *SourcePath) matchesUpTo(e *Evaluation, n source.Node, i int) bool {
	step := &p.steps[i]
	if n == 0 || !step.named(e.Tree, n) || !step.holds(e, n) {
		return false
	}
	parent := e.Tree.Parent(n)
	if i == 0 {
		return step.descendant || parent == 0
	}
	if !step.descendant {
		return p.matchesUpTo(e, parent, i-1)
	}
	return p.matchesAbove(e, parent, i-1)
}

// Each yields every element or attribute that the path reaches from n, until
// yield returns false or the budget stops it. It reports whether it went
// through all of them.
func (p *SourcePath) Each(e *Evaluation, n source.Node, yield func(source.Ref) bool) bool {
	if p.absolute {
		n = 0
	}
	return eachFrom(e, n, p.steps, yield)
}

func eachFrom(e *Evaluation, n source.Node, steps []sourceStep, yield func(source.Ref) bool) bool {
	if !e.Budget.Step() {
		return false
	}
	if len(steps) == 0 {
		return yield(n.Ref())
	}
	step, rest := &steps[0], steps[1:]
	switch step.axis {
	case Self:
		return !step.holds(e, n) || eachFrom(e, n, rest, yield)
	case Parent:
		parent := e.Tree.Parent(n)
		return parent == 0 || !step.holds(e, parent) || eachFrom(e, parent, rest, yield)
	case Attribute:
		return eachAttribute(e, n, step, yield)
	}
	visit := func(c source.Node) bool {
		if !step.named(e.Tree, c) || !step.holds(e, c) {
			return !e.Budget.Stopped()
		}
		return eachFrom(e, c, rest, yield)
	}
	switch {
	case step.descendant:
		return eachDescendant(e, n, visit)
	case n == 0:
		return visit(e.Tree.Root())
	}
	return eachChild(e, n, step, visit)
}

func eachAttribute(e *Evaluation, n source.Node, step *sourceStep, yield func(source.Ref) bool) bool {
	if !step.descendant {
		if a, ok := e.Tree.Attr(n, step.name); ok {
			return yield(a.Ref())
		}
		return true
	}
	return eachDescendant(e, n, func(d source.Node) bool {
		a, ok := e.Tree.Attr(d, step.name)
		return !ok || yield(a.Ref())
	})
}

// eachChild looks at few children one by one, and finds those of an element
// with many by name.
func eachChild(e *Evaluation, n source.Node, step *sourceStep, visit func(source.Node) bool) bool {
	t := e.Tree
	walked := 0
	for c := t.FirstChild(n); c != 0; c = t.NextSibling(c) {
		if walked++; walked > source.Few && !step.any {
			for _, c := range t.FollowingNamed(c, step.name) {
				if !visit(c) {
					return false
				}
			}
			return true
		}
		if step.any && !e.Budget.Step() || !visit(c) {
			return false
		}
	}
	return true
}

// eachDescendant goes through all elements inside n, which are one run of the
// tree's slice.
func eachDescendant(e *Evaluation, n source.Node, visit func(source.Node) bool) bool {
	end := source.Node(len(e.Tree.Elements))
	if n != 0 {
		end = e.Tree.Elements[n].End
	}
	for d := n + 1; d < end; d++ {
		if !e.Budget.Step() || !visit(d) {
			return false
		}
	}
	return true
}
