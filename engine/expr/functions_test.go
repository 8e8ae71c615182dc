package expr_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"

	"einvoice/engine/budget"
	"einvoice/engine/expr"
	"einvoice/engine/lookup"
	"einvoice/engine/xpath"
	"einvoice/formats"
	"einvoice/model"
	"einvoice/rulesets"
)

// environment knows one code list of one code.
func environment() *expr.Environment {
	return expr.NewEnvironment(expr.Options{CodeLists: func(name string) (func(string) bool, error) {
		if name != "iso-4217" {
			return nil, fmt.Errorf("there is no code list %q", name)
		}
		return func(code string) bool { return code == "EUR" }, nil
	}, Tables: func(name string) (*lookup.Table, error) {
		if name != "countries" {
			return nil, fmt.Errorf("there is no table %q", name)
		}
		open := func() (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader("code,capital\nDE,Berlin\n")), nil
		}
		return lookup.Load(open, lookup.Shape{Key: "code", Columns: []lookup.Column{{Name: "code", Kind: lookup.Text}, {Name: "capital", Kind: lookup.Text}}})
	}})
}

// example reads a document of rulesets/examples.
func example(t testing.TB, name string) *model.Document {
	t.Helper()
	data, err := fs.ReadFile(rulesets.FS, "examples/"+name)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := formats.Read(data, formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// activate makes an activation for a document with a generous budget.
func activate(doc *model.Document) *expr.Activation {
	act := new(expr.Activation)
	act.Begin(doc, &xpath.Evaluation{Tree: doc.Source, Budget: budget.New(context.Background(), 1_000_000)})
	return act
}

// Every function's example is true for the root element of the base invoice.
func TestFunctionExamplesHold(t *testing.T) {
	doc := example(t, "base-ubl.xml")
	for _, f := range expr.Functions() {
		t.Run(f.Name, func(t *testing.T) {
			if !strings.Contains(f.Example, f.Name) {
				t.Fatalf("the example %s does not call the function", f.Example)
			}
			program, err := environment().Condition(f.Example, expr.Element())
			if err != nil {
				t.Fatal(err)
			}
			act := activate(doc)
			act.SetElement(doc.Source.Root())
			if holds, ok := program.Bool(act); !holds || !ok {
				t.Errorf("%s: %v %v", f.Example, holds, act.Err())
			}
		})
	}
}

// FuzzExpression feeds the compiler: it must refuse an expression, saying where,
// or compile it to what cel-go's interpreter makes of it.
func FuzzExpression(f *testing.F) {
	for _, fn := range expr.Functions() {
		f.Add(fn.Example)
	}
	f.Add(`this.lines.all(l, l.netAmount > 0) && [1.0, 2.5].exists(x, x in [2.5])`)
	v, o := judges(f, shippedLibrary(f))
	doc := example(f, "base-cii.xml")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := v.value(text, doc, model.ObjectOf(doc.Invoice))
		switch {
		case errors.Is(err, errRefused):
			var mistake *expr.Error
			if !errors.As(err, &mistake) {
				t.Errorf("%q: %v does not say where", text, err)
			}
		case errors.Is(err, budget.ErrSteps):
		case err == nil && got == nil:
			t.Errorf("%q has neither a value nor an error", text)
		default:
			if difference := differ(v, o, text, doc, model.ObjectOf(doc.Invoice)); difference != "" {
				t.Error(difference)
			}
		}
	})
}

// The table in the documentation is the table in the code.
func TestFunctionsAreDocumented(t *testing.T) {
	var b strings.Builder
	for _, f := range expr.Functions() {
		fmt.Fprintf(&b, "| `%s` | %s | `%s` |\n", strings.Join(f.Signatures, "`<br>`"), f.Doc, strings.ReplaceAll(f.Example, "|", "\\|"))
	}
	const page = "../../docs/rule-language.md"
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- functions -->\n", "<!-- end of functions -->"
	before, rest, ok := strings.Cut(string(data), begin)
	table, after, okEnd := strings.Cut(rest, end)
	if !ok || !okEnd {
		t.Fatalf("%s lacks the marks around the table of functions", page)
	}
	want := "| function | what it does | example |\n| --- | --- | --- |\n" + b.String()
	if table == want {
		return
	}
	if os.Getenv("UPDATE_DOCS") == "" {
		t.Fatalf("the table in %s is not the one in the code; UPDATE_DOCS=1 go test ./engine/expr writes it", page)
	}
	if err := os.WriteFile(page, []byte(before+begin+want+end+after), 0o644); err != nil {
		t.Fatal(err)
	}
}
