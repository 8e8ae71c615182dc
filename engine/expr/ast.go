package expr

import (
	"fmt"
	"math"
	"strconv"

	"github.com/google/cel-go/common/ast"
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
		call := e.AsCall()
		n.op, n.name = nodeCall, call.FunctionName()
		if call.IsMemberFunction() {
			if err := n.add(checked, call.Target()); err != nil {
				return nil, err
			}
		}
		return n, n.add(checked, call.Args()...)
	case ast.ListKind:
		n.op, n.typ = nodeList, checked.GetType(e.ID())
		return n, n.add(checked, e.AsList().Elements()...)
	case ast.ComprehensionKind:
		loop := e.AsComprehension()
		n.op, n.name, n.text, n.typ = nodeLoop, loop.IterVar(), loop.AccuVar(), checked.GetType(e.ID())
		return n, n.add(checked, loop.IterRange(), loop.AccuInit(), loop.LoopCondition(), loop.LoopStep(), loop.Result())
	}
	return nil, n.errorf("maps and messages are no part of the rule language")
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

func (n *node) literal(e ast.Expr) error {
	switch v := e.AsLiteral().(type) {
	case types.Bool:
		n.op, n.text = nodeBoolean, strconv.FormatBool(bool(v))
	case types.Int:
		n.op, n.text = nodeInteger, strconv.FormatInt(int64(v), 10)
	case types.Double:
		// A number with a point is exact here: the shortest text that gives the
		// double is what the rule's author wrote, up to 15 digits.
		n.op, n.text = nodeDecimal, strconv.FormatFloat(float64(v), 'f', -1, 64)
		if math.IsInf(float64(v), 0) || len(n.text) > 16 {
			return n.errorf("a decimal literal has at most 15 digits; write decimal('...') for more")
		}
	case types.String:
		n.op, n.text = nodeText, string(v)
	default:
		return n.errorf("literals of type %s are no part of the rule language", e.AsLiteral().Type().TypeName())
	}
	return nil
}

func (n *node) errorf(format string, args ...any) error {
	return &Error{Line: n.line, Column: n.column, Message: fmt.Sprintf(format, args...)}
}
