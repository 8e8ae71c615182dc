package expr

import (
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
)

// The sum macros: list.sum(x, amount) and list.sum(x, condition, amount).
var (
	sumMacro      = cel.ReceiverMacro("sum", 2, expandSum)
	sumWhereMacro = cel.ReceiverMacro("sum", 3, expandSum)
)

func expandSum(eh cel.MacroExprFactory, target ast.Expr, args []ast.Expr) (ast.Expr, *cel.Error) {
	if args[0].Kind() != ast.IdentKind {
		return nil, eh.NewError(args[0].ID(), "the first argument of sum must be a variable name")
	}
	accu := eh.AccuIdentName()
	step := eh.NewCall("_+_", eh.NewAccuIdent(), args[len(args)-1])
	if len(args) == 3 {
		step = eh.NewCall("_?_:_", args[1], step, eh.NewAccuIdent())
	}
	return eh.NewComprehension(target, args[0].AsIdent(), accu,
		eh.NewCall("decimal", eh.NewLiteral(types.Int(0))),
		eh.NewLiteral(types.True), step, eh.NewAccuIdent()), nil
}
