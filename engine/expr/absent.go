package expr

import (
	"slices"
	"strings"

	"einvoice/model"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// An Absence is a term or group that EN 16931 allows to be absent, and without which an
// expression may have no value.
type Absence struct {
	Path  string // in the expression, such as this.paymentDueDate
	Field *model.Field
}

// Unasked are the absences that an expression does not ask about (has, filled, valid, is,
// orElse) before it needs the value, in the order of their paths. Each is tried alone, with
// all else there: where two terms depend on each other, an absence may be one that no
// invoice can have.
func Unasked(text string, this This) ([]Absence, error) {
	tree, err := checkedTree(text, this)
	if err != nil {
		return nil, err
	}
	found := map[string]*model.Field{}
	ast.PostOrderVisit(tree.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if fieldRead(tree, e) == nil {
			return
		}
		if path, field := mayBeAbsent(tree, e); field != nil {
			found[path] = field
		}
	}))
	var unasked []Absence
	for path, field := range found {
		w := without{tree: tree, path: path, variables: map[string]outcome{}}
		if w.of(tree.Expr())&fails != 0 {
			unasked = append(unasked, Absence{path, field})
		}
	}
	slices.SortFunc(unasked, func(a, b Absence) int { return strings.Compare(a.Path, b.Path) })
	return unasked, nil
}

// mayBeAbsent is the innermost part of a path that the standard allows to be absent.
func mayBeAbsent(tree *ast.AST, e ast.Expr) (path string, field *model.Field) {
	for ; e.Kind() == ast.SelectKind; e = e.AsSelect().Operand() {
		group := provider().byName[tree.GetType(e.AsSelect().Operand().ID()).TypeName()]
		if group == nil {
			return "", nil
		}
		f, ok := group.Field(e.AsSelect().FieldName())
		if !ok {
			return "", nil
		}
		if strings.HasPrefix(f.Card, "0") {
			return pathOf(e), f
		}
	}
	return "", nil
}

// pathOf writes a path; it is empty for what is none.
func pathOf(e ast.Expr) string {
	switch e.Kind() {
	case ast.IdentKind:
		return e.AsIdent()
	case ast.SelectKind:
		if of := pathOf(e.AsSelect().Operand()); of != "" {
			return of + "." + e.AsSelect().FieldName()
		}
	}
	return ""
}

// An outcome is what an expression can give: a set of these. What is not a condition is as
// one of which nothing is known.
type outcome uint8

const (
	isTrue outcome = 1 << iota
	isFalse
	fails // there is no value
)

const unknown = isTrue | isFalse

// A without finds what an expression can give where one path is absent.
type without struct {
	tree      *ast.AST
	path      string             // empty where nothing is absent
	variables map[string]outcome // of the loops around
}

func (w *without) lacks(e ast.Expr) bool {
	path := pathOf(e)
	return w.path != "" && (path == w.path || strings.HasPrefix(path, w.path+"."))
}

func (w *without) of(e ast.Expr) outcome {
	switch e.Kind() {
	case ast.LiteralKind:
		switch e.AsLiteral() {
		case types.True:
			return isTrue
		case types.False:
			return isFalse
		}
	case ast.IdentKind:
		if o, known := w.variables[e.AsIdent()]; known {
			return o
		}
	case ast.SelectKind:
		switch {
		case !w.lacks(e):
		case e.AsSelect().IsTestOnly():
			return isFalse
		case fieldRead(w.tree, e) != nil:
			return fails
		}
	case ast.CallKind:
		return w.call(e.AsCall())
	case ast.ListKind:
		return w.needs(e.AsList().Elements())
	case ast.ComprehensionKind:
		return w.loop(e.AsComprehension())
	}
	return unknown
}

func (w *without) call(call ast.CallExpr) outcome {
	args := call.Args()
	if call.IsMemberFunction() {
		args = append([]ast.Expr{call.Target()}, args...)
	}
	switch call.FunctionName() {
	case operators.LogicalAnd:
		return w.of(args[0]).and(w.of(args[1]))
	case operators.LogicalOr:
		return w.of(args[0]).not().and(w.of(args[1]).not()).not()
	case operators.LogicalNot:
		return w.of(args[0]).not()
	case operators.NotStrictlyFalse:
		if o := w.of(args[0]); o&fails != 0 {
			return o&^fails | isTrue
		}
	case operators.Conditional:
		condition, chosen := w.of(args[0]), outcome(0)
		if condition&isTrue != 0 {
			chosen |= w.of(args[1])
		}
		if condition&isFalse != 0 {
			chosen |= w.of(args[2])
		}
		return chosen | condition&fails
	case "filled", "valid", "is":
		if w.lacks(args[0]) {
			return isFalse
		}
	case "orElse":
		if w.lacks(args[0]) {
			return w.of(args[1])
		}
	case "currencyOf":
		return unknown
	}
	return w.needs(args)
}

// needs is the outcome of what has a value if all of these have.
func (w *without) needs(all []ast.Expr) outcome {
	result := unknown
	for _, e := range all {
		switch o := w.of(e); {
		case o == fails:
			return fails
		case o&fails != 0:
			result |= fails
		}
	}
	return result
}

// loop goes round until nothing new can come out.
func (w *without) loop(loop ast.ComprehensionExpr) outcome {
	whole := w.needs([]ast.Expr{loop.IterRange()})
	if whole == fails {
		return fails
	}
	accumulated := w.of(loop.AccuInit())
	step := w
	if w.filtersOut(loop.IterRange(), loop.IterVar()) {
		step = &without{tree: w.tree, variables: w.variables}
	}
	for before := outcome(0); before != accumulated; {
		before = accumulated
		w.variables[loop.AccuVar()] = accumulated
		accumulated |= step.of(loop.LoopStep())
	}
	result := w.of(loop.Result())
	delete(w.variables, loop.AccuVar())
	return result | whole&fails
}

// filtersOut reports whether a list is what a filter leaves, which asks for the path of its
// elements: list.filter(d, has(d.path)).
func (w *without) filtersOut(list ast.Expr, variable string) bool {
	if list.Kind() != ast.ComprehensionKind || !strings.HasPrefix(w.path, variable+".") {
		return false
	}
	filter := list.AsComprehension()
	step := filter.LoopStep()
	return filter.IterVar() == variable && step.Kind() == ast.CallKind && step.AsCall().FunctionName() == operators.Conditional &&
		w.of(step.AsCall().Args()[0])&isTrue == 0
}

func (o outcome) not() outcome {
	n := o & fails
	if o&isTrue != 0 {
		n |= isFalse
	}
	if o&isFalse != 0 {
		n |= isTrue
	}
	return n
}

// and is CEL's: false if either side is false, whatever the other is.
func (o outcome) and(other outcome) outcome {
	both := o&other&isTrue | (o|other)&isFalse
	if o&fails != 0 && other&^isFalse != 0 || other&fails != 0 && o&^isFalse != 0 {
		both |= fails
	}
	return both
}
