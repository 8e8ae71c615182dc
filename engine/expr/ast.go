package expr

import (
	"fmt"
	"strconv"

	"einvoice/model"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// A node is one operation of a checked expression, with as much of what the
// checker found as compiling needs. Trees of nodes are what can be stored, so
// that a start of the program need not parse and check again (store.go).
type node struct {
	op   nodeOp
	name string      // of a variable, field or function; the loop variable of a loop
	text string      // of a literal; the accumulator of a loop
	typ  *types.Type // of lists and loops
	args []*node     // operands; of a loop: range, start, condition, step, result

	line, column int // in the expression, from 1; 0 in a stored one
}

type nodeOp byte

const (
	nodeText nodeOp = iota + 1
	nodeInteger
	nodeDecimal
	nodeBoolean
	nodeVariable
	nodeField
	nodeHas
	nodeCall
	nodeList
	nodeLoop
)

// nodesOf reads cel-go's checked tree.
func nodesOf(checked *ast.AST, e ast.Expr) (*node, error) {
	n := &node{}
	if at := checked.SourceInfo().GetStartLocation(e.ID()); at != nil {
		n.line, n.column = at.Line(), at.Column()+1
	}
	switch e.Kind() {
	case ast.LiteralKind:
		return n, n.literal(e)
	case ast.IdentKind:
		n.op, n.name = nodeVariable, e.AsIdent()
		return n, nil
	case ast.SelectKind:
		n.op, n.name = nodeField, e.AsSelect().FieldName()
		if e.AsSelect().IsTestOnly() {
			n.op = nodeHas
		}
		return n, n.add(checked, e.AsSelect().Operand())
	case ast.CallKind:
		return n, n.call(checked, e.AsCall())
	case ast.ListKind:
		n.op, n.typ = nodeList, checked.GetType(e.ID())
		return n, n.add(checked, e.AsList().Elements()...)
	case ast.ComprehensionKind:
		loop := e.AsComprehension()
		n.op, n.name, n.text, n.typ = nodeLoop, loop.IterVar(), loop.AccuVar(), checked.GetType(e.ID())
		return n, n.add(checked, loop.IterRange(), loop.AccuInit(), loop.LoopCondition(), loop.LoopStep(), loop.Result())
	case ast.MapKind:
		return nil, n.errorf("maps are not part of the rule language: compare with a list, as in this.typeCode in [\"380\", \"381\"], or choose with ? and :")
	}
	return nil, n.errorf("a rule makes no groups of its own: name the group of the invoice, such as this.totals")
}

func (n *node) add(checked *ast.AST, operands ...ast.Expr) error {
	for _, e := range operands {
		child, err := nodesOf(checked, e)
		if err != nil {
			return err
		}
		n.args = append(n.args, child)
	}
	return nil
}

func (n *node) call(checked *ast.AST, call ast.CallExpr) error {
	n.op, n.name = nodeCall, call.FunctionName()
	if call.IsMemberFunction() {
		if err := n.add(checked, call.Target()); err != nil {
			return err
		}
	}
	if err := n.add(checked, call.Args()...); err != nil {
		return err
	}
	n.foldLiteral()
	return nil
}

// foldLiteral makes a literal of decimal("0.5"), which is what 0.5 became (literal.go), and
// of its negation.
func (n *node) foldLiteral() {
	if len(n.args) != 1 {
		return
	}
	switch arg := n.args[0]; {
	case n.name == "decimal" && (arg.op == nodeText || arg.op == nodeInteger):
		if _, err := model.ParseDecimal(arg.text); err == nil {
			n.op, n.name, n.text, n.args = nodeDecimal, "", arg.text, nil
		}
	case n.name == operators.Negate && arg.op == nodeDecimal:
		if d, err := model.ParseDecimal(arg.text); err == nil {
			n.op, n.name, n.text, n.args = nodeDecimal, "", d.Neg().String(), nil
		}
	}
}

func (n *node) literal(e ast.Expr) error {
	switch v := e.AsLiteral().(type) {
	case types.Bool:
		n.op, n.text = nodeBoolean, strconv.FormatBool(bool(v))
	case types.Int:
		n.op, n.text = nodeInteger, strconv.FormatInt(int64(v), 10)
	case types.String:
		n.op, n.text = nodeText, string(v)
	case types.Uint:
		return n.errorf("unsigned integers are not part of the rule language: write the number without u")
	case types.Bytes:
		return n.errorf("bytes are not part of the rule language: write a text without b before it")
	case types.Null:
		return n.errorf("null is not part of the rule language: ask has(...), which is false for what is absent")
	default:
		return n.errorf("literals of type %s are not part of the rule language", e.AsLiteral().Type().TypeName())
	}
	return nil
}

// weight counts the operations of evaluating the expression once, without those in
// loops, which pay for each element.
func (n *node) weight() int64 {
	w := int64(1)
	for i, arg := range n.args {
		if n.op != nodeLoop || i == 0 {
			w += arg.weight()
		}
	}
	return w
}

func (n *node) errorf(format string, args ...any) error {
	return &Error{Line: n.line, Column: n.column, Message: fmt.Sprintf(format, args...)}
}
