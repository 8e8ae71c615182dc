package operation_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

// callers is the program that calls functions with nothing: nil for what may be nil, and zero
// values for the rest; then with what is hollow, as programs make it themselves: structs that hold
// nothing or hollow ones, and lists that are nil or empty, by chance. So it calls the methods of
// what they gave back, too.
const callers = `package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime/debug"
	"strings"
	"time"

%s)

var functions = []struct {
	name string
	f    any
}{
%s}

var contexts = reflect.TypeFor[context.Context]()

func main() {
	called := 0
	for _, one := range functions {
		for _, v := range call(one.name, reflect.ValueOf(one.f)) {
			called++
			if v.Kind() == reflect.Interface {
				v = v.Elem()
			}
			if !v.IsValid() || (v.Kind() == reflect.Pointer || v.Kind() == reflect.Func || v.Kind() == reflect.Map) && v.IsNil() {
				continue
			}
			of := v.Type()
			if of.Kind() == reflect.Pointer {
				of = of.Elem()
			}
			if !strings.HasPrefix(of.PkgPath(), "einvoice/") {
				continue
			}
			for m := range v.NumMethod() {
				call(one.name+"()."+v.Type().Method(m).Name, v.Method(m))
				called++
			}
		}
	}
	fmt.Println("called", called)
}

// rounds are how often a function is called with what is hollow.
const rounds = 12

// hollow is a value of a type with nothing in it but what is hollow itself, at most so many
// levels deep.
func hollow(of reflect.Type, chance *rand.Rand, depth int) reflect.Value {
	v := reflect.New(of).Elem()
	switch of.Kind() {
	case reflect.Slice:
		if chance.IntN(2) == 0 {
			v.Set(reflect.MakeSlice(of, 0, 0))
		}
	case reflect.Pointer:
		if depth > 0 && fillable(of) && chance.IntN(3) > 0 {
			v.Set(reflect.New(of.Elem()))
			v.Elem().Set(hollow(of.Elem(), chance, depth-1))
		}
	case reflect.Struct:
		for i := range of.NumField() {
			if of.Field(i).IsExported() {
				v.Field(i).Set(hollow(of.Field(i).Type, chance, depth))
			}
		}
	}
	return v
}

// fillable is what a program can make without the function that is there to make it: a pointer
// to a struct that has fields to set.
func fillable(of reflect.Type) bool {
	if of.Elem().Kind() != reflect.Struct {
		return false
	}
	for i := range of.Elem().NumField() {
		if of.Elem().Field(i).IsExported() {
			return true
		}
	}
	return false
}

// call says so where a function panics, or takes longer than nothing needs.
func call(name string, f reflect.Value) (results []reflect.Value) {
	results = with(name, f, reflect.Zero)
	for round := range rounds {
		chance := rand.New(rand.NewPCG(uint64(round), 0))
		results = append(results, with(name, f, func(of reflect.Type) reflect.Value { return hollow(of, chance, 3) })...)
	}
	return results
}

func with(name string, f reflect.Value, argument func(reflect.Type) reflect.Value) []reflect.Value {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	of := f.Type()
	var in []reflect.Value
	for i := range of.NumIn() {
		if of.IsVariadic() && i == of.NumIn()-1 {
			break
		}
		if of.In(i) == contexts {
			in = append(in, reflect.ValueOf(ctx))
			continue
		}
		in = append(in, argument(of.In(i)))
	}
	out := make(chan []reflect.Value, 1)
	go func() {
		defer func() {
			if fault := recover(); fault != nil {
				fmt.Println("PANIC", name, fault)
				if os.Getenv("STACKS") != "" {
					fmt.Println(string(debug.Stack()))
				}
				out <- nil
			}
		}()
		out <- f.Call(in)
	}()
	select {
	case results := <-out:
		return results
	case <-time.After(60 * time.Second):
		fmt.Println("PANIC", name, "does not return")
		return nil
	}
}
`

// Nothing that the packages of docs/go.md export panics for want of an argument: it is an error,
// or means what is usual. Every function is called with nil and zero values, and every method of
// what it then gives back.
func TestNoPanicOnNil(t *testing.T) {
	if testing.Short() {
		t.Skip("a program is built, which -short leaves out")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	list := exec.CommandContext(t.Context(), "go", append([]string{"list", "-json=ImportPath,Dir,Name,GoFiles"}, documented(t, root)...)...)
	list.Dir = root
	listed, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	var imports, functions strings.Builder
	for n, decoder := 0, json.NewDecoder(bytes.NewReader(listed)); decoder.More(); n++ {
		var p struct {
			ImportPath, Dir, Name string
			GoFiles               []string
		}
		if err := decoder.Decode(&p); err != nil {
			t.Fatal(err)
		}
		before := functions.Len()
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range file.Decls {
				f, ok := d.(*ast.FuncDecl)
				if ok && f.Recv == nil && f.Name.IsExported() && f.Type.TypeParams == nil {
					fmt.Fprintf(&functions, "\t{%q, p%d.%s},\n", p.ImportPath+"."+f.Name.Name, n, f.Name.Name)
				}
			}
		}
		if functions.Len() > before {
			fmt.Fprintf(&imports, "\tp%d %q\n", n, p.ImportPath)
		}
	}
	work := t.TempDir()
	source, overlay, program := filepath.Join(work, "main.go"), filepath.Join(work, "overlay.json"), filepath.Join(work, "program")
	replaced, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(root, "service", "called", "main.go"): source}})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{source: fmt.Appendf(nil, callers, imports.String(), functions.String()), overlay: replaced} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.CommandContext(t.Context(), "go", slices.Concat([]string{"build", "-overlay", overlay, "-o", program}, buildFlags(), []string{"./service/called"})...)
	build.Dir = root
	if told, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, told)
	}
	run := exec.CommandContext(t.Context(), program)
	run.Dir = t.TempDir()
	told, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, told)
	}
	for line := range strings.Lines(string(told)) {
		if what, is := strings.CutPrefix(line, "PANIC "); is {
			if name, _, _ := strings.Cut(what, " "); withArguments[name] == "" {
				t.Error(strings.TrimSpace(what))
			}
		}
	}
	t.Logf("%d functions; %s", strings.Count(functions.String(), "\n"), told[max(0, len(told)-40):])
}

// buildFlags are those that this test was built with: without them, every package would be compiled once more.
func buildFlags() []string {
	info, _ := debug.ReadBuildInfo()
	flags := []string{"-ldflags=-s -w"}
	for _, s := range info.Settings {
		if s.Key == "-tags" || s.Key == "-trimpath" || s.Key == "-gcflags" {
			flags = append(flags, s.Key+"="+s.Value)
		}
	}
	return flags
}

// documented are the packages that docs/go.md lists for Go programs.
func documented(t *testing.T, root string) (packages []string) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(root, "docs", "go.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range regexp.MustCompile("(?m)^\\| (`service/.*|`model`) \\|.*$").FindAllString(string(page), -1) {
		folder := ""
		names, _, _ := strings.Cut(row[1:], "|")
		for name := range strings.SplitSeq(names, ",") {
			name = strings.Trim(name, " `")
			if before, _, nested := strings.Cut(name, "/"); nested {
				folder = before + "/"
			} else if name != "model" {
				name = folder + name
			}
			packages = append(packages, "./"+name)
		}
	}
	if len(packages) < 10 {
		t.Fatalf("docs/go.md lists %v", packages)
	}
	return packages
}

// withArguments are functions that need their arguments by their nature, with why.
var withArguments = map[string]string{
	"einvoice/model.MustDecimal":             "it panics by its name, as regexp.MustCompile does: for constants of programs",
	"einvoice/model.NewMemory().New":         "readers of documents call it with groups of the model, of which nothing is one",
	"einvoice/model.NewMemory().EnsureGroup": "as New",
	"einvoice/model.NewMemory().AppendGroup": "as New",
}
