package xpath

import (
	"strings"

	"einvoice/model"
)

// compile compiles an expression that rules may use, and with a Walk any other.
func (l *dialect[N]) compile(x *Expr) (value[N], error) {
	if l.shared == nil {
		return l.compileAnew(x)
	}
	return l.shared.of(x.appendKey(nil), func() (value[N], error) { return l.compileAnew(x) })
}

func (l *dialect[N]) compileAnew(x *Expr) (value[N], error) {
	switch x.Op {
	case Path:
		nodes, err := l.path(x.Path)
		return value[N]{kind: kindNodes, nodes: nodes}, err
	case Joined:
		nodes, err := l.joined(x)
		return value[N]{kind: kindNodes, nodes: nodes}, err
	case filter:
		nodes, err := l.filter(x)
		return value[N]{kind: kindNodes, nodes: nodes}, err
	case variable:
		return value[N]{}, &Error{Column: x.Column, Message: notOffered[variable]}
	case Literal:
		return constantText[N](x.Value), nil
	case Number:
		d, err := model.ParseDecimal(x.Value)
		return constantNumber[N](number{decimal: d}), err
	}
	if x.asksBlank() {
		return l.blank(&x.Args[0])
	}
	args := make([]value[N], len(x.Args))
	for i := range x.Args {
		var err error
		if args[i], err = l.compile(&x.Args[i]); err != nil {
			return value[N]{}, err
		}
	}
	switch x.Op {
	case Or, And:
		return l.logical(x.Op, l.asBoolean(args[0]), l.asBoolean(args[1])), nil
	case Negative:
		of := l.asNumber(args[0])
		return numberValue(func(e *Evaluation, f focus[N]) number { return of(e, f).negative() }), nil
	case Call:
		return l.call(x.Name, args), nil
	}
	if calculate := calculations[x.Op]; calculate != nil {
		return numberValue(combine(l.asNumber(args[0]), l.asNumber(args[1]), calculate)), nil
	}
	return booleanValue(l.comparison(x.Op, args[0], args[1])), nil
}

// asksBlank reports whether an expression is normalize-space(...)=”, which rules ask of
// every element.
func (x *Expr) asksBlank() bool {
	return x.Op == Equal && x.Args[0].Op == Call && x.Args[0].Name == "normalize-space" && x.Args[1].Op == Literal && x.Args[1].Value == ""
}

// blank looks no further than the first character that is not white space.
func (l *dialect[N]) blank(call *Expr) (value[N], error) {
	text := func(e *Evaluation, f focus[N]) string { return l.text(e, f.node) }
	if len(call.Args) > 0 {
		of, err := l.compile(&call.Args[0])
		if err != nil {
			return value[N]{}, err
		}
		text = l.asText(of)
	}
	return booleanValue(func(e *Evaluation, f focus[N]) bool { return strings.TrimLeft(text(e, f), whiteSpace) == "" }), nil
}

// paths are those that | joins.
func (x *Expr) paths(before []LocationPath) []LocationPath {
	if x.Op == Joined {
		return x.Args[1].paths(x.Args[0].paths(before))
	}
	return append(before, x.Path)
}

func (l *dialect[N]) logical(op Op, a, b booleanOf[N]) value[N] {
	if op == And {
		return booleanValue(func(e *Evaluation, f focus[N]) bool { return a(e, f) && b(e, f) })
	}
	return booleanValue(func(e *Evaluation, f focus[N]) bool { return a(e, f) || b(e, f) })
}

// A predicate decides whether a step keeps a node.
type predicate[N any] struct {
	holds      booleanOf[N]
	positional bool // it asks for the position or the size
}

// predicate compiles a predicate: a number is a position, everything else a
// condition.
func (l *dialect[N]) predicate(x *Expr) (predicate[N], error) {
	v, err := l.compile(x)
	if err != nil {
		return predicate[N]{}, err
	}
	if v.kind == kindNumber {
		holds := func(e *Evaluation, f focus[N]) bool { return v.number(e, f).is(f.position) }
		return predicate[N]{holds, true}, nil
	}
	return predicate[N]{l.asBoolean(v), asksPosition(x)}, nil
}

// asksPosition reports whether an expression calls position() or last(); those
// in the predicates of its paths ask for another position.
func asksPosition(x *Expr) bool {
	if x.Op == Call && (x.Name == "position" || x.Name == "last") {
		return true
	}
	for i := range x.Args {
		if asksPosition(&x.Args[i]) {
			return true
		}
	}
	return false
}

// predicates are those of a step.
type predicates[N any] struct {
	together   booleanOf[N] // whether all hold; nil without any
	positional bool         // one of them is
	all        []predicate[N]
}

func (l *dialect[N]) predicates(of []Expr) (out predicates[N], err error) {
	for i := range of {
		p, err := l.predicate(&of[i])
		if err != nil {
			return out, err
		}
		out.add(p)
	}
	return out, nil
}

func (p *predicates[N]) add(one predicate[N]) {
	p.all = append(p.all, one)
	p.positional = p.positional || one.positional
	if before := p.together; before != nil {
		p.together = func(e *Evaluation, f focus[N]) bool { return before(e, f) && one.holds(e, f) }
	} else {
		p.together = one.holds
	}
}

// hold decides about a node for which positions do not matter, or that is the only
// one of its step.
func (p *predicates[N]) hold(e *Evaluation, n N) bool {
	return p.together == nil || p.together(e, focus[N]{node: n, position: 1, size: 1})
}

// filter keeps, of the nodes of one step from one node, those that the
// predicates keep, each of which counts what the one before it kept.
func (p *predicates[N]) filter(e *Evaluation, nodes []N) []N {
	for i := range p.all {
		kept := nodes[:0]
		for j, n := range nodes {
			if !e.Budget.Step() {
				return nil
			}
			if p.all[i].holds(e, focus[N]{node: n, position: j + 1, size: len(nodes)}) {
				kept = append(kept, n)
			}
		}
		nodes = kept
	}
	return nodes
}
