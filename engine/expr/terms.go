package expr

import (
	"slices"

	"einvoice/model"

	"github.com/google/cel-go/common/ast"
)

// Terms are the codes of the business terms that an expression reads, sorted; those of
// groups on the way are not among them.
func Terms(text string, this This) ([]string, error) {
	return codesOf(text, this, fieldRead)
}

// RawDates are the codes of the dates of which an expression takes what is written, sorted.
func RawDates(text string, this This) ([]string, error) {
	return codesOf(text, this, func(tree *ast.AST, e ast.Expr) *model.Field {
		if e.Kind() != ast.CallKind || e.AsCall().FunctionName() != "raw" || len(e.AsCall().Args()) != 1 {
			return nil
		}
		f := fieldRead(tree, e.AsCall().Args()[0])
		if f == nil || f.Kind != model.KindDate {
			return nil
		}
		return f
	})
}

// codesOf are the codes of the terms that a function finds in an expression.
func codesOf(text string, this This, find func(*ast.AST, ast.Expr) *model.Field) ([]string, error) {
	tree, err := checkedTree(text, this)
	if err != nil {
		return nil, err
	}
	var codes []string
	ast.PostOrderVisit(tree.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if f := find(tree, e); f != nil && f.BT != "" {
			codes = append(codes, f.BT)
		}
	}))
	slices.Sort(codes)
	return slices.Compact(codes), nil
}

// fieldRead is the term that a part of an expression reads; nil for other parts.
func fieldRead(tree *ast.AST, e ast.Expr) *model.Field {
	if e.Kind() != ast.SelectKind {
		return nil
	}
	group := provider().byName[tree.GetType(e.AsSelect().Operand().ID()).TypeName()]
	if group == nil {
		return nil
	}
	if f, ok := group.Field(e.AsSelect().FieldName()); ok && f.Kind.IsLeaf() {
		return f
	}
	return nil
}
