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
	types []*model.Type // what can be selected, in order of the paths
	run   func(invoice model.Object, yield func(model.Object))
}

func compileModelContext(x *xpath) (*modelSelector, error) {
	s := &modelSelector{}
	var runs []func(model.Object, func(model.Object))
	native := true
	for _, path := range x.paths {
		run, selected, ok, err := compileModelPath(path)
		if err != nil {
			return nil, err
		}
		native = native && ok
		runs = append(runs, run)
		for _, t := range selected {
			s.add(t)
		}
	}
	if !native {
		compiled, err := antchfx.Compile(x.text)
		if err != nil {
			return nil, &xpathError{column: 1, message: err.Error()}
		}
		s.run = func(invoice model.Object, yield func(model.Object)) { evaluateOnModel(compiled, invoice, yield) }
		return s, nil
	}
	if len(runs) == 1 {
		s.run = runs[0]
		return s, nil
	}
	s.run = func(invoice model.Object, yield func(model.Object)) {
		for _, run := range runs {
			run(invoice, yield)
		}
	}
	return s, nil
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
func compileModelPath(path xpathPath) (run func(model.Object, func(model.Object)), selected []*model.Type, ok bool, err error) {
	first := path.steps[0]
	if first.descendant || first.name != "invoice" {
		return nil, nil, false, &xpathError{column: first.column, message: "a context over the invoice begins with /invoice"}
	}
	ok = true
	tests, native, err := compileModelTests(first.predicates, model.InvoiceType())
	if err != nil {
		return nil, nil, false, err
	}
	ok = native
	run = func(invoice model.Object, yield func(model.Object)) {
		if tests(invoice) {
			yield(invoice)
		}
	}
	selected = []*model.Type{model.InvoiceType()}
	for _, step := range path.steps[1:] {
		var next []*model.Type
		expanders := map[*model.Type]func(model.Object, func(model.Object)){}
		for _, t := range selected {
			expand, reached, native, err := compileModelStep(step, t)
			if err != nil {
				return nil, nil, false, err
			}
			ok = ok && native
			if len(reached) == 0 {
				continue
			}
			expanders[t] = expand
			for _, r := range reached {
				if !containsType(next, r) {
					next = append(next, r)
				}
			}
		}
		if len(next) == 0 {
			return nil, nil, false, unknownStep(step, selected)
		}
		before := run
		run = func(invoice model.Object, yield func(model.Object)) {
			before(invoice, func(o model.Object) {
				if expand := expanders[o.Type]; expand != nil {
					expand(o, yield)
				}
			})
		}
		if len(expanders) == 1 && len(selected) == 1 { // no lookup where there is no choice
			expand := expanders[selected[0]]
			run = func(invoice model.Object, yield func(model.Object)) {
				before(invoice, func(o model.Object) { expand(o, yield) })
			}
		}
		selected = next
	}
	return run, selected, ok, nil
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
func compileModelStep(step xpathStep, from *model.Type) (expand func(model.Object, func(model.Object)), reached []*model.Type, native bool, err error) {
	if step.attribute || step.name == "*" || strings.HasPrefix(step.name, ".") {
		return nil, nil, false, &xpathError{column: step.column, message: "a context over the invoice names its groups"}
	}
	if step.descendant {
		return compileDescendants(step, from)
	}
	field, ok := from.Field(step.name)
	if !ok || field.Kind.IsLeaf() {
		return nil, nil, true, nil
	}
	tests, native, err := compileModelTests(step.predicates, field.Elem)
	if err != nil {
		return nil, nil, false, err
	}
	return func(o model.Object, yield func(model.Object)) { eachGroup(o, field, tests, yield) }, []*model.Type{field.Elem}, native, nil
}

func eachGroup(o model.Object, field *model.Field, tests objectTest, yield func(model.Object)) {
	if field.Kind == model.KindGroup {
		if g := o.Group(field); g.Present() && tests(g) {
			yield(g)
		}
		return
	}
	list := o.List(field)
	for i := range list.Len() {
		if g := list.At(i); tests(g) {
			yield(g)
		}
	}
}

// compileDescendants expands // by a walk over all groups below.
func compileDescendants(step xpathStep, from *model.Type) (func(model.Object, func(model.Object)), []*model.Type, bool, error) {
	var reached []*model.Type
	tests := map[*model.Type]objectTest{}
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
			if f.Name == step.name && tests[f.Elem] == nil {
				test, ok, err := compileModelTests(step.predicates, f.Elem)
				if err != nil {
					return err
				}
				native = native && ok
				tests[f.Elem] = test
				reached = append(reached, f.Elem)
			}
			if err := find(f.Elem); err != nil {
				return err
			}
		}
		return nil
	}
	if err := find(from); err != nil {
		return nil, nil, false, err
	}
	var walk func(o model.Object, yield func(model.Object))
	walk = func(o model.Object, yield func(model.Object)) {
		for i := range o.Type.Fields {
			f := &o.Type.Fields[i]
			if f.Elem == nil {
				continue
			}
			eachGroup(o, f, func(model.Object) bool { return true }, func(g model.Object) {
				if f.Name == step.name && tests[f.Elem](g) {
					yield(g)
				}
				walk(g, yield)
			})
		}
	}
	return walk, reached, native, nil
}

func compileModelTests(predicates []xpathExpr, on *model.Type) (objectTest, bool, error) {
	if len(predicates) == 0 {
		return func(model.Object) bool { return true }, true, nil
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
		return func(o model.Object) bool { return leaves(o, func(string) bool { return true }) }, true, nil
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
	return func(o model.Object) bool {
		return leaves(o, func(raw string) bool {
			if normalize {
				raw = normalizeSpace(raw)
			}
			return (raw == want) == equal
		})
	}, true, nil
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
