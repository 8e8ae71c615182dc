package engine

import (
	"fmt"
	"strings"

	"einvoice/model"

	antchfx "github.com/antchfx/xpath"
)

// A modelSelector finds the groups of an invoice that a context selects.
// Path-shaped contexts read the fields directly; whatever else the grammar
// allows runs through antchfx/xpath and a navigator over the model.
type modelSelector struct {
	root    *root
	types   []*model.Type // what can be selected, in order of the paths
	paths   []*modelPath
	foreign *antchfx.Expr // set when the paths alone do not decide
}

// A modelPath is a compiled path: what must hold of its root, and the steps down
// from there.
type modelPath struct {
	root  *root
	test  objectTest
	steps []modelStep
}

// A modelStep leads from groups of several types to what is inside them.
type modelStep map[*model.Type]expansion

// An expansion is one step from groups of one type: into one field, or, with a
// set of tests, to every group below that is reached by name.
type expansion struct {
	field *model.Field
	test  objectTest

	below string // a name, looked for at any depth
	tests map[*model.Type]objectTest
}

func compileModelContext(x *xpath) (*modelSelector, error) {
	s := &modelSelector{}
	native := true
	for _, path := range x.paths {
		compiled, selected, ok, err := compileModelPath(path)
		if err != nil {
			return nil, err
		}
		if s.root == nil {
			s.root = compiled.root
		}
		if s.root != compiled.root {
			return nil, &xpathError{column: path.steps[0].column, message: "the paths of one context begin with the same root"}
		}
		native = native && ok
		s.paths = append(s.paths, compiled)
		for _, t := range selected {
			s.add(t)
		}
	}
	if native {
		return s, nil
	}
	foreign, err := antchfx.Compile(x.text)
	if err != nil {
		return nil, &xpathError{column: 1, message: err.Error()}
	}
	s.foreign = foreign
	return s, nil
}

// selectFrom appends the groups below a root that the context selects.
func (s *modelSelector) selectFrom(top model.Object, out []model.Object) []model.Object {
	if s.foreign != nil {
		return evaluateOnModel(s.foreign, top, out)
	}
	for _, path := range s.paths {
		if path.test == nil || path.test(top) {
			out = descend(top, path.steps, out)
		}
	}
	return out
}

func descend(o model.Object, steps []modelStep, out []model.Object) []model.Object {
	if len(steps) == 0 {
		return append(out, o)
	}
	e, ok := steps[0][o.Type]
	switch {
	case !ok:
		return out
	case e.field == nil:
		return e.search(o, steps[1:], out)
	case e.field.Kind == model.KindGroup:
		if g := o.Group(e.field); g.Present() && (e.test == nil || e.test(g)) {
			out = descend(g, steps[1:], out)
		}
		return out
	}
	list := o.List(e.field)
	for i := range list.Len() {
		if g := list.At(i); e.test == nil || e.test(g) {
			out = descend(g, steps[1:], out)
		}
	}
	return out
}

// search goes through all groups inside o.
func (e *expansion) search(o model.Object, rest []modelStep, out []model.Object) []model.Object {
	visit := func(f *model.Field, g model.Object) {
		if f.Name == e.below {
			if test := e.tests[g.Type]; test == nil || test(g) {
				out = descend(g, rest, out)
			}
		}
		out = e.search(g, rest, out)
	}
	for i := range o.Type.Fields {
		switch f := &o.Type.Fields[i]; f.Kind {
		case model.KindGroup:
			if g := o.Group(f); g.Present() {
				visit(f, g)
			}
		case model.KindList:
			list := o.List(f)
			for i := range list.Len() {
				visit(f, list.At(i))
			}
		}
	}
	return out
}

func (s *modelSelector) add(t *model.Type) {
	for _, have := range s.types {
		if have == t {
			return
		}
	}
	s.types = append(s.types, t)
}

type objectTest func(model.Object) bool

// compileModelPath checks a path against the model and compiles it; ok is false
// when it is right but needs antchfx.
func compileModelPath(path xpathPath) (compiled *modelPath, selected []*model.Type, ok bool, err error) {
	first := path.steps[0]
	compiled = &modelPath{root: rootNamed(first.name)}
	if first.descendant || compiled.root == nil {
		return nil, nil, false, &xpathError{column: first.column, message: "a context over the invoice begins with /invoice, one over the PDF around it with /container"}
	}
	if compiled.test, ok, err = compileModelTests(first.predicates, compiled.root.typ); err != nil {
		return nil, nil, false, err
	}
	selected = []*model.Type{compiled.root.typ}
	for _, step := range path.steps[1:] {
		var next []*model.Type
		expansions := modelStep{}
		for _, t := range selected {
			expand, reached, native, err := compileModelStep(step, t)
			if err != nil {
				return nil, nil, false, err
			}
			ok = ok && native
			if len(reached) == 0 {
				continue
			}
			expansions[t] = expand
			for _, r := range reached {
				if !containsType(next, r) {
					next = append(next, r)
				}
			}
		}
		if len(next) == 0 {
			return nil, nil, false, unknownStep(step, selected)
		}
		compiled.steps = append(compiled.steps, expansions)
		selected = next
	}
	return compiled, selected, ok, nil
}

func containsType(list []*model.Type, t *model.Type) bool {
	for _, have := range list {
		if have == t {
			return true
		}
	}
	return false
}

func unknownStep(step xpathStep, from []*model.Type) error {
	message := fmt.Sprintf("%s has no group %s, so the context can select nothing", from[0].Name, step.name)
	if near := from[0].Nearest(step.name); near != "" && near != step.name {
		message += fmt.Sprintf("; did you mean %s?", near)
	}
	if f, ok := from[0].Field(step.name); ok && f.Kind.IsLeaf() {
		message = fmt.Sprintf("%s is a term, not a group: select the group around it and ask has(this.%s)", step.name, step.name)
	}
	return &xpathError{column: step.column, message: message}
}

// compileModelStep expands one step from groups of one type.
func compileModelStep(step xpathStep, from *model.Type) (e expansion, reached []*model.Type, native bool, err error) {
	if step.attribute || strings.HasSuffix(step.name, "*") || strings.HasPrefix(step.name, ".") {
		return e, nil, false, &xpathError{column: step.column, message: "a context over the invoice names its groups"}
	}
	if step.descendant {
		return compileDescendants(step, from)
	}
	field, ok := from.Field(step.name)
	if !ok || field.Kind.IsLeaf() {
		return e, nil, true, nil
	}
	test, native, err := compileModelTests(step.predicates, field.Elem)
	return expansion{field: field, test: test}, []*model.Type{field.Elem}, native, err
}

// compileDescendants finds what // can reach and compiles the predicates for
// each type of it.
func compileDescendants(step xpathStep, from *model.Type) (expansion, []*model.Type, bool, error) {
	e := expansion{below: step.name, tests: map[*model.Type]objectTest{}}
	var reached []*model.Type
	native := true
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
			if f.Name == step.name && !containsType(reached, f.Elem) {
				test, ok, err := compileModelTests(step.predicates, f.Elem)
				if err != nil {
					return err
				}
				native = native && ok
				e.tests[f.Elem] = test
				reached = append(reached, f.Elem)
			}
			if err := find(f.Elem); err != nil {
				return err
			}
		}
		return nil
	}
	err := find(from)
	return e, reached, native, err
}

// compileModelTests joins predicates into one test, nil without any.
func compileModelTests(predicates []xpathExpr, on *model.Type) (objectTest, bool, error) {
	if len(predicates) == 0 {
		return nil, true, nil
	}
	native := true
	var tests []objectTest
	for _, p := range predicates {
		test, ok, err := compileModelTest(p, on)
		if err != nil {
			return nil, false, err
		}
		native = native && ok
		tests = append(tests, test)
	}
	if len(tests) == 1 {
		return tests[0], native, nil
	}
	return func(o model.Object) bool {
		for _, test := range tests {
			if !test(o) {
				return false
			}
		}
		return true
	}, native, nil
}

// compileModelTest compiles a predicate; ok is false for one that only antchfx
// evaluates. Paths in it are checked in either case.
func compileModelTest(e xpathExpr, on *model.Type) (test objectTest, ok bool, err error) {
	switch {
	case e.op == "and" || e.op == "or":
		a, okA, err := compileModelTest(e.args[0], on)
		if err != nil {
			return nil, false, err
		}
		b, okB, err := compileModelTest(e.args[1], on)
		if err != nil {
			return nil, false, err
		}
		if e.op == "and" {
			return func(o model.Object) bool { return a(o) && b(o) }, okA && okB, nil
		}
		return func(o model.Object) bool { return a(o) || b(o) }, okA && okB, nil
	case e.op == "call" && e.name == "not":
		a, ok, err := compileModelTest(e.args[0], on)
		if err != nil {
			return nil, false, err
		}
		return func(o model.Object) bool { return !a(o) }, ok, nil
	case e.op == "path":
		leaves, err := compileModelOperand(e.path, on)
		if err != nil {
			return nil, false, err
		}
		exists := func(string) bool { return true }
		return func(o model.Object) bool { return leaves(o, exists) }, true, nil
	case e.op == "=" || e.op == "!=":
		return compileModelComparison(e, on)
	}
	return compileForeignTest(e, on)
}

func compileModelComparison(e xpathExpr, on *model.Type) (objectTest, bool, error) {
	left, right := e.args[0], e.args[1]
	normalize := false
	if left.op == "call" && left.name == "normalize-space" && len(left.args) == 1 {
		left, normalize = left.args[0], true
	}
	if left.op != "path" || right.op != "literal" {
		return compileForeignTest(e, on)
	}
	leaves, err := compileModelOperand(left.path, on)
	if err != nil {
		return nil, false, err
	}
	want, equal := right.value, e.op == "="
	compare := func(raw string) bool {
		if normalize {
			raw = normalizeSpace(raw)
		}
		return (raw == want) == equal
	}
	return func(o model.Object) bool { return leaves(o, compare) }, true, nil
}

// compileForeignTest only checks the paths of what antchfx will evaluate.
func compileForeignTest(e xpathExpr, on *model.Type) (objectTest, bool, error) {
	if e.op == "path" {
		_, err := compileModelOperand(e.path, on)
		return func(model.Object) bool { return false }, false, err
	}
	for _, arg := range e.args {
		if _, _, err := compileForeignTest(arg, on); err != nil {
			return nil, false, err
		}
	}
	return func(model.Object) bool { return false }, false, nil
}

// compileModelOperand goes down a relative path and calls test on each term (as
// written) or group (as "") at its end until one says true.
func compileModelOperand(path xpathPath, on *model.Type) (func(model.Object, func(string) bool) bool, error) {
	if path.absolute {
		return nil, &xpathError{column: path.steps[0].column, message: "a predicate looks only below its own group"}
	}
	step := path.steps[0]
	if step.name == "." && len(path.steps) == 1 {
		return func(_ model.Object, test func(string) bool) bool { return test("") }, nil
	}
	field, ok := on.Field(step.name)
	if !ok || step.descendant || step.attribute || len(step.predicates) > 0 {
		return nil, unknownStep(step, []*model.Type{on})
	}
	if field.Kind.IsLeaf() {
		if len(path.steps) > 1 {
			return nil, &xpathError{column: path.steps[1].column, message: fmt.Sprintf("%s is a term and has nothing below it", step.name)}
		}
		return func(o model.Object, test func(string) bool) bool { return o.Has(field) && test(o.Raw(field)) }, nil
	}
	below := func(_ model.Object, test func(string) bool) bool { return test("") }
	if len(path.steps) > 1 {
		var err error
		if below, err = compileModelOperand(xpathPath{steps: path.steps[1:]}, field.Elem); err != nil {
			return nil, err
		}
	}
	return func(o model.Object, test func(string) bool) bool {
		if field.Kind == model.KindGroup {
			g := o.Group(field)
			return g.Present() && below(g, test)
		}
		list := o.List(field)
		for i := range list.Len() {
			if below(list.At(i), test) {
				return true
			}
		}
		return false
	}, nil
}
