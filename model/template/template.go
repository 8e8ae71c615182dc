// Package template fills templates that are written in the language of text/template.
//
// It exists because of the linker. The library finds methods by name, which makes the linker
// keep every method of every type in the program: a sixth of its size. Here a value has
// fields and keys alone, and what needs code is a function of the template.
package template

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
	"text/template/parse"
)

// Functions are what a template calls, by name. Each returns one value, and takes texts or
// values of the types that it names.
type Functions map[string]any

// Safe is a text that goes into a page as it is: it was escaped, or is part of the program.
type Safe string

// A Template is a set of named pieces.
type Template struct {
	trees     map[string]*parse.Tree
	functions map[string]reflect.Value
	escape    func(string) string
}

// Text returns a template whose values are written as they are. It panics where the template
// is faulty, as templates are part of the program.
func Text(text string, functions Functions) *Template {
	return newTemplate(text, functions, func(s string) string { return s })
}

// HTML returns a template whose values are escaped for the text of a page and for attributes
// in quotes. Values may stand nowhere else, except as Safe.
func HTML(text string, functions Functions) *Template {
	return newTemplate(text, functions, escaper.Replace)
}

// escaper replaces what has a meaning in HTML, in UTF-7 as well.
var escaper = strings.NewReplacer("\x00", "\uFFFD", `"`, "&#34;", "&", "&amp;", "'", "&#39;", "+", "&#43;", "<", "&lt;", ">", "&gt;")

func newTemplate(text string, functions Functions, escape func(string) string) *Template {
	all := map[string]any{"eq": equal, "not": not}
	maps.Copy(all, functions)
	t := &Template{functions: map[string]reflect.Value{}, escape: escape}
	for name, f := range all {
		t.functions[name] = reflect.ValueOf(f)
	}
	var err error
	if t.trees, err = parse.Parse("", text, "", "", all); err != nil {
		panic(err)
	}
	return t
}

// Execute writes a piece with its data; the piece outside of all definitions has no name.
func (t *Template) Execute(w io.Writer, piece string, data any) error {
	tree := t.trees[piece]
	if tree == nil {
		return fmt.Errorf("there is no template %q", piece)
	}
	dot := reflect.ValueOf(data)
	r := &run{Template: t, w: w, variables: []variable{{"$", dot}}}
	if err := r.walk(dot, tree.Root); err != nil {
		return fmt.Errorf("template %q: %w", piece, err)
	}
	return nil
}

// equal reports whether two values are the same text.
func equal(a, b any) bool { return fmt.Sprint(a) == fmt.Sprint(b) }

func not(value reflect.Value) bool { return !isTrue(value) }

type variable struct {
	name  string
	value reflect.Value
}

// A run fills a template once.
type run struct {
	*Template
	w         io.Writer
	variables []variable
}

func (r *run) walk(dot reflect.Value, node parse.Node) error {
	switch n := node.(type) {
	case *parse.ListNode:
		for _, one := range n.Nodes {
			if err := r.walk(dot, one); err != nil {
				return err
			}
		}
		return nil
	case *parse.TextNode:
		_, err := r.w.Write(n.Text)
		return err
	case *parse.ActionNode:
		return r.print(dot, n.Pipe)
	case *parse.IfNode:
		return r.branch(dot, &n.BranchNode, func(reflect.Value) reflect.Value { return dot })
	case *parse.WithNode:
		return r.branch(dot, &n.BranchNode, func(value reflect.Value) reflect.Value { return value })
	case *parse.RangeNode:
		return r.each(dot, &n.BranchNode)
	case *parse.TemplateNode:
		value, err := r.pipe(dot, n.Pipe)
		if err != nil {
			return err
		}
		return r.Execute(r.w, n.Name, value.Interface())
	}
	return fmt.Errorf("%s is not known here", node)
}

// print writes the value of an action.
func (r *run) print(dot reflect.Value, pipe *parse.PipeNode) error {
	value, err := r.pipe(dot, pipe)
	if err != nil {
		return err
	}
	var text string
	switch v := indirect(value); {
	case !v.IsValid():
	case v.Type() == reflect.TypeFor[Safe]():
		_, err = io.WriteString(r.w, v.String())
		return err
	default:
		text = fmt.Sprint(v.Interface())
	}
	_, err = io.WriteString(r.w, r.escape(text))
	return err
}

// branch walks one of two lists, with the dot that the condition gives.
func (r *run) branch(dot reflect.Value, n *parse.BranchNode, inside func(reflect.Value) reflect.Value) error {
	value, err := r.pipe(dot, n.Pipe)
	switch {
	case err != nil:
		return err
	case isTrue(value):
		return r.walk(inside(value), n.List)
	case n.ElseList != nil:
		return r.walk(dot, n.ElseList)
	}
	return nil
}

// each walks a list for every element of a list or a map, whose keys are sorted.
func (r *run) each(dot reflect.Value, n *parse.BranchNode) error {
	value, err := r.evaluate(dot, n.Pipe)
	if err != nil {
		return err
	}
	list := indirect(value)
	one := func(key, element reflect.Value) error {
		outside := r.variables
		defer func() { r.variables = outside }()
		switch names := n.Pipe.Decl; len(names) {
		case 2:
			r.variables = append(r.variables, variable{names[0].Ident[0], key}, variable{names[1].Ident[0], element})
		case 1:
			r.variables = append(r.variables, variable{names[0].Ident[0], element})
		}
		return r.walk(element, n.List)
	}
	switch {
	case !isTrue(list):
		if n.ElseList != nil {
			return r.walk(dot, n.ElseList)
		}
		return nil
	case list.Kind() == reflect.Slice:
		for i := range list.Len() {
			if err := one(reflect.ValueOf(i), list.Index(i)); err != nil {
				return err
			}
		}
		return nil
	case list.Kind() == reflect.Map && list.Type().Key().Kind() == reflect.String:
		for _, key := range slices.SortedFunc(list.Seq(), func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) }) {
			if err := one(key, list.MapIndex(key)); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("{{range %s}} is over a %s", n.Pipe, list.Type())
}

// pipe evaluates what may not declare a variable, which range alone does.
func (r *run) pipe(dot reflect.Value, pipe *parse.PipeNode) (reflect.Value, error) {
	if pipe == nil || len(pipe.Decl) > 0 {
		return reflect.Value{}, fmt.Errorf("{{%v}} has no value", pipe)
	}
	return r.evaluate(dot, pipe)
}

func (r *run) evaluate(dot reflect.Value, pipe *parse.PipeNode) (reflect.Value, error) {
	if len(pipe.Cmds) != 1 {
		return reflect.Value{}, fmt.Errorf("{{%s}} is not one command", pipe)
	}
	words := pipe.Cmds[0].Args
	name, calls := words[0].(*parse.IdentifierNode)
	if !calls {
		if len(words) > 1 {
			return reflect.Value{}, fmt.Errorf("%s is not a function", words[0])
		}
		return r.value(dot, words[0])
	}
	f := r.functions[name.Ident]
	if len(words)-1 != f.Type().NumIn() {
		return reflect.Value{}, fmt.Errorf("%s takes %d values", name.Ident, f.Type().NumIn())
	}
	given := make([]reflect.Value, len(words)-1)
	for i, word := range words[1:] {
		value, err := r.value(dot, word)
		if err != nil {
			return reflect.Value{}, err
		}
		if given[i], err = fitting(value, f.Type().In(i)); err != nil {
			return reflect.Value{}, fmt.Errorf("%s: %w", name.Ident, err)
		}
	}
	return f.Call(given)[0], nil
}

// fitting returns a value as a function takes it.
func fitting(value reflect.Value, want reflect.Type) (reflect.Value, error) {
	if want == reflect.TypeFor[reflect.Value]() {
		return reflect.ValueOf(value), nil
	}
	if value.IsValid() && value.Kind() == reflect.Interface {
		value = value.Elem()
	}
	switch {
	case !value.IsValid():
		return reflect.Zero(want), nil
	case value.Type().AssignableTo(want):
		return value, nil
	case value.Kind() == reflect.Pointer && value.Type().Elem() == want && !value.IsNil():
		return value.Elem(), nil
	case value.CanAddr() && reflect.PointerTo(value.Type()) == want:
		return value.Addr(), nil
	case value.Kind() == want.Kind() && value.Kind() == reflect.String:
		return value.Convert(want), nil
	}
	return value, fmt.Errorf("a %s where a %s is wanted", value.Type(), want)
}

func (r *run) value(dot reflect.Value, node parse.Node) (reflect.Value, error) {
	switch n := node.(type) {
	case *parse.DotNode:
		return dot, nil
	case *parse.FieldNode:
		return fields(dot, n.Ident)
	case *parse.VariableNode:
		for i := len(r.variables) - 1; i >= 0; i-- {
			if r.variables[i].name == n.Ident[0] {
				return fields(r.variables[i].value, n.Ident[1:])
			}
		}
	case *parse.StringNode:
		return reflect.ValueOf(n.Text), nil
	case *parse.PipeNode:
		return r.pipe(dot, n)
	}
	return reflect.Value{}, fmt.Errorf("%s is not known here", node)
}

// fields follows names of fields and of keys.
func fields(value reflect.Value, names []string) (reflect.Value, error) {
	for _, name := range names {
		of := indirect(value)
		switch of.Kind() {
		case reflect.Struct:
			value = of.FieldByName(name)
		case reflect.Map:
			value = of.MapIndex(reflect.ValueOf(name))
		default:
			value = reflect.Value{}
		}
		if !value.IsValid() {
			return value, errors.New("there is no field ." + name)
		}
	}
	return value, nil
}

// indirect follows pointers and interfaces; the result is not valid where one is nil.
func indirect(value reflect.Value) reflect.Value {
	for value.Kind() == reflect.Pointer || value.Kind() == reflect.Interface {
		value = value.Elem()
	}
	return value
}

// isTrue reports whether a value is there and is not zero or empty.
func isTrue(value reflect.Value) bool {
	value = indirect(value)
	switch value.Kind() {
	case reflect.Invalid:
		return false
	case reflect.Slice, reflect.Map, reflect.String:
		return value.Len() > 0
	case reflect.Struct:
		return true
	}
	return !value.IsZero()
}
