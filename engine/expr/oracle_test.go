package expr_test

import (
	"context"
	"errors"
	"fmt"
	re "regexp"
	"strings"
	"sync"

	"einvoice/engine/expr"
	"einvoice/model"
	"einvoice/model/source"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	celenv "github.com/google/cel-go/common/env"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/ext"
)

var ctx = context.Background()

var regexps sync.Map // string -> *regexp.Regexp

func regexp(text string) *re.Regexp {
	if r, ok := regexps.Load(text); ok {
		return r.(*re.Regexp)
	}
	r := re.MustCompile(text)
	regexps.Store(text, r)
	return r
}

// An oracle evaluates expressions of rules with cel-go's own interpreter, its
// standard library and its strings extension. It differs from CEL in what
// docs/adr/0003-cel.md lists under the letters that are named here, and in
// nothing else:
//
//   - A: a number with a point is decimal("...") (exactNumbers);
//   - B: an integer beside a decimal counts as one (besideDecimals);
//   - C: an absent group or list reads as an empty one (get, oracle_values_test.go).
//
// Functions that ask about a term are macros here, as has is.
type oracle struct {
	base     *cel.Env
	programs sync.Map // string -> *oracleProgram
}

type oracleProgram struct {
	program cel.Program
	err     error
}

func newOracle(contains func(list, code string) (bool, error)) (*oracle, error) {
	// cel-go knows == for any one type alone, which leaves no room for B.
	ownEquality := &celenv.LibrarySubset{ExcludeFunctions: []*celenv.Function{{Name: operators.Equals}, {Name: operators.NotEquals}}}
	provider := newModelTypes()
	options := []cel.EnvOption{
		cel.StdLib(cel.StdLibSubset(ownEquality)),
		ext.Strings(),
		cel.CustomTypeProvider(types.Provider(provider)),
		cel.CustomTypeAdapter(provider),
		cel.Macros(sumMacros()...),
		cel.Macros(termMacros()...),
	}
	options = append(options, operatorsOfDecimals()...)
	options = append(options, functionsOfRules(contains)...)
	base, err := cel.NewCustomEnv(options...)
	return &oracle{base: base}, err
}

// operatorsOfDecimals declares operators without bindings: the interpreter finds
// them by the traits of their values.
func operatorsOfDecimals() []cel.EnvOption {
	var out []cel.EnvOption
	add := func(name string, result *cel.Type, args ...*cel.Type) {
		out = append(out, cel.Function(name, cel.Overload(overloadID(name, args), args, result)))
	}
	for _, name := range []string{operators.Equals, operators.NotEquals} {
		for _, t := range []*cel.Type{cel.BoolType, cel.StringType, cel.IntType, celDate, celElement} {
			add(name, cel.BoolType, t, t)
		}
	}
	comparisons := []string{operators.Equals, operators.NotEquals, operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals}
	for _, pair := range [][]*cel.Type{{celDecimal, celDecimal}, {celDecimal, cel.IntType}, {cel.IntType, celDecimal}} {
		for _, name := range comparisons {
			add(name, cel.BoolType, pair...)
		}
		for _, name := range []string{operators.Add, operators.Subtract, operators.Multiply, operators.Divide} {
			add(name, celDecimal, pair...)
		}
	}
	for _, name := range comparisons[2:] {
		add(name, cel.BoolType, celDate, celDate)
	}
	add(operators.Negate, celDecimal, celDecimal)
	return out
}

// sumMacros are list.sum(x, amount) and list.sum(x, condition, amount).
func sumMacros() []cel.Macro {
	expand := func(eh cel.MacroExprFactory, target ast.Expr, args []ast.Expr) (ast.Expr, *cel.Error) {
		if args[0].Kind() != ast.IdentKind {
			return nil, eh.NewError(args[0].ID(), "no variable")
		}
		step := eh.NewCall(operators.Add, eh.NewAccuIdent(), args[len(args)-1])
		if len(args) == 3 {
			step = eh.NewCall(operators.Conditional, args[1], step, eh.NewAccuIdent())
		}
		zero := eh.NewCall("decimal", eh.NewLiteral(types.String("0")))
		return eh.NewComprehension(target, args[0].AsIdent(), eh.AccuIdentName(), zero, eh.NewLiteral(types.True), step, eh.NewAccuIdent()), nil
	}
	return []cel.Macro{cel.ReceiverMacro("sum", 2, expand), cel.ReceiverMacro("sum", 3, expand)}
}

// termMacros are the functions that ask about a term itself: they need its
// group and name, as has does.
func termMacros() []cel.Macro {
	about := func(name string, args int, expand func(eh cel.MacroExprFactory, of ast.Expr, field string, args []ast.Expr) ast.Expr) cel.Macro {
		return cel.GlobalMacro(name, args, func(eh cel.MacroExprFactory, _ ast.Expr, args []ast.Expr) (ast.Expr, *cel.Error) {
			if args[0].Kind() != ast.SelectKind {
				return nil, eh.NewError(args[0].ID(), "no term")
			}
			s := args[0].AsSelect()
			return expand(eh, s.Operand(), s.FieldName(), args), nil
		})
	}
	call := func(function string) func(cel.MacroExprFactory, ast.Expr, string, []ast.Expr) ast.Expr {
		return func(eh cel.MacroExprFactory, of ast.Expr, field string, _ []ast.Expr) ast.Expr {
			return eh.NewCall(function, of, eh.NewLiteral(types.String(field)))
		}
	}
	// has(x) && normalizeSpace(raw(x)) <op> text
	normalized := func(eh cel.MacroExprFactory, of ast.Expr, field, operator string, with ast.Expr) ast.Expr {
		raw := eh.NewCall("@raw", eh.Copy(of), eh.NewLiteral(types.String(field)))
		return eh.NewCall(operators.LogicalAnd, eh.NewPresenceTest(of, field), eh.NewCall(operator, eh.NewMemberCall("normalizeSpace", raw), with))
	}
	return []cel.Macro{
		about("raw", 1, call("@raw")),
		about("valid", 1, call("@valid")),
		about("currencyOf", 1, call("@currencyOf")),
		about("filled", 1, func(eh cel.MacroExprFactory, of ast.Expr, field string, _ []ast.Expr) ast.Expr {
			return normalized(eh, of, field, operators.NotEquals, eh.NewLiteral(types.String("")))
		}),
		about("is", 2, func(eh cel.MacroExprFactory, of ast.Expr, field string, args []ast.Expr) ast.Expr {
			return normalized(eh, of, field, operators.Equals, args[1])
		}),
		about("orElse", 2, func(eh cel.MacroExprFactory, of ast.Expr, field string, args []ast.Expr) ast.Expr {
			return eh.NewCall("@orElse", eh.NewPresenceTest(eh.Copy(of), field), args[0], args[1])
		}),
	}
}

// compile prepares an expression for this of a type: the name of a group, or ""
// for an element.
func (o *oracle) compile(expression, this string) (cel.Program, error) {
	key := this + "\n" + expression
	if p, ok := o.programs.Load(key); ok {
		return p.(*oracleProgram).program, p.(*oracleProgram).err
	}
	p := &oracleProgram{}
	p.program, p.err = o.compileOnce(expression, this)
	o.programs.Store(key, p)
	return p.program, p.err
}

func (o *oracle) compileOnce(expression, this string) (cel.Program, error) {
	typ := celElement
	if this != "" {
		typ = cel.ObjectType(this)
	}
	env, err := o.base.Extend(cel.Variable("this", typ), cel.Variable("invoice", cel.ObjectType("Invoice")))
	if err != nil {
		return nil, err
	}
	parsed, issues := env.Parse(expression)
	if issues.Err() != nil {
		return nil, issues.Err()
	}
	exactNumbers(parsed.NativeRep(), expression)
	checked, issues := env.Check(parsed)
	if issues.Err() != nil {
		return nil, issues.Err()
	}
	if besideDecimals(parsed.NativeRep(), checked.NativeRep()) {
		if checked, issues = env.Check(parsed); issues.Err() != nil {
			return nil, issues.Err()
		}
	}
	return env.Program(checked)
}

var decimalNumber = re.MustCompile(`^-?\s*[0-9]*\.[0-9]+`)

// exactNumbers is difference A.
func exactNumbers(parsed *ast.AST, expression string) {
	next := ast.MaxID(parsed)
	factory := ast.NewExprFactory()
	ast.PostOrderVisit(parsed.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() != ast.LiteralKind || e.AsLiteral().Type() != types.DoubleType {
			return
		}
		at, _ := parsed.SourceInfo().GetOffsetRange(e.ID())
		written := decimalNumber.FindString(string([]rune(expression)[at.Start:]))
		literal := factory.NewLiteral(next, types.String(strings.Join(strings.Fields(written), "")))
		next++
		e.SetKindCase(factory.NewCall(e.ID(), "decimal", literal))
	}))
}

// besideDecimals is difference B: it makes a decimal of the integer in each
// operation of an integer and a decimal, and reports whether there was one.
func besideDecimals(parsed, checked *ast.AST) (changed bool) {
	next := ast.MaxID(parsed)
	factory := ast.NewExprFactory()
	ast.PostOrderVisit(parsed.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() != ast.CallKind || len(e.AsCall().Args()) != 2 {
			return
		}
		args := e.AsCall().Args()
		a, b := checked.GetType(args[0].ID()), checked.GetType(args[1].ID())
		for i, pair := range [][2]*types.Type{{a, b}, {b, a}} {
			if !pair[0].IsExactType(types.IntType) || !pair[1].IsExactType(celDecimal) || !isOperator(e.AsCall().FunctionName()) {
				continue
			}
			inner := factory.CopyExpr(args[i])
			outer := factory.NewCall(next, "decimal", inner)
			next++
			both := []ast.Expr{args[0], args[1]}
			both[i] = outer
			e.SetKindCase(factory.NewCall(e.ID(), e.AsCall().FunctionName(), both...))
			changed = true
		}
	}))
	return changed
}

func isOperator(name string) bool { return strings.HasPrefix(name, "_") }

// value evaluates an expression where this is a group or an element.
func (o *oracle) value(expression string, doc *model.Document, this any) (any, error) {
	var name string
	var bound ref.Val
	switch this := this.(type) {
	case model.Object:
		name, bound = this.Type.Name, group(this)
	case source.Node:
		bound = element(doc.Source, this)
	}
	program, err := o.compile(expression, name)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errOracle, err)
	}
	out, _, err := program.Eval(map[string]any{"this": bound, "invoice": group(model.ObjectOf(doc.Invoice))})
	if err != nil {
		return nil, err
	}
	return fromCEL(out)
}

// errOracle marks an expression that cel-go does not compile.
var errOracle = errors.New("the oracle refuses the expression")

// evaluator evaluates with the closures.
type evaluator struct {
	env      *expr.Environment
	programs sync.Map // string -> *expr.Program
}

// program compiles an expression about a group or an element once.
func (v *evaluator) program(expression string, this any) (*expr.Program, error) {
	typ, key := expr.Element(), "\n"+expression
	if o, isGroup := this.(model.Object); isGroup {
		typ, key = expr.Group(o.Type), o.Type.Name+key
	}
	if program, ok := v.programs.Load(key); ok {
		return program.(*expr.Program), nil
	}
	p, err := v.env.Compile(expression, typ)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errRefused, err)
	}
	v.programs.Store(key, p)
	return p, nil
}

func (v *evaluator) value(expression string, doc *model.Document, this any) (any, error) {
	program, err := v.program(expression, this)
	if err != nil {
		return nil, err
	}
	act := activate(doc)
	set(act, this)
	return program.Value(act)
}

// errRefused marks an expression that is refused when it loads.
var errRefused = errors.New("the rule language refuses the expression")

// differ compares the closures with the interpreter; "" if they agree.
func differ(v *evaluator, o *oracle, expression string, doc *model.Document, this any) string {
	got, err := v.value(expression, doc, this)
	want, wantErr := o.value(expression, doc, this)
	switch {
	case errors.Is(err, errRefused) || errors.Is(wantErr, errOracle):
		return fmt.Sprintf("%s\n  here %v\n  CEL  %v", expression, err, wantErr)
	case (err == nil) != (wantErr == nil) || err == nil && !same(got, want):
		return fmt.Sprintf("%s\n  here %v %v\n  CEL  %v %v", expression, got, err, want, wantErr)
	}
	return ""
}
