package expr

import "github.com/google/cel-go/common/ast"

// check parses an expression and checks it against the type of this.
func check(text string, this This) (*node, error) {
	tree, err := checkedTree(text, this)
	if err != nil {
		return nil, err
	}
	return nodesOf(tree, tree.Expr())
}

// checkedTree is the checked expression as cel-go has it.
func checkedTree(text string, this This) (*ast.AST, error) {
	env, err := envFor(this.typ)
	if err != nil {
		return nil, err
	}
	parsed, issues := env.Parse(text)
	if err := mistakeIn(issues, this); err != nil {
		return nil, err
	}
	if err := exactNumbers(parsed.NativeRep(), text); err != nil {
		return nil, err
	}
	checked, issues := env.Check(parsed)
	if err := mistakeIn(issues, this); err != nil {
		return nil, err
	}
	return checked.NativeRep(), nil
}
