package xpath

import (
	"slices"

	"einvoice/model/source"
)

// A Walk leads through documents whose nodes are N, one step after the other. Paths are
// followed so where nothing is known of the document that would be faster.
type Walk[N any] struct {
	// Step compiles the axis and node test of a step to what they lead to.
	Step func(*Step) (func(e *Evaluation, from N) []N, error)
	Root func(N) N
	// Order sorts nodes as they are in the document and keeps each once.
	Order func(*Evaluation, []N) []N
	Text  func(*Evaluation, N) string // XPath's string-value
	Name  func(*Evaluation, N) source.QName
}

// EvaluateBy evaluates any expression of XPath 1.0 from a node; describe says what it found.
func EvaluateBy[N any](x *Expression, e *Evaluation, from N, walk *Walk[N], describe func(N) Found) (*Result, error) {
	return evaluate(x, e, from, walk.dialect(), describe)
}

func evaluate[N any](x *Expression, e *Evaluation, from N, by *dialect[N], describe func(N) Found) (*Result, error) {
	v, err := by.compile(&x.x)
	if err != nil {
		return nil, err
	}
	out := &Result{IsSet: v.kind == kindNodes}
	if out.IsSet {
		v.nodes.each(e, from, func(_ *Evaluation, n N) bool { out.Nodes = append(out.Nodes, describe(n)); return true })
	} else {
		out.Value = by.asText(v)(e, focus[N]{from, 1, 1})
	}
	return out, e.Budget.Err()
}

// A steppedPath gathers what each of its steps leads to before the next.
type steppedPath[N any] struct {
	walk     *Walk[N]
	absolute bool
	of       *nodeSet[N]   // what is in parentheses before the steps
	kept     predicates[N] // of that
	steps    []walkedStep[N]
}

type walkedStep[N any] struct {
	follow func(*Evaluation, N) []N
	back   bool // positions count towards the beginning of the document
	predicates[N]
}

func (w *Walk[N]) dialect() *dialect[N] {
	return &dialect[N]{
		path: func(path LocationPath) (nodeSet[N], error) {
			p, err := w.path(path)
			return nodesOf(p.each), err
		},
		joined: func(x *Expr) (nodeSet[N], error) { return join(w.dialect(), x, w.Order) },
		filter: w.filter,
		text:   w.Text,
		name:   w.Name,
	}
}

func (w *Walk[N]) path(path LocationPath) (*steppedPath[N], error) {
	p := &steppedPath[N]{walk: w, absolute: path.Absolute}
	for i := range path.Steps {
		s := &path.Steps[i]
		if s.Descendant {
			if err := p.add(&Step{Axis: descendantOrSelf, Name: anyNode, Column: s.Column}); err != nil {
				return nil, err
			}
		}
		if err := p.add(s); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *steppedPath[N]) add(s *Step) error {
	follow, err := p.walk.Step(s)
	if err != nil {
		return err
	}
	kept, err := p.walk.dialect().predicates(s.Predicates)
	back := slices.Contains([]Axis{Ancestor, ancestorOrSelf, preceding, PrecedingSibling}, s.Axis)
	p.steps = append(p.steps, walkedStep[N]{follow, back, kept})
	return err
}

// filter compiles parentheses with predicates and steps after them.
func (w *Walk[N]) filter(x *Expr) (nodeSet[N], error) {
	p, err := w.path(x.Path)
	if err != nil {
		return nodeSet[N]{}, err
	}
	of, err := w.dialect().compile(&x.Args[0])
	if err != nil {
		return nodeSet[N]{}, err
	}
	p.of = &of.nodes
	p.kept, err = w.dialect().predicates(x.Args[1:])
	return nodesOf(p.each), err
}

func (p *steppedPath[N]) each(e *Evaluation, from N, visit visitor[N]) bool {
	nodes := []N{from}
	switch {
	case p.absolute:
		nodes[0] = p.walk.Root(from)
	case p.of != nil:
		nodes = p.kept.filter(e, gathered(e, *p.of, from))
	}
	for i := range p.steps {
		s := &p.steps[i]
		var next []N
		for _, n := range nodes {
			if !e.Budget.Step() {
				return false
			}
			found := s.follow(e, n)
			if len(s.all) > 0 {
				if found = p.walk.Order(e, found); s.back {
					slices.Reverse(found)
				}
				found = s.predicates.filter(e, found)
			}
			next = append(next, found...)
		}
		nodes = p.walk.Order(e, next)
	}
	return visitAll(e, nodes, visit) && !e.Budget.Stopped()
}

// gathered are the nodes of a node-set; some are missing where the budget stopped it.
func gathered[N any](e *Evaluation, of nodeSet[N], from N) (nodes []N) {
	of.each(e, from, func(_ *Evaluation, n N) bool { nodes = append(nodes, n); return true })
	return nodes
}

// join compiles what | joins.
func join[N any](l *dialect[N], x *Expr, order func(*Evaluation, []N) []N) (nodeSet[N], error) {
	all := []*Expr{x}
	for ; x.Op == Joined; x = &x.Args[0] {
		all = append(all[:len(all)-1], &x.Args[1], &x.Args[0])
	}
	sets := make([]nodeSet[N], len(all))
	for i := range all {
		v, err := l.compile(all[i])
		if err != nil {
			return nodeSet[N]{}, err
		}
		sets[i] = v.nodes
	}
	return nodesOf(func(e *Evaluation, from N, visit visitor[N]) bool {
		var nodes []N
		for _, set := range sets {
			if nodes = append(nodes, gathered(e, set, from)...); e.Budget.Stopped() {
				return false
			}
		}
		nodes = order(e, nodes)
		return !e.Budget.Stopped() && visitAll(e, nodes, visit)
	}), nil
}
