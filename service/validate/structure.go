package validate

import (
	"errors"
	"strings"
	"sync"

	"einvoice/engine"
	"einvoice/engine/lint"
	"einvoice/engine/shipped"
	"einvoice/engine/xpath"
	"einvoice/formats"
	"einvoice/formats/binding"
	"einvoice/formats/schema"
	"einvoice/model/syntax"
)

// CheckLibrary returns all mistakes of a library, as lint.Check does, and those of paths in
// its rules that no schema of a syntax or profile has. The error is an engine.LoadErrors where
// files are wrong. With strict, each rule must also have an example that fires and one that
// passes, and codes that no list has are mistakes too.
func CheckLibrary(l *engine.Library, strict bool) error {
	if l == nil {
		return errNoLibrary
	}
	go structure() // takes time, and does not depend on the library
	if err := lint.Check(l, strict); err != nil {
		return err
	}
	if err := checkExcepted(l).ErrOrNil(); err != nil {
		return err
	}
	if err := lint.CheckElements(l, structure); err != nil || !strict {
		return err
	}
	failures, err := lint.CheckCodes(l, places)
	if err != nil {
		return err
	}
	return failures.ErrOrNil()
}

var errNoLibrary = errors.New("there is no library to check; open one with engine.Open")

// Warnings are lint.Warnings, and codes that no list has.
func Warnings(l *engine.Library) (engine.LoadErrors, error) {
	if l == nil {
		return nil, errNoLibrary
	}
	warnings, err := lint.Warnings(l)
	if err != nil {
		return nil, err
	}
	codes, err := lint.CheckCodes(l, places)
	return append(warnings, codes...), err
}

// places are where documents of all syntaxes have terms.
var places = sync.OnceValue(func() (all []lint.Place) {
	for _, f := range formats.All {
		for _, s := range syntax.Current() {
			for i := range s.Roots {
				if s.ID == string(f.Syntax) {
					for _, t := range f.Terms() {
						all = append(all, placeOf(t, s.Roots[i].Element))
					}
				}
			}
		}
	}
	return all
})

// placeOf are the paths of a term below a root element.
func placeOf(t binding.Term, root string) lint.Place {
	p := lint.Place{Field: t.Field}
	for _, path := range t.XML {
		path = binding.WithoutPredicates(path)
		switch {
		case !strings.HasPrefix(path, "/"):
			p.XML = append(p.XML, "/"+root+"/"+path)
		case strings.HasPrefix(path, "/"+root+"/"):
			p.XML = append(p.XML, path)
		}
	}
	return p
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
	library, err := shipped.Library()
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
	out := &xpath.Element{Name: e.Name(), Attributes: e.Attributes(), Exponent: e.Allows("1E0")}
	made[e] = out
	children, any := e.Children()
	out.Any = any
	for _, child := range children {
		out.Children = append(out.Children, elementOf(child, made))
	}
	return out
}
