package expr

import (
	"slices"

	"github.com/google/cel-go/common/ast"
)

// Terms are the codes of the business terms that an expression reads, sorted; those of
// groups on the way are not among them.
func Terms(text string, this This) ([]string, error) {
	tree, err := checkedTree(text, this)
	if err != nil {
		return nil, err
	}
	var codes []string
	ast.PostOrderVisit(tree.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() != ast.SelectKind {
			return
		}
		group := provider().byName[tree.GetType(e.AsSelect().Operand().ID()).TypeName()]
		if group == nil {
			return
		}
		if f, ok := group.Field(e.AsSelect().FieldName()); ok && f.Kind.IsLeaf() && f.BT != "" {
			codes = append(codes, f.BT)
		}
	}))
	slices.Sort(codes)
	return slices.Compact(codes), nil
}
