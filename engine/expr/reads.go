package expr

import (
	"slices"

	"einvoice/model"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
)

// A Read is a field of a group that an expression reads.
type Read struct {
	Group *model.Type
	Field *model.Field
}

// Reads are the fields that decide what an expression gives. exact is false where they are
// not all that does: where a whole group goes into a function, or something that is not of
// the invoice is asked, such as a table. A group on the way to a field is not among them, because a field of
// a group that is not there is like a field that is not there.
func Reads(text string, this This) (reads []Read, exact bool, err error) {
	tree, err := checkedTree(text, this)
	if err != nil {
		return nil, false, err
	}
	onTheWay := map[int64]bool{}
	ast.PostOrderVisit(tree.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() == ast.SelectKind {
			onTheWay[e.AsSelect().Operand().ID()] = true
		}
	}))
	exact = true
	ast.PostOrderVisit(tree.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		of := tree.GetType(e.ID())
		isGroup := of != nil && provider().byName[of.TypeName()] != nil
		switch e.Kind() {
		case ast.SelectKind:
			group := provider().byName[tree.GetType(e.AsSelect().Operand().ID()).TypeName()]
			if group == nil {
				exact = false
				return
			}
			if f, ok := group.Field(e.AsSelect().FieldName()); ok && !(isGroup && onTheWay[e.ID()]) {
				reads = append(reads, Read{group, f})
			} else if !ok {
				exact = false
			}
		case ast.IdentKind:
			exact = exact && (!isGroup || onTheWay[e.ID()])
		case ast.CallKind:
			call := e.AsCall()
			exact = exact && !isGroup && !isLookup(call.FunctionName()) && (call.IsMemberFunction() || len(call.Args()) > 0)
		}
		exact = exact && (of == nil || !readsElements(of))
	}))
	return slices.Clip(reads), exact, nil
}

// readsElements reports whether a value is of the source document.
func readsElements(t *types.Type) bool {
	if t.TypeName() == elementType.TypeName() {
		return true
	}
	return slices.ContainsFunc(t.Parameters(), readsElements)
}
