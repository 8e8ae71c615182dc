package validate

import (
	"errors"
	"sync"

	"einvoice/engine"
	"einvoice/engine/lint"
	"einvoice/engine/xpath"
	"einvoice/formats/schema"
	"einvoice/model/syntax"
	"einvoice/rulesets"
)

// CheckLibrary returns all mistakes of a library, as lint.Check does, and those of paths in
// its rules that no schema of a syntax or profile has. The error is an engine.LoadErrors where
// files are wrong. With strict, each rule must also have an example that fires and one that
// passes.
func CheckLibrary(l *engine.Library, strict bool) error {
	if l == nil {
		return errors.New("there is no library to check; open one with engine.Open")
	}
	go structure() // takes time, and does not depend on the library
	if err := lint.Check(l, strict); err != nil {
		return err
	}
	return lint.CheckElements(l, structure)
}

// Structure returns the elements and attributes that documents of all syntaxes can have.
func Structure() (*xpath.Structure, error) { return structure() }

// structure is what documents of all syntaxes can have.
var structure = sync.OnceValues(func() (*xpath.Structure, error) {
	names := []string{}
	for _, s := range syntax.Current() {
		for _, root := range s.Roots {
			names = append(names, root.Schema)
		}
	}
	library, err := engine.Open(rulesets.FS)
	if err != nil {
		return nil, err
	}
	profiles, err := library.Profiles()
	if err != nil {
		return nil, err
	}
	for _, p := range profiles {
		if p.Extension != "" && p.Schema != "" { // it has elements that the syntax has not
			names = append(names, p.Schema)
		}
	}
	var roots []*xpath.Element
	made := map[schema.Element]*xpath.Element{}
	for _, name := range names {
		s, err := Schema(name)
		if err != nil {
			return nil, err
		}
		for _, root := range s.Roots() {
			roots = append(roots, elementOf(root, made))
		}
	}
	return xpath.NewStructure(roots), nil
})

// elementOf is an element of a schema with everything that can be in it.
func elementOf(e schema.Element, made map[schema.Element]*xpath.Element) *xpath.Element {
	if have := made[e]; have != nil {
		return have
	}
	out := &xpath.Element{Name: e.Name(), Attributes: e.Attributes()}
	made[e] = out
	children, any := e.Children()
	out.Any = any
	for _, child := range children {
		out.Children = append(out.Children, elementOf(child, made))
	}
	return out
}
