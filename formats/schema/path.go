package schema

import (
	"strings"

	"einvoice/model/source"
)

// Knows reports whether a document may hold what a path names: child elements
// from the root on, with conventional prefixes, at the end perhaps an attribute.
func (s *Schema) Knows(path string) bool {
	steps := strings.Split(path, "/")
	declared := s.global(known(steps[0]))
	for _, step := range steps[1:] {
		if declared == nil {
			return false
		}
		f := declared.typ.facts
		if name, ok := strings.CutPrefix(step, "@"); ok {
			return f.hasAttribute(known(name))
		}
		if declared = f.child(known(step)); declared == nil {
			return false
		}
	}
	return declared != nil
}

// known is the number of a name; NoName if no schema has it.
func known(name string) source.Name {
	q, err := source.ParseQName(name)
	if err != nil {
		return source.NoName
	}
	n, _ := source.Lookup(q)
	return n
}

func (f *facts) child(name source.Name) *element {
	if f.model == nil || name == source.NoName {
		return nil
	}
	for i, n := range f.model.names {
		if n == name {
			return f.model.elements[i]
		}
	}
	return nil
}

func (f *facts) hasAttribute(name source.Name) bool {
	for i := range f.attrs {
		if name != source.NoName && f.attrs[i].name == name {
			return true
		}
	}
	return false
}
