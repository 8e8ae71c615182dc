package proving

import (
	"slices"
	"strings"

	"einvoice/service/importer/schematron"
	"einvoice/service/importer/xpath2"
)

// An assert is one of the published file, with what stands around it.
type assert struct {
	*schematron.Assert
	context *xpath2.Node
	test    *xpath2.Node
	earlier []*xpath2.Node // contexts of the pattern that may take its nodes
	lets    map[string]*xpath2.Node
	sheet   *sheet
}

// A sheet is a published file, parsed as far as it can be.
type sheet struct {
	file      string
	asserts   []*assert
	globals   map[string]*xpath2.Node
	functions map[string]*function
	prefixes  map[string]string // as they are written, to the conventional ones
}

type function struct {
	parameters []schematron.Parameter
	body       []*xpath2.Node
}

// looker finds the places that an assert looks at in a document.
type looker struct {
	sheet   *sheet
	context []*place // of the assert
	root    *place
	depth   int
	found   []*place
	values  []string // literals
	numbers []string
}

const (
	mostPlaces = 3  // of one path
	mostFound  = 40 // of one assert
	deepest    = 12 // calls and variables in each other
)

// targets are the places that an assert looks at, with the values that it names.
func (a *assert) targets(b *base) *looker {
	l := &looker{sheet: a.sheet, root: b.place()}
	l.context = l.visit(a.context, []*place{l.root}, nil, true)
	if len(l.context) == 0 {
		return l
	}
	for _, e := range a.earlier {
		l.visit(e, []*place{l.root}, nil, true)
	}
	scope := map[string][]*place{}
	lets := map[string]*xpath2.Node{}
	for name, n := range a.sheet.globals {
		lets[name] = n
	}
	for name, n := range a.lets {
		lets[name] = n
	}
	l.visit(a.test, l.context, &names{scope, lets}, false)
	return l
}

// names are variables: those that loops bind to places, and those that stand for expressions.
type names struct {
	bound map[string][]*place
	lets  map[string]*xpath2.Node
}

func (n *names) with(name string, at []*place) *names {
	out := &names{bound: map[string][]*place{name: at}}
	if n != nil {
		out.lets = n.lets
		for k, v := range n.bound {
			if k != name {
				out.bound[k] = v
			}
		}
	}
	return out
}

// visit looks at an expression; it returns the places that the expression is of.
func (l *looker) visit(n *xpath2.Node, at []*place, known *names, pattern bool) []*place {
	if n == nil || l.depth > 200 {
		return nil
	}
	l.depth++
	defer func() { l.depth-- }()
	switch n.Op {
	case xpath2.Text:
		if !slices.Contains(l.values, n.Text) {
			l.values = append(l.values, n.Text)
		}
	case xpath2.Number:
		if !slices.Contains(l.numbers, n.Text) {
			l.numbers = append(l.numbers, n.Text)
		}
	case xpath2.Variable:
		return l.variable(n.Name, at, known)
	case xpath2.Path:
		return l.path(n, at, known, pattern)
	case xpath2.Union, xpath2.Sequence:
		var all []*place
		for _, a := range n.Args {
			all = append(all, l.visit(a, at, known, pattern)...)
		}
		return all
	case xpath2.Some, xpath2.Every, xpath2.For:
		over := l.visit(n.Args[0], at, known, false)
		return l.visit(n.Args[1], at, known.with(n.Name, over), false)
	case xpath2.If:
		l.visit(n.Args[0], at, known, false)
		return append(l.visit(n.Args[1], at, known, false), l.visit(n.Args[2], at, known, false)...)
	case xpath2.Call:
		return l.call(n, at, known)
	default:
		for _, a := range n.Args {
			l.visit(a, at, known, false)
		}
	}
	return nil
}

func (l *looker) variable(name string, at []*place, known *names) []*place {
	if known == nil {
		return nil
	}
	if bound, is := known.bound[name]; is {
		return bound
	}
	n := known.lets[name]
	if n == nil || l.depth > deepest*8 {
		return nil
	}
	return l.visit(n, l.context, &names{lets: known.lets}, false)
}

func (l *looker) call(n *xpath2.Node, at []*place, known *names) []*place {
	if n.Name == "current" {
		return l.context
	}
	var args [][]*place
	var all []*place
	for _, a := range n.Args {
		of := l.visit(a, at, known, false)
		args, all = append(args, of), append(all, of...)
	}
	f := l.sheet.functions[n.Name]
	if f == nil || l.depth > deepest*8 {
		return all
	}
	inside := &names{bound: map[string][]*place{}}
	for i, p := range f.parameters {
		if i < len(args) {
			inside.bound[p.Name] = args[i]
		}
	}
	for _, body := range f.body {
		l.visit(body, nil, inside, false)
	}
	return nil
}

func (l *looker) path(n *xpath2.Node, at []*place, known *names, pattern bool) []*place {
	steps := n.Steps
	if len(steps) == 0 {
		return []*place{l.root}
	}
	fromDocument := n.Root
	if pattern && !n.Root { // a pattern is met anywhere
		fromDocument = true
	}
	for i, s := range steps {
		if s.Expr != nil {
			if i == 0 {
				at = l.visit(s.Expr, at, known, false)
			} else {
				at = l.visit(s.Expr, at, known, false)
			}
		} else {
			anywhere := s.Descendant || pattern && !n.Root && i == 0
			at = l.step(s, at, fromDocument && i == 0, anywhere)
		}
		for _, p := range s.Predicates {
			l.visit(p, at, known, false)
		}
		if len(at) == 0 {
			return nil
		}
		if !pattern || i == len(steps)-1 {
			l.note(at)
		}
	}
	return at
}

// note keeps places to change.
func (l *looker) note(at []*place) {
	for _, p := range at {
		if p.path != "" && len(l.found) < mostFound && !slices.ContainsFunc(l.found, func(q *place) bool { return q.path == p.path }) {
			l.found = append(l.found, p)
		}
	}
}

func (l *looker) step(s *xpath2.Step, at []*place, document, anywhere bool) (out []*place) {
	name := l.name(s)
	if document {
		if fits(l.root.draft.Name.String(), name) && s.Axis == "child" {
			out = append(out, l.root)
		}
		if anywhere {
			out = append(out, l.root.descendants(name)...)
		}
		return few(out)
	}
	for _, p := range at {
		switch s.Axis {
		case "attribute":
			out = append(out, p.attribute(name)...)
		case "self":
			out = append(out, p)
		case "parent":
			if p.parent != nil {
				out = append(out, p.parent)
			}
		case "ancestor", "ancestor-or-self":
			for up := p; up != nil; up = up.parent {
				own := ""
				if up.draft != nil {
					own = up.draft.Name.String()
				}
				if (up != p || s.Axis == "ancestor-or-self") && (name == "node()" || fits(own, name)) {
					out = append(out, up)
				}
			}
		case "following-sibling", "preceding-sibling", "following", "preceding":
			if p.parent != nil {
				out = append(out, p.parent.children(name)...)
			}
		default:
			switch {
			case name == "text()":
				out = append(out, p)
			case s.Axis == "descendant" || s.Axis == "descendant-or-self" || anywhere:
				out = append(out, p.descendants(name)...)
			default:
				out = append(out, p.children(name)...)
			}
		}
	}
	return few(out)
}

// few are the first places and the last.
func few(all []*place) []*place {
	if len(all) > mostPlaces {
		return append(slices.Clone(all[:mostPlaces-1]), all[len(all)-1])
	}
	return all
}

// name is the test of a step with the conventional prefix.
func (l *looker) name(s *xpath2.Step) string {
	if s.Test == "element()" {
		return "*"
	}
	prefix, local, prefixed := strings.Cut(s.Test, ":")
	if !prefixed {
		return s.Test
	}
	if ours, known := l.sheet.prefixes[prefix]; known {
		return ours + ":" + local
	}
	return s.Test
}
