package pattern_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"einvoice/model/pattern"
)

func TestLater(t *testing.T) {
	number := pattern.Later(`^[0-9]+$`)
	if !number().MatchString("33") || number().MatchString("x") {
		t.Error("the expression says otherwise")
	}
}

// Every expression of the project is right, as nothing compiles it before it is used.
func TestExpressionsCompile(t *testing.T) {
	found := 0
	err := filepath.WalkDir("../..", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !isLater(call.Fun) {
				return true
			}
			found++
			literal, ok := call.Args[0].(*ast.BasicLit)
			if !ok {
				t.Errorf("%s: an expression is not written where it is asked for", name)
				return true
			}
			text, err := strconv.Unquote(literal.Value)
			if err == nil {
				_, err = regexp.Compile(text)
			}
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < 80 {
		t.Errorf("only %d expressions", found)
	}
}

func isLater(function ast.Expr) bool {
	selector, ok := function.(*ast.SelectorExpr)
	if !ok || selector.Sel.Name != "Later" {
		return false
	}
	of, ok := selector.X.(*ast.Ident)
	return ok && of.Name == "pattern"
}
