package importer

import (
	"errors"
	"slices"
	"strings"

	"einvoice/service/importer/xpath2"
)

var errNotInPaths = errors.New("rules have no such condition in a path")

// predicate writes a condition as rules have it in paths, which is XPath 1.0 and means the
// same there; an error where they cannot.
func (t *translator) predicate(p *xpath2.Node, s *scope, at alternatives) (text string, err error) {
	w := &writer{translator: t, scope: s, at: at}
	if refused := caught(func() { text, err = w.condition(p) }); refused != nil {
		return "", refused
	}
	return text, err
}

// A writer writes XPath 1.0.
type writer struct {
	*translator
	scope *scope
	at    alternatives // where "." is; none where that is not known
}

func (w *writer) condition(n *xpath2.Node) (string, error) {
	switch n.Op {
	case xpath2.Or, xpath2.And:
		a, err := w.operand(n.Args[0], n.Op)
		if err != nil {
			return "", err
		}
		b, err := w.operand(n.Args[1], n.Op)
		return a + " " + string(n.Op) + " " + b, err
	case xpath2.Compare:
		return w.comparison(n)
	case xpath2.Path, xpath2.Union:
		return w.nodes(n)
	case xpath2.Variable:
		return w.variableIn(n, w.condition)
	case xpath2.Call:
		switch {
		case n.Name == "not" && len(n.Args) == 1:
			a, err := w.condition(n.Args[0])
			return "not(" + a + ")", err
		case (n.Name == "exists" || n.Name == "boolean") && len(n.Args) == 1:
			switch n.Args[0].Op {
			case xpath2.Path, xpath2.Union, xpath2.Variable:
				return w.condition(n.Args[0])
			}
			if n.Name == "exists" {
				return "", errNotInPaths
			}
			a, err := w.value(n.Args[0])
			return "boolean(" + a + ")", err
		case n.Name == "empty" && len(n.Args) == 1:
			a, err := w.nodes(n.Args[0])
			return "not(" + a + ")", err
		case n.Name == "true" || n.Name == "false":
			return n.Name + "()", nil
		case n.Name == "contains" || n.Name == "starts-with" || n.Name == "ends-with":
			return w.value(n)
		case n.Name == "normalize-space" || n.Name == "string":
			a, err := w.value(n)
			return "boolean(" + a + ")", err
		}
	}
	return "", errNotInPaths
}

func (w *writer) operand(n *xpath2.Node, op xpath2.Op) (string, error) {
	text, err := w.condition(n)
	if n.Op == xpath2.Or && op == xpath2.And || n.Op == xpath2.Variable || strings.Contains(text, " or ") && op == xpath2.And {
		text = "(" + text + ")"
	}
	return text, err
}

// comparison writes a = b; of a sequence of texts, one condition for each.
func (w *writer) comparison(n *xpath2.Node) (string, error) {
	op := n.Name
	if general, isValue := generalOf[op]; isValue {
		op = general
	}
	a, b := w.resolved(n.Args[0]), w.resolved(n.Args[1])
	if c, ok := constantOf(a); ok {
		a, b = b, a
		n = &xpath2.Node{Op: n.Op, Name: n.Name, Args: []*xpath2.Node{a, b}, Column: n.Column}
		if op != "=" && op != "!=" {
			return "", errNotInPaths
		}
		_ = c
	}
	if wanted, ok := constantOf(b); ok {
		if op == "!=" {
			wanted = !wanted
		} else if op != "=" {
			return "", errNotInPaths
		}
		if a.Op != xpath2.Path {
			return "", errNotInPaths
		}
		path, err := w.nodes(a)
		if path == "." {
			path = "self::*"
		}
		if wanted {
			return path + "[normalize-space(.) = 'true' or normalize-space(.) = '1']", err
		}
		return path + "[normalize-space(.) = 'false' or normalize-space(.) = '0']", err
	}
	if a.Op == xpath2.Path && len(a.Steps) > 1 && a.Steps[len(a.Steps)-1].Expr != nil { // a/f(.) = 'x' is a[f(.) = 'x']
		last := a.Steps[len(a.Steps)-1]
		if last.Expr.Op == xpath2.Call && len(last.Predicates) == 0 && !last.Descendant {
			inner, err := w.comparison(&xpath2.Node{Op: xpath2.Compare, Name: n.Name, Args: []*xpath2.Node{last.Expr, b}, Column: n.Column})
			if err != nil {
				return "", err
			}
			path, err := w.nodes(&xpath2.Node{Op: xpath2.Path, Root: a.Root, Steps: a.Steps[:len(a.Steps)-1], Column: a.Column})
			return path + "[" + inner + "]", err
		}
	}
	if b.Op == xpath2.Sequence {
		if len(b.Args) == 0 {
			return "false()", nil
		}
		var all []string
		for _, m := range b.Args {
			one, err := w.comparison(&xpath2.Node{Op: xpath2.Compare, Name: n.Name, Args: []*xpath2.Node{a, m}, Column: n.Column})
			if err != nil {
				return "", err
			}
			all = append(all, one)
		}
		if len(all) == 1 {
			return all[0], nil
		}
		return "(" + strings.Join(all, " or ") + ")", nil
	}
	if isOrder := op != "=" && op != "!="; isOrder && !w.isNumber(a) && !w.isNumber(b) {
		return "", errNotInPaths // XPath 2.0 compares texts
	}
	if a.Op == xpath2.Path && w.isNumber(b) && w.exponentsAt(a) || b.Op == xpath2.Path && w.isNumber(a) && w.exponentsAt(b) {
		return "", errNotInPaths // XPath 2.0 knows exponents
	}
	x, err := w.value(a)
	if err != nil {
		return "", err
	}
	y, err := w.value(b)
	return x + " " + op + " " + y, err
}

func (w *writer) isNumber(n *xpath2.Node) bool {
	return n.Op == xpath2.Number || n.Op == xpath2.Negative || n.Op == xpath2.Call && (n.Name == "count" || n.Name == "number" || n.Name == "string-length" || n.Name == "sum")
}

// exponentsAt reports whether what a path ends with, wherever it is, can be a number with an
// exponent.
func (w *writer) exponentsAt(n *xpath2.Node) bool {
	if len(n.Steps) == 0 {
		return false
	}
	if len(n.Steps) == 1 && n.Steps[0].IsSelf() {
		return len(w.at) == 0 || slices.ContainsFunc(w.at, w.exponents)
	}
	last := n.Steps[len(n.Steps)-1]
	if last.Expr != nil || last.Axis != "child" {
		return false
	}
	test := w.test(n, last)
	return test != "" && w.exponents(alternative{path: "//" + test})
}

// constantOf is true() or false().
func constantOf(n *xpath2.Node) (value, ok bool) {
	return n.Name == "true", n.Op == xpath2.Call && len(n.Args) == 0 && (n.Name == "true" || n.Name == "false")
}

// resolved is what a variable stands for, where that is a constant.
func (w *writer) resolved(n *xpath2.Node) *xpath2.Node {
	for range deepest {
		v := w.scope.variables[n.Name]
		if n.Op != xpath2.Variable || v == nil || v.node == nil {
			return n
		}
		if constant := v.node.Op == xpath2.Text || v.node.Op == xpath2.Number || v.node.Op == xpath2.Sequence || v.node.Op == xpath2.Variable; !constant {
			return n
		}
		n = v.node
	}
	return n
}

// functionsOfPaths are those of XPath 2.0 that rules have in paths, with the same meaning.
var functionsOfPaths = map[string]bool{
	"string": true, "concat": true, "starts-with": true, "ends-with": true, "contains": true, "substring-before": true, "substring-after": true,
	"substring": true, "string-length": true, "normalize-space": true, "translate": true, "upper-case": true, "count": true, "name": true, "local-name": true, "namespace-uri": true,
	"number": true, "position": true, "last": true,
}

func (w *writer) value(n *xpath2.Node) (string, error) {
	switch n.Op {
	case xpath2.Text:
		return literalInPath(n.Text)
	case xpath2.Number:
		if strings.ContainsAny(n.Text, "eE") {
			return "", errNotInPaths
		}
		return n.Text, nil
	case xpath2.Negative:
		a, err := w.value(n.Args[0])
		return "-" + a, err
	case xpath2.Path, xpath2.Union:
		return w.nodes(n)
	case xpath2.Variable:
		return w.variableIn(n, w.value)
	case xpath2.Cast:
		if n.Name == "xs:string" {
			return w.value(n.Args[0])
		}
	case xpath2.Call:
		switch n.Name {
		case "xs:decimal", "xs:double", "xs:integer":
			if len(n.Args) == 1 {
				a, err := w.value(n.Args[0])
				return "number(" + a + ")", err
			}
		case "xs:string", "data":
			if len(n.Args) == 1 {
				return w.value(n.Args[0])
			}
		}
		if !functionsOfPaths[n.Name] {
			return "", errNotInPaths
		}
		if n.Name == "number" && (len(n.Args) != 1 || n.Args[0].Op == xpath2.Path && w.exponentsAt(n.Args[0])) {
			return "", errNotInPaths // XPath 2.0 knows exponents
		}
		var args []string
		for _, a := range n.Args {
			one, err := w.value(a)
			if err != nil {
				return "", err
			}
			args = append(args, one)
		}
		return n.Name + "(" + strings.Join(args, ", ") + ")", nil
	}
	return "", errNotInPaths
}

func literalInPath(s string) (string, error) {
	switch {
	case !strings.Contains(s, "'"):
		return "'" + s + "'", nil
	case !strings.Contains(s, `"`):
		return `"` + s + `"`, nil
	}
	return "", errNotInPaths
}

// variableIn writes what a variable of the artefact stands for: its paths begin at the root,
// or it has none.
func (w *writer) variableIn(n *xpath2.Node, write func(*xpath2.Node) (string, error)) (string, error) {
	v := w.scope.variables[n.Name]
	if v == nil || v.node == nil {
		return "", errNotInPaths
	}
	defer w.enter(n)()
	if v.scope.atRoot || isConstant(v.node) {
		inner := &writer{translator: w.translator, scope: v.scope}
		switch {
		case v.scope.atRoot:
			saved := w.scope
			w.scope = v.scope
			text, err := write(v.node)
			w.scope = saved
			return text, err
		default:
			return inner.value(v.node)
		}
	}
	return "", errNotInPaths
}

func isConstant(n *xpath2.Node) bool {
	constant := true
	n.Walk(func(n *xpath2.Node) bool {
		constant = constant && (n.Op == xpath2.Text || n.Op == xpath2.Number || n.Op == xpath2.Call && n.Name == "concat")
		return constant
	})
	return constant
}

// nodes writes paths, joined by |.
func (w *writer) nodes(n *xpath2.Node) (string, error) {
	switch n.Op {
	case xpath2.Union:
		var all []string
		for _, a := range n.Args {
			one, err := w.nodes(a)
			if err != nil {
				return "", err
			}
			all = append(all, one)
		}
		return strings.Join(all, " | "), nil
	case xpath2.Variable:
		return w.variableIn(n, w.nodes)
	case xpath2.Path:
	default:
		return "", errNotInPaths
	}
	if n.Steps == nil {
		return "", errNotInPaths
	}
	for _, whole := range expanded(n) {
		if whole == nil {
			return "", errNotInPaths
		}
	}
	var all []string
	for _, one := range expanded(n) {
		text, err := w.steps(one)
		if err != nil {
			return "", err
		}
		all = append(all, text)
	}
	return strings.Join(all, " | "), nil
}

// steps writes one path.
func (w *writer) steps(n *xpath2.Node) (string, error) {
	a := alternative{}
	if n.Root || w.scope.atRoot {
		a.path = "/"
	}
	steps := n.Steps
	for i, step := range steps {
		switch {
		case step.Expr != nil && i == 0 && step.Expr.Op == xpath2.Variable && len(step.Predicates) == 0:
			path, err := w.variableIn(step.Expr, w.nodes)
			if err != nil || strings.Contains(path, " | ") {
				return "", errNotInPaths
			}
			a.path = path
			continue
		case step.Expr != nil:
			return "", errNotInPaths
		case step.IsSelf():
			if len(steps) == 1 {
				return ".", nil
			}
			continue
		case step.Test == "text()" && len(step.Predicates) == 0:
			if len(steps) == 1 {
				return ".", nil
			}
			continue
		}
		test := w.test(n, step)
		switch {
		case i == 0 && aboveAll(step) && isDocument(test):
			child := *step
			child.Axis = "child"
			a.path, step = "/", &child
		case !axesOfPaths[step.Axis]:
			return "", errNotInPaths
		}
		if test == "" {
			return "", errNotInPaths
		}
		if step.Axis == "self" && test == "node()" {
			test = "*"
		}
		a = a.step(step, test)
		for _, p := range step.Predicates {
			if p.Op == xpath2.Number {
				a.path += "[" + p.Text + "]"
				continue
			}
			if strings.HasSuffix(a.path, "..") {
				return "", errNotInPaths
			}
			outer, around := w.scope, w.at
			w.scope, w.at = outer.inside(nil), nil
			if step.Axis == "child" {
				w.at = alternatives{{path: "//" + test}}
			}
			text, err := w.condition(p)
			w.scope, w.at = outer, around
			if err != nil {
				return "", err
			}
			a.path += "[" + text + "]"
		}
	}
	return a.path, nil
}

// expanded are the paths without parentheses that a path with them stands for: (a | b)/c is
// a/c | b/c; nil in it for what cannot be written so.
func expanded(n *xpath2.Node) []*xpath2.Node {
	if n.Op == xpath2.Union || n.Op == xpath2.Sequence {
		var all []*xpath2.Node
		for _, a := range n.Args {
			all = append(all, expanded(a)...)
		}
		return all
	}
	if n.Op != xpath2.Path {
		return []*xpath2.Node{nil}
	}
	all := []*xpath2.Node{{Op: xpath2.Path, Root: n.Root, Column: n.Column}}
	for i, step := range n.Steps {
		var inner []*xpath2.Node
		if step.Expr != nil && (step.Expr.Op == xpath2.Union || step.Expr.Op == xpath2.Path || step.Expr.Op == xpath2.Sequence) {
			inner = expanded(step.Expr)
		}
		if inner == nil && step.Axis == "ancestor-or-self" {
			self, around := *step, *step
			self.Axis, around.Axis = "self", "ancestor"
			inner = []*xpath2.Node{{Op: xpath2.Path, Steps: []*xpath2.Step{&self}}, {Op: xpath2.Path, Steps: []*xpath2.Step{&around}}}
			step = &xpath2.Step{Descendant: step.Descendant}
		}
		if inner == nil {
			for _, a := range all {
				a.Steps = append(a.Steps, step)
			}
			continue
		}
		var next []*xpath2.Node
		for _, before := range all {
			for _, p := range inner {
				if p == nil || p.Root && i > 0 {
					return []*xpath2.Node{nil}
				}
				path := &xpath2.Node{Op: xpath2.Path, Root: before.Root || p.Root, Column: n.Column}
				path.Steps = append(path.Steps, before.Steps...)
				for j, s := range p.Steps {
					one := *s
					if j == 0 && step.Descendant {
						one.Descendant = true
					}
					if j == len(p.Steps)-1 {
						one.Predicates = append(append([]*xpath2.Node{}, one.Predicates...), step.Predicates...)
					}
					path.Steps = append(path.Steps, &one)
				}
				next = append(next, path)
			}
		}
		all = next
	}
	return all
}
