package xpath

import (
	"fmt"
	"slices"
	"strings"

	"einvoice/model/nearest"
	"einvoice/model/numeral"
)

// An Element is one that documents can have, by their schemas.
type Element struct {
	Name       string // with the conventional prefix
	Children   []*Element
	Attributes []string
	Any        bool // other elements can be in it as well
	Exponent   bool // its text can be a number with an exponent, as that of a code can
}

// Places are elements that a path may be at; nil where that is not known.
type Places map[*Element]bool

// A Structure is what documents can have, from their root elements on.
type Structure struct {
	document *Element // has the root elements in it
	all      []*Element
	named    map[string]Places // all by their names
	prefixes map[string]bool   // of names of elements
	parents  map[*Element][]*Element
	nowhere  func(at Places, step *Step) error // says so of any step; nil for what documents have
}

// NewStructure makes the structure of documents with these root elements.
func NewStructure(roots []*Element) *Structure {
	s := &Structure{document: &Element{Children: roots}, named: map[string]Places{}, parents: map[*Element][]*Element{}, prefixes: map[string]bool{}}
	seen := map[*Element]bool{s.document: true}
	for todo := []*Element{s.document}; len(todo) > 0; {
		e := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		s.all = append(s.all, e)
		if prefix, _, prefixed := strings.Cut(e.Name, ":"); prefixed {
			s.prefixes[prefix] = true
		}
		for _, child := range e.Children {
			s.parents[child] = append(s.parents[child], e)
			if !seen[child] {
				seen[child] = true
				todo = append(todo, child)
				if s.named[child.Name] == nil {
					s.named[child.Name] = Places{}
				}
				s.named[child.Name][child] = true
			}
		}
	}
	return s
}

// Follow finds the elements that location paths may lead to from places. The error names
// a step that leads nowhere in any document, with what may be meant.
func (s *Structure) Follow(from Places, paths []LocationPath) (Places, error) {
	to := Places{}
	for i := range paths {
		reached, err := s.follow(from, &paths[i])
		if err != nil {
			return nil, err
		}
		if reached == nil {
			to = nil
		}
		for e := range reached {
			if to != nil {
				to[e] = true
			}
		}
	}
	return to, nil
}

func (s *Structure) follow(from Places, path *LocationPath) (Places, error) {
	at := from
	if path.Absolute {
		at = Places{s.document: true}
	}
	for i := range path.Steps {
		if at == nil {
			return nil, nil
		}
		step := &path.Steps[i]
		if step.Axis == Attribute {
			return Places{}, s.attribute(at, step)
		}
		next, err := s.step(at, step)
		if err != nil || next == nil {
			return nil, err
		}
		for p := range step.Predicates {
			if err := s.predicate(next, &step.Predicates[p]); err != nil {
				return nil, err
			}
		}
		at = next
	}
	return at, nil
}

// step is where one step leads; nil where the schema does not say.
func (s *Structure) step(at Places, step *Step) (Places, error) {
	var candidates []*Element
	switch step.Axis {
	case Ancestor, FollowingSibling, PrecedingSibling:
		return nil, nil // the schema does not say which
	case Parent:
		for e := range at {
			candidates = append(candidates, s.parents[e]...)
		}
	case Self:
		for e := range at {
			candidates = append(candidates, e)
		}
	default:
		if anywhere := s.named[step.Name]; step.Descendant && at[s.document] && len(anywhere) > 0 {
			return anywhere, nil // what most rules begin with
		}
		inside := at
		if step.Descendant {
			inside = below(at)
		}
		for e := range inside {
			if e.Any && !step.Descendant { // such as an extension, which // is not meant for
				return nil, nil
			}
			candidates = append(candidates, e.Children...)
		}
	}
	next := Places{}
	for _, e := range candidates {
		if named(e.Name, step.Name) {
			next[e] = true
		}
	}
	switch {
	case len(next) > 0:
	case s.foreign(step.Name):
		return nil, nil
	case s.nowhere != nil:
		return nil, s.nowhere(at, step)
	case !strings.HasSuffix(step.Name, "()"):
		return nil, s.notThere(at, candidates, step)
	}
	return next, nil
}

// foreign reports whether a name is in a namespace of which the schemas have nothing, such as
// that of an extension.
func (s *Structure) foreign(name string) bool {
	prefix, _, prefixed := strings.Cut(name, ":")
	return prefixed && !s.prefixes[prefix]
}

// below are places and everything inside.
func below(at Places) Places {
	all := Places{}
	var todo []*Element
	for e := range at {
		todo = append(todo, e)
	}
	for len(todo) > 0 {
		e := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !all[e] {
			all[e] = true
			todo = append(todo, e.Children...)
		}
	}
	return all
}

// named compares a name with a node test.
func named(name, test string) bool {
	prefix, any := strings.CutSuffix(test, "*")
	return name == test || any && strings.HasPrefix(name, prefix) || strings.HasSuffix(test, "()")
}

func (s *Structure) notThere(at Places, candidates []*Element, step *Step) error {
	var names []string
	for _, e := range candidates {
		names = append(names, e.Name)
	}
	slices.Sort(names)
	message := fmt.Sprintf("there is no %s in %s", step.Name, s.describe(at))
	if step.Axis == Parent {
		message = fmt.Sprintf("%s is not in a %s", s.describe(at), step.Name)
	}
	if near := nearest.Of(step.Name, names); near != "" {
		message += "; did you mean " + near + "?"
	}
	return &Error{Column: step.Column, Message: message}
}

// describe names places.
func (s *Structure) describe(at Places) string {
	var names []string
	for e := range at {
		if e == s.document {
			return "documents"
		}
		if !slices.Contains(names, e.Name) {
			names = append(names, e.Name)
		}
	}
	slices.Sort(names)
	const most = 3
	if len(names) > most {
		return strings.Join(names[:most], ", ") + " and " + numeral.Count(len(names)-most, "other element")
	}
	return strings.Join(names, ", ")
}

func (s *Structure) attribute(at Places, step *Step) error {
	var names []string
	for e := range at {
		if e.Any || e == s.document {
			return nil
		}
		names = append(names, e.Attributes...)
	}
	if step.Name == "*" || slices.Contains(names, step.Name) {
		return nil
	}
	slices.Sort(names)
	message := fmt.Sprintf("%s has no attribute %s", s.describe(at), step.Name)
	if near := nearest.Of(step.Name, names); near != "" {
		message += "; did you mean " + near + "?"
	}
	return &Error{Column: step.Column, Message: message}
}

// predicate follows the paths in a condition.
func (s *Structure) predicate(at Places, x *Expr) error {
	if x.Op == Path {
		_, err := s.follow(at, &x.Path)
		return err
	}
	for i := range x.Args {
		if err := s.predicate(at, &x.Args[i]); err != nil {
			return err
		}
	}
	return nil
}
