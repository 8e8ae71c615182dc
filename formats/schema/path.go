package schema

import (
	"strings"

	"einvoice/model/source"
)

// Knows reports whether the schema allows the element or attribute at a path: child
// elements from the root element on, with conventional prefixes, optionally with an
// attribute at the end.
func (s *Schema) Knows(path string) bool {
	steps := strings.Split(path, "/")
	declared := s.globalElement(internedName(steps[0]))
	for _, step := range steps[1:] {
		if declared == nil {
			return false
		}
		f := declared.typ.definition
		if name, ok := strings.CutPrefix(step, "@"); ok {
			return f.hasAttribute(internedName(name))
		}
		if declared = f.child(internedName(step)); declared == nil {
			return false
		}
	}
	return declared != nil
}

// internedName is the number of a name; NoName if it is not interned.
func internedName(name string) source.Name {
	q, err := source.ParseQName(name)
	if err != nil {
		return source.NoName
	}
	n, _ := source.Lookup(q)
	return n
}

func (f *definition) child(name source.Name) *elementDecl {
	if f.content == nil || name == source.NoName {
		return nil
	}
	for i, n := range f.content.names {
		if n == name {
			return f.content.element(i)
		}
	}
	return nil
}

func (f *definition) hasAttribute(name source.Name) bool {
	for i := range f.attrs {
		if name != source.NoName && f.attrs[i].name == name {
			return true
		}
	}
	return false
}
