package schema

import "slices"

// An Element is an element that a schema declares: what it is called, and what can be in
// it. Elements are comparable: two are the same if they are of the same declaration.
type Element struct {
	schema *Schema
	decl   *elementDecl
}

// Roots are the elements that documents can begin with.
func (s *Schema) Roots() (roots []Element) {
	for _, decl := range s.globals {
		if decl != nil {
			roots = append(roots, Element{s, decl})
		}
	}
	return roots
}

// Name is the qualified name, with the conventional prefix.
func (e Element) Name() string { return e.decl.name.String() }

// Children are the elements that can be in it, each once. any tells that others can be as
// well.
func (e Element) Children() (children []Element, any bool) {
	if e.decl.typ == nil || e.decl.typ.definition == nil || e.decl.typ.content == nil {
		return nil, e.decl.typ == nil
	}
	m := e.decl.typ.content
	for i := range m.names {
		decl := m.element(i)
		if decl == nil {
			any = any || m.wildcards[i] != nil
			continue
		}
		if child := (Element{e.schema, decl}); !slices.Contains(children, child) {
			children = append(children, child)
		}
	}
	return children, any
}

// RequiredAttributes are the names of those that it has to have.
func (e Element) RequiredAttributes() (names []string) {
	if e == (Element{}) || e.decl.typ == nil || e.decl.typ.definition == nil {
		return nil
	}
	for i := range e.decl.typ.attrs {
		if e.decl.typ.attrs[i].required {
			names = append(names, e.decl.typ.attrs[i].name.String())
		}
	}
	return names
}

// Attributes are the names of the attributes that it can have.
func (e Element) Attributes() (names []string) {
	if e.decl.typ == nil || e.decl.typ.definition == nil {
		return nil
	}
	for i := range e.decl.typ.attrs {
		names = append(names, e.decl.typ.attrs[i].name.String())
	}
	return names
}

// Allows reports whether its text can be this one.
func (e Element) Allows(text string) bool {
	if e.decl.typ == nil || e.decl.typ.definition == nil {
		return true
	}
	return e.decl.typ.text != nil && e.decl.typ.text.accepts(text)
}
