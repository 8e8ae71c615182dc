package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestDocsOfPackages sees that the lines of Go in the comment of a package, with which its readers
// begin, call functions that there are, with as many arguments and values as they have.
func TestDocsOfPackages(t *testing.T) {
	functions, comments := map[string][]function{}, map[string]string{} // by package.Name; by file
	fset := token.NewFileSet()
	eachSource(t, func(file, text string) {
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") || strings.Contains(file, "cmd/") {
			return
		}
		parsed, err := parser.ParseFile(fset, file, text, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if parsed.Doc != nil {
			comments[file] = parsed.Doc.Text()
		}
		for _, d := range parsed.Decls {
			if f, is := d.(*ast.FuncDecl); is && f.Recv == nil && f.Name.IsExported() {
				name := parsed.Name.Name + "." + f.Name.Name
				functions[name] = append(functions[name], function{path.Dir(file), f.Type})
			}
		}
	})
	indented, calls := regexp.MustCompile(`(?m)(?:^\t.*\n?)+`), 0
	for file, comment := range comments {
		for _, block := range indented.FindAllString(comment, -1) {
			parsed, err := parser.ParseFile(token.NewFileSet(), file, "package p\nfunc _() {\n"+block+"\n}\n", 0)
			if err != nil {
				continue // it is not Go
			}
			ast.Inspect(parsed, func(n ast.Node) bool {
				if a, is := n.(*ast.AssignStmt); is && len(a.Rhs) == 1 {
					if name, f := called(a.Rhs[0], functions, path.Dir(file)); f != nil && f.Results.NumFields() != len(a.Lhs) {
						t.Errorf("%s: %s has %d values, not %d", file, name, f.Results.NumFields(), len(a.Lhs))
					}
				}
				call, is := n.(*ast.CallExpr)
				if !is {
					return true
				}
				name, f := called(call, functions, path.Dir(file))
				if f == nil {
					return true
				}
				calls++
				if n := f.Params.NumFields(); n != len(call.Args) && !isVariadic(f) {
					t.Errorf("%s: %s takes %d arguments, not %d", file, name, n, len(call.Args))
				}
				return true
			})
		}
	}
	if calls < 20 {
		t.Errorf("only %d calls were found", calls)
	}
}

type function struct {
	folder string
	of     *ast.FuncType
}

// called is the function of the program that an expression in the comment of a folder calls: that
// of the folder, or the only one of the name. It is nil if there is none.
func called(e ast.Expr, functions map[string][]function, folder string) (string, *ast.FuncType) {
	call, is := e.(*ast.CallExpr)
	if !is {
		return "", nil
	}
	s, is := call.Fun.(*ast.SelectorExpr)
	if !is {
		return "", nil
	}
	of, is := s.X.(*ast.Ident)
	if !is {
		return "", nil
	}
	name := of.Name + "." + s.Sel.Name
	all := functions[name]
	if i := slices.IndexFunc(all, func(f function) bool { return f.folder == folder }); i >= 0 {
		return name, all[i].of
	}
	if len(all) == 1 {
		return name, all[0].of
	}
	return name, nil
}

func isVariadic(f *ast.FuncType) bool {
	params := f.Params.List
	if len(params) == 0 {
		return false
	}
	_, is := params[len(params)-1].Type.(*ast.Ellipsis)
	return is
}
