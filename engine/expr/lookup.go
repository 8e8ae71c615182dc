package expr

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"einvoice/engine/lookup"
	"einvoice/model"
	"einvoice/model/nearest"
	"einvoice/model/quote"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// lookup("vendors", key).iban is a cell of a table. The columns of tables are not types of the
// checker's, as each library has its own: before an expression is checked, a call with its
// column becomes a call of a function of the column's type, lookup@text("vendors", key, "iban").
// Where no environment says which tables there are, as where the terms of an expression are
// looked for, the cell is of any type.

const (
	lookupName = "lookup"
	lookupHas  = "lookup@has"
	lookupAny  = "lookup@any"
)

// Tables finds a table by its name.
type Tables func(name string) (*lookup.Table, error)

// lookupTypes are the types of cells.
var lookupTypes = map[lookup.Kind]*types.Type{
	lookup.Text: types.StringType, lookup.Integer: types.IntType, lookup.Decimal: decimalType, lookup.Date: dateType, lookup.Boolean: types.BoolType,
}

// lookupDeclarations are the functions that lookups become.
func lookupDeclarations() (options []cel.EnvOption) {
	args := []*types.Type{types.StringType, types.StringType, types.StringType}
	declare := func(name string, result *types.Type) {
		options = append(options, cel.Function(name, cel.Overload(name+"_cell", args, result)))
	}
	for kind, t := range lookupTypes {
		declare("lookup@"+string(kind), t)
	}
	declare(lookupHas, types.BoolType)
	declare(lookupAny, types.DynType)
	return options
}

// Looks reports whether an expression may look something up.
func Looks(text string) bool { return strings.Contains(text, lookupName) }

// lookUps rewrites the lookups of a parsed expression. env is nil where no tables are known.
func lookUps(parsed *ast.AST, env *Environment) error {
	r := &lookupRewriter{info: parsed.SourceInfo(), factory: ast.NewExprFactory(), next: ast.MaxID(parsed), env: env}
	ast.PostOrderVisit(parsed.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if r.err == nil {
			r.visit(e)
		}
	}))
	if r.err != nil {
		return r.err
	}
	ast.PostOrderVisit(parsed.Expr(), ast.NewExprVisitor(func(e ast.Expr) { // of what is left, no column is taken
		if r.err == nil && isCall(e, lookupName) {
			r.fail(e, fmt.Errorf("lookup finds a row, of which a column is taken: %s", lookupForm))
		}
	}))
	return r.err
}

const lookupForm = `lookup("TABLE", key).COLUMN, as in lookup("vendors", this.seller.vatIdentifier).iban`

type lookupRewriter struct {
	info    *ast.SourceInfo
	factory ast.ExprFactory
	next    int64
	env     *Environment
	err     error
}

func isCall(e ast.Expr, name string) bool {
	return e.Kind() == ast.CallKind && !e.AsCall().IsMemberFunction() && e.AsCall().FunctionName() == name
}

func (r *lookupRewriter) fail(at ast.Expr, err error) {
	where := r.info.GetStartLocation(at.ID())
	r.err = &Error{Line: where.Line(), Column: where.Column() + 1, Message: err.Error()}
}

// id is a new id for a node, at the place of another.
func (r *lookupRewriter) id(at ast.Expr) int64 {
	if offset, ok := r.info.GetOffsetRange(at.ID()); ok {
		r.info.SetOffsetRange(r.next, offset)
	}
	r.next++
	return r.next - 1
}

func (r *lookupRewriter) visit(e ast.Expr) {
	if e.Kind() == ast.CallKind {
		r.about(e)
		return
	}
	if e.Kind() != ast.SelectKind || !isCall(e.AsSelect().Operand(), lookupName) {
		return
	}
	operand := e.AsSelect().Operand()
	args := operand.AsCall().Args()
	if len(args) != 2 || args[0].Kind() != ast.LiteralKind || args[0].AsLiteral().Type() != types.StringType {
		r.fail(operand, fmt.Errorf("lookup takes the name of a table as a literal, and a key: %s", lookupForm))
		return
	}
	name, column := string(args[0].AsLiteral().(types.String)), e.AsSelect().FieldName()
	kind, err := r.kind(name, column)
	if err != nil {
		r.fail(args[0], err)
		return
	}
	if e.AsSelect().IsTestOnly() {
		kind = lookupHas
	}
	e.SetKindCase(r.factory.NewCall(e.ID(), kind, args[0], args[1], r.factory.NewLiteral(r.id(e), types.String(column))))
}

// kind is the function for a column of a table.
func (r *lookupRewriter) kind(name, column string) (string, error) {
	if r.env == nil {
		return lookupAny, nil
	}
	table, err := r.env.options.Tables(name)
	if err != nil {
		return "", err
	}
	i := table.Column(column)
	if i < 0 {
		return "", noColumn(table, name, column)
	}
	return "lookup@" + string(table.Columns()[i].Kind), nil
}

func noColumn(table *lookup.Table, name, column string) error {
	var names []string
	for _, c := range table.Columns() {
		names = append(names, c.Name)
	}
	if near := nearest.Of(column, names); near != "" {
		return fmt.Errorf("the table %s has no column %s: did you mean %s?", name, column, near)
	}
	return fmt.Errorf("the table %s has no column %s; there are %s", name, column, strings.Join(names, ", "))
}

// about lets functions about terms take cells: what asks whether a term is there asks whether
// the cell is.
func (r *lookupRewriter) about(e ast.Expr) {
	call := e.AsCall()
	args := call.Args()
	if call.IsMemberFunction() || len(args) == 0 || args[0].Kind() != ast.CallKind || !strings.HasPrefix(args[0].AsCall().FunctionName(), "lookup@") {
		return
	}
	cell := args[0]
	has := func() ast.Expr {
		return r.factory.NewCall(r.id(cell), lookupHas, slices.Clone(cell.AsCall().Args())...)
	}
	switch name := call.FunctionName(); {
	case len(args) == 1 && (name == "filled" || name == "valid"):
		e.SetKindCase(has())
	case len(args) == 2 && name == "orElse":
		otherwise := args[1]
		if otherwise.Kind() == ast.LiteralKind && otherwise.AsLiteral().Type() == types.IntType && cell.AsCall().FunctionName() == "lookup@"+string(lookup.Decimal) {
			otherwise = r.factory.NewCall(r.id(e), "decimal", otherwise) // as of a term
		}
		e.SetKindCase(r.factory.NewCall(e.ID(), operators.Conditional, has(), cell, otherwise))
	case len(args) == 2 && name == "is":
		equal := r.factory.NewCall(r.id(e), operators.Equals, cell, args[1])
		e.SetKindCase(r.factory.NewCall(e.ID(), operators.LogicalAnd, has(), equal))
	}
}

// isLookup reports whether a call is of a cell.
func isLookup(name string) bool { return strings.HasPrefix(name, "lookup@") }

// lookup compiles a call that lookUps made, by what the environment's table has.
func (s *scope) lookup(n *node, args []compiled) (compiled, error) {
	name, column := n.args[0].text, n.args[2].text
	table, err := s.environment.options.Tables(name)
	if err != nil {
		return compiled{}, n.errorf("%v", err)
	}
	i := table.Column(column)
	if i < 0 {
		return compiled{}, n.errorf("%v", noColumn(table, name, column))
	}
	find := func(act *Activation) (cell string, key string, ok bool) {
		key, ok = args[1].text(act)
		if !ok || !act.pay(len(key)) {
			return "", key, false
		}
		if row, found := table.Find(key); found {
			cell = row.Cell(i)
		}
		return cell, key, true
	}
	if n.name == lookupHas {
		return compiled{typ: types.BoolType, boolean: func(act *Activation) (bool, bool) {
			cell, _, ok := find(act)
			return cell != "", ok
		}}, nil
	}
	said := column + " of the table " + name
	kind := table.Columns()[i].Kind
	c := compiled{typ: lookupTypes[kind]}
	switch kind {
	case lookup.Text:
		c.text = cellOf(find, said, func(cell string) string { return cell })
	case lookup.Decimal:
		c.decimal = cellOf(find, said, func(cell string) model.Decimal { return model.NewNumber(cell).Value })
	case lookup.Integer:
		c.integer = cellOf(find, said, integerOf)
	case lookup.Date:
		c.date = cellOf(find, said, func(cell string) *model.Date { d := model.NewDate(cell); return &d })
	case lookup.Boolean:
		c.boolean = cellOf(find, said, func(cell string) bool { return cell == "true" })
	}
	return c, nil
}

func integerOf(cell string) int64 {
	n, _ := strconv.ParseInt(cell, 10, 64) // the cells of the column are integers
	return n
}

func cellOf[T any](find func(*Activation) (string, string, bool), said string, value func(string) T) fn[T] {
	return func(act *Activation) (out T, ok bool) {
		cell, key, ok := find(act)
		if !ok {
			return out, false
		}
		if cell == "" {
			act.fail(errOther, nil, "there is no "+said+" for "+quote.Fields(key, most))
			return out, false
		}
		return value(cell), true
	}
}

// lookupFunctions documents what lookUps takes away before an expression is compiled.
var lookupFunctions = []function{
	{lookupName, "The row of a table (tables/NAME.yaml) with a key, of which a column is taken. Where there is no such row, or the row lacks the value, there is none: has, filled, is and orElse ask as of a term.",
		`has(lookup("countries", invoice.seller.postalAddress.countryCode).capital) && orElse(lookup("countries", "XX").capital, "none") == "none"`,
		[]overload{{args: []*types.Type{types.StringType, types.StringType}, result: types.NewOpaqueType("row"), compile: func(*Environment, []compiled) (compiled, error) {
			return compiled{}, fmt.Errorf("lookup finds a row, of which a column is taken: %s", lookupForm)
		}}}},
}
