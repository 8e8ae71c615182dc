package engine

import (
	"fmt"
	"strings"

	"einvoice/model"
	"einvoice/model/source"
)

// Contexts and paths over the source document. A context is matched upwards
// from its last name, so that one walk over the elements serves every rule: an
// element looks up the contexts that end in its name. Paths within assertions
// and predicates are walked downwards.

// A sourcePath is a compiled path.
type sourcePath struct {
	absolute bool
	steps    []sourceStep
}

type sourceStep struct {
	descendant bool
	axis       axis
	name       source.Name
	fits       func(source.QName) bool // on axisAny: what the name alone must be like, nil for any
	tests      []sourceTest
}

type axis uint8

const (
	axisChild  axis = iota
	axisAny         // *
	axisSelf        // .
	axisParent      // ..
	axisAttribute
)

type sourceTest func(t *source.Tree, n source.Node) bool

func compileSourcePath(path xpathPath) (*sourcePath, error) {
	out := &sourcePath{absolute: path.absolute}
	for _, step := range path.steps { // a copy: restrict takes a predicate away
		s := sourceStep{descendant: step.descendant}
		switch {
		case step.attribute:
			s.axis = axisAttribute
		case strings.HasSuffix(step.name, "*"):
			s.axis = axisAny
			if err := s.restrict(&step); err != nil {
				return nil, err
			}
		case step.name == ".":
			s.axis = axisSelf
		case step.name == "..":
			s.axis = axisParent
		}
		if s.axis == axisChild || s.axis == axisAttribute {
			q, err := source.ParseQName(step.name)
			if err != nil {
				return nil, &xpathError{column: step.column, message: err.Error()}
			}
			s.name = source.Intern(q)[0]
		}
		for _, p := range step.predicates {
			test, err := compileSourceTest(p)
			if err != nil {
				return nil, err
			}
			s.tests = append(s.tests, test)
		}
		out.steps = append(out.steps, s)
	}
	return out, nil
}

// restrict compiles what a * says of the name alone: its namespace, as in
// ram:*, and how it ends, as in *[ends-with(name(), 'ID')]. That much is decided
// once a name instead of once an element.
func (s *sourceStep) restrict(step *xpathStep) error {
	prefix, _, prefixed := strings.Cut(step.name, ":")
	uri, known := source.Prefixes[prefix]
	if prefixed && !known {
		return &xpathError{column: step.column, message: fmt.Sprintf("unknown prefix %q in name %q", prefix, step.name)}
	}
	suffix := ""
	if p := step.predicates; len(p) > 0 && p[0].name == "ends-with" && p[0].args[0].name == "name" && p[0].args[1].op == "literal" {
		suffix, step.predicates = p[0].args[1].value, p[1:]
	}
	if prefixed || suffix != "" {
		s.fits = func(q source.QName) bool {
			return (!prefixed || q.URI == uri) && strings.HasSuffix(q.Local, suffix)
		}
	}
	return nil
}

func (s *sourceStep) named(t *source.Tree, n source.Node) bool {
	if s.axis == axisChild {
		return t.Name(n) == s.name
	}
	return s.fits == nil || s.fits(t.NameOf(t.Name(n)))
}

func (s *sourceStep) holds(t *source.Tree, n source.Node) bool {
	for _, test := range s.tests {
		if !test(t, n) {
			return false
		}
	}
	return true
}

// matches reports whether an absolute path selects the element or attribute.
func (p *sourcePath) matches(t *source.Tree, r source.Ref) bool {
	last := len(p.steps) - 1
	if r > 0 {
		return p.matchesUpTo(t, r.Element(), last)
	}
	owner := t.Owner(r)
	if p.steps[last].descendant {
		return last == 0 || p.matchesAbove(t, owner, last-1)
	}
	return p.matchesUpTo(t, owner, last-1)
}

// matchesAbove reports whether n or an element around it matches up to step i.
func (p *sourcePath) matchesAbove(t *source.Tree, n source.Node, i int) bool {
	for ; n != 0; n = t.Parent(n) {
		if p.matchesUpTo(t, n, i) {
			return true
		}
	}
	return false
}

func (p *sourcePath) matchesUpTo(t *source.Tree, n source.Node, i int) bool {
	step := &p.steps[i]
	if n == 0 || !step.named(t, n) || !step.holds(t, n) {
		return false
	}
	parent := t.Parent(n)
	if i == 0 {
		return step.descendant || parent == 0
	}
	if !step.descendant {
		return p.matchesUpTo(t, parent, i-1)
	}
	return p.matchesAbove(t, parent, i-1)
}

// each yields every element or attribute that the path reaches from n, until
// yield returns false. It reports whether it was not stopped.
func (p *sourcePath) each(t *source.Tree, n source.Node, yield func(source.Ref) bool) bool {
	if p.absolute {
		n = 0
	}
	return eachFrom(t, n, p.steps, yield)
}

func eachFrom(t *source.Tree, n source.Node, steps []sourceStep, yield func(source.Ref) bool) bool {
	if len(steps) == 0 {
		return yield(n.Ref())
	}
	step, rest := &steps[0], steps[1:]
	switch step.axis {
	case axisSelf:
		return !step.holds(t, n) || eachFrom(t, n, rest, yield)
	case axisParent:
		parent := t.Parent(n)
		return parent == 0 || !step.holds(t, parent) || eachFrom(t, parent, rest, yield)
	case axisAttribute:
		if !step.descendant {
			if a, ok := t.Attr(n, step.name); ok {
				return yield(a.Ref())
			}
			return true
		}
		for d := range descendants(t, n) {
			if a, ok := t.Attr(d, step.name); ok && !yield(a.Ref()) {
				return false
			}
		}
		return true
	}
	visit := func(c source.Node) bool {
		if !step.named(t, c) || !step.holds(t, c) {
			return true
		}
		return eachFrom(t, c, rest, yield)
	}
	if step.descendant {
		for d := range descendants(t, n) {
			if !visit(d) {
				return false
			}
		}
		return true
	}
	if n == 0 {
		return visit(t.Root())
	}
	walked := 0
	for c := t.FirstChild(n); c != 0; c = t.NextSibling(c) {
		if walked++; walked > source.Few && step.axis == axisChild {
			for _, c := range t.FollowingNamed(c, step.name) {
				if !visit(c) {
					return false
				}
			}
			return true
		}
		if !visit(c) {
			return false
		}
	}
	return true
}

// descendants are all elements inside n, which are one run of the tree's slice.
func descendants(t *source.Tree, n source.Node) func(yield func(source.Node) bool) {
	end := source.Node(len(t.Elements))
	if n != 0 {
		end = t.Elements[n].End
	}
	return func(yield func(source.Node) bool) {
		for d := n + 1; d < end; d++ {
			if !yield(d) {
				return
			}
		}
	}
}

func refText(t *source.Tree, r source.Ref) string {
	if r < 0 {
		return t.Attributes[-1-r].Value
	}
	return t.Text(source.Node(r))
}

// compileSourceTest compiles a predicate.
func compileSourceTest(e xpathExpr) (sourceTest, error) {
	switch e.op {
	case "and", "or":
		a, err := compileSourceTest(e.args[0])
		if err != nil {
			return nil, err
		}
		b, err := compileSourceTest(e.args[1])
		if err != nil {
			return nil, err
		}
		if e.op == "and" {
			return func(t *source.Tree, n source.Node) bool { return a(t, n) && b(t, n) }, nil
		}
		return func(t *source.Tree, n source.Node) bool { return a(t, n) || b(t, n) }, nil
	case "path":
		path, err := compileSourcePath(e.path)
		if err != nil {
			return nil, err
		}
		return func(t *source.Tree, n source.Node) bool {
			return !path.each(t, n, func(source.Ref) bool { return false })
		}, nil
	case "call":
		return compileSourceCall(e)
	case "=", "!=", "<", "<=", ">", ">=":
		return compileSourceComparison(e)
	}
	return nil, &xpathError{column: e.column, message: "a predicate must be a condition; positions are not supported"}
}

func compileSourceCall(e xpathExpr) (sourceTest, error) {
	switch e.name {
	case "not":
		a, err := compileSourceTest(e.args[0])
		if err != nil {
			return nil, err
		}
		return func(t *source.Tree, n source.Node) bool { return !a(t, n) }, nil
	case "true", "false":
		v := e.name == "true"
		return func(*source.Tree, source.Node) bool { return v }, nil
	case "starts-with", "ends-with", "contains":
		a, err := compileSourceString(e.args[0])
		if err != nil {
			return nil, err
		}
		b, err := compileSourceString(e.args[1])
		if err != nil {
			return nil, err
		}
		is := map[string]func(string, string) bool{"starts-with": strings.HasPrefix, "ends-with": strings.HasSuffix, "contains": strings.Contains}[e.name]
		return func(t *source.Tree, n source.Node) bool { return is(a(t, n), b(t, n)) }, nil
	}
	a, err := compileSourceString(e)
	if err != nil {
		return nil, err
	}
	return func(t *source.Tree, n source.Node) bool { s := a(t, n); return s != "" && s != "0" }, nil
}

type sourceString func(*source.Tree, source.Node) string

// compileSourceString compiles an operand that is one value: of a path, the
// first node's text.
func compileSourceString(e xpathExpr) (sourceString, error) {
	arg := func() (sourceString, error) {
		if len(e.args) == 0 {
			return func(t *source.Tree, n source.Node) string { return t.Text(n) }, nil
		}
		return compileSourceString(e.args[0])
	}
	switch {
	case e.op == "literal" || e.op == "number":
		return func(*source.Tree, source.Node) string { return e.value }, nil
	case e.op == "path":
		path, err := compileSourcePath(e.path)
		if err != nil {
			return nil, err
		}
		return func(t *source.Tree, n source.Node) string {
			s := ""
			path.each(t, n, func(r source.Ref) bool { s = refText(t, r); return false })
			return s
		}, nil
	case e.op == "call" && (e.name == "string" || e.name == "number"):
		return arg()
	case e.op == "call" && e.name == "name":
		return func(t *source.Tree, n source.Node) string { return t.NameOf(t.Name(n)).String() }, nil
	case e.op == "call" && e.name == "upper-case":
		a, err := arg()
		if err != nil {
			return nil, err
		}
		return func(t *source.Tree, n source.Node) string { return strings.ToUpper(a(t, n)) }, nil
	case e.op == "call" && e.name == "normalize-space":
		a, err := arg()
		if err != nil {
			return nil, err
		}
		return func(t *source.Tree, n source.Node) string { return normalizeSpace(a(t, n)) }, nil
	case e.op == "call" && e.name == "string-length":
		a, err := arg()
		if err != nil {
			return nil, err
		}
		return func(t *source.Tree, n source.Node) string { return fmt.Sprint(len([]rune(a(t, n)))) }, nil
	case e.op == "call" && e.name == "count" && e.args[0].op == "path":
		path, err := compileSourcePath(e.args[0].path)
		if err != nil {
			return nil, err
		}
		return func(t *source.Tree, n source.Node) string {
			count := 0
			path.each(t, n, func(source.Ref) bool { count++; return true })
			return fmt.Sprint(count)
		}, nil
	}
	return nil, &xpathError{column: e.column, message: "this part of a predicate must be a path, a text, a number or a function of them"}
}

// compileSourceComparison compares every node of a path on the left with the
// value on the right, or with every node of a path there, as XPath does: one
// that fits is enough.
func compileSourceComparison(e xpathExpr) (sourceTest, error) {
	if right := e.args[1]; right.op == "call" && (right.name == "true" || right.name == "false") {
		return compileSourceBoolean(e.args[0], right.name == "true", e.op == "=")
	}
	if e.args[0].op == "path" && e.args[1].op == "path" {
		return comparePaths(e)
	}
	right, err := compileSourceString(e.args[1])
	if err != nil {
		return nil, err
	}
	numeric := e.args[1].op == "number" || e.op != "=" && e.op != "!="
	holds := compareAs(e.op, numeric)
	if e.args[0].op == "path" {
		path, err := compileSourcePath(e.args[0].path)
		if err != nil {
			return nil, err
		}
		return func(t *source.Tree, n source.Node) bool {
			want := right(t, n)
			return !path.each(t, n, func(r source.Ref) bool { return !holds(refText(t, r), want) })
		}, nil
	}
	left, err := compileSourceString(e.args[0])
	if err != nil {
		return nil, err
	}
	return func(t *source.Tree, n source.Node) bool { return holds(left(t, n), right(t, n)) }, nil
}

// comparePaths compares two paths: some node of the one with some of the other.
func comparePaths(e xpathExpr) (sourceTest, error) {
	left, err := compileSourcePath(e.args[0].path)
	if err != nil {
		return nil, err
	}
	right, err := compileSourcePath(e.args[1].path)
	if err != nil {
		return nil, err
	}
	holds := compareAs(e.op, e.op != "=" && e.op != "!=")
	return func(t *source.Tree, n source.Node) bool {
		return !left.each(t, n, func(a source.Ref) bool {
			return right.each(t, n, func(b source.Ref) bool { return !holds(refText(t, a), refText(t, b)) })
		})
	}, nil
}

// compileSourceBoolean compares a node with true() or false() by the lexical
// forms of xs:boolean.
func compileSourceBoolean(left xpathExpr, want, equal bool) (sourceTest, error) {
	if left.op != "path" {
		return nil, &xpathError{column: left.column, message: "only a path compares with true() and false()"}
	}
	path, err := compileSourcePath(left.path)
	if err != nil {
		return nil, err
	}
	return func(t *source.Tree, n source.Node) bool {
		return !path.each(t, n, func(r source.Ref) bool {
			switch normalizeSpace(refText(t, r)) {
			case "true", "1":
				return want != equal
			case "false", "0":
				return want == equal
			}
			return true // neither: equals nothing
		})
	}, nil
}

func compareAs(op string, numeric bool) func(a, b string) bool {
	if !numeric {
		equal := op == "="
		return func(a, b string) bool { return (a == b) == equal }
	}
	decide := map[string]func(int) bool{
		"=": func(c int) bool { return c == 0 }, "!=": func(c int) bool { return c != 0 },
		"<": orderings["_<_"], "<=": orderings["_<=_"], ">": orderings["_>_"], ">=": orderings["_>=_"],
	}[op]
	return func(a, b string) bool {
		x, errX := model.ParseDecimal(a)
		y, errY := model.ParseDecimal(b)
		if errX != nil || errY != nil {
			return op == "!=" // what is no number equals none
		}
		return decide(x.Cmp(y))
	}
}
