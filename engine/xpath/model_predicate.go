package xpath

import (
	"fmt"

	"einvoice/model"
)

// A modelPredicate decides about a group of the model. What a predicate looks
// at, one group has: it needs no budget of its own.
type modelPredicate func(model.Object) bool

// compileModelPredicates joins predicates into one, nil without any.
func compileModelPredicates(predicates []Expr, on *model.Type) (joined modelPredicate, direct bool, err error) {
	if len(predicates) == 0 {
		return nil, true, nil
	}
	direct = true
	var all []modelPredicate
	for _, p := range predicates {
		predicate, ok, err := compileModelPredicate(p, on)
		if err != nil {
			return nil, false, err
		}
		direct = direct && ok
		all = append(all, predicate)
	}
	if len(all) == 1 {
		return all[0], direct, nil
	}
	return func(o model.Object) bool {
		for _, predicate := range all {
			if !predicate(o) {
				return false
			}
		}
		return true
	}, direct, nil
}

// compileModelPredicate compiles a predicate; direct is false for one that only
// antchfx evaluates. Paths in it are checked in either case.
func compileModelPredicate(e Expr, on *model.Type) (predicate modelPredicate, direct bool, err error) {
	switch {
	case e.Op == And || e.Op == Or:
		a, directA, err := compileModelPredicate(e.Args[0], on)
		if err != nil {
			return nil, false, err
		}
		b, directB, err := compileModelPredicate(e.Args[1], on)
		if err != nil {
			return nil, false, err
		}
		if e.Op == And {
			return func(o model.Object) bool { return a(o) && b(o) }, directA && directB, nil
		}
		return func(o model.Object) bool { return a(o) || b(o) }, directA && directB, nil
	case e.Op == Call && e.Name == "not":
		a, direct, err := compileModelPredicate(e.Args[0], on)
		if err != nil {
			return nil, false, err
		}
		return func(o model.Object) bool { return !a(o) }, direct, nil
	case e.Op == Path:
		operand, err := compileModelOperand(e.Path, on)
		if err != nil {
			return nil, false, err
		}
		exists := func(string) bool { return true }
		return func(o model.Object) bool { return operand(o, exists) }, true, nil
	case e.Op == Equal || e.Op == NotEqual:
		return compileModelComparison(e, on)
	}
	return checkModelOperands(e, on)
}

func compileModelComparison(e Expr, on *model.Type) (modelPredicate, bool, error) {
	left, right := e.Args[0], e.Args[1]
	normalize := false
	if left.Op == Call && left.Name == "normalize-space" && len(left.Args) == 1 {
		left, normalize = left.Args[0], true
	}
	if left.Op != Path || right.Op != Literal {
		return checkModelOperands(e, on)
	}
	operand, err := compileModelOperand(left.Path, on)
	if err != nil {
		return nil, false, err
	}
	want, equal := right.Value, e.Op == Equal
	compare := func(raw string) bool {
		if normalize {
			raw = NormalizeSpace(raw)
		}
		return (raw == want) == equal
	}
	return func(o model.Object) bool { return operand(o, compare) }, true, nil
}

// checkModelOperands only checks the paths of what antchfx will evaluate.
func checkModelOperands(e Expr, on *model.Type) (modelPredicate, bool, error) {
	if e.Op == Path {
		_, err := compileModelOperand(e.Path, on)
		return func(model.Object) bool { return false }, false, err
	}
	for _, arg := range e.Args {
		if _, _, err := checkModelOperands(arg, on); err != nil {
			return nil, false, err
		}
	}
	return func(model.Object) bool { return false }, false, nil
}

// A modelOperand goes down a relative path and calls test on each term (as
// written) or group (as "") at its end until one says true.
type modelOperand func(o model.Object, test func(string) bool) bool

func compileModelOperand(path LocationPath, on *model.Type) (modelOperand, error) {
	if path.Absolute {
		return nil, &Error{Column: path.Steps[0].Column, Message: "a predicate looks only below its own group"}
	}
	step := path.Steps[0]
	if step.Axis == Self && len(path.Steps) == 1 {
		return func(_ model.Object, test func(string) bool) bool { return test("") }, nil
	}
	field, ok := on.Field(step.Name)
	if !ok || step.Descendant || step.Axis != Child || len(step.Predicates) > 0 {
		return nil, unknownStep(step, on)
	}
	if field.Kind.IsLeaf() {
		if len(path.Steps) > 1 {
			return nil, &Error{Column: path.Steps[1].Column, Message: fmt.Sprintf("%s is a term and has nothing below it", step.Name)}
		}
		return func(o model.Object, test func(string) bool) bool { return o.Has(field) && test(o.Raw(field)) }, nil
	}
	below := func(_ model.Object, test func(string) bool) bool { return test("") }
	if len(path.Steps) > 1 {
		var err error
		if below, err = compileModelOperand(LocationPath{Steps: path.Steps[1:]}, field.Elem); err != nil {
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
