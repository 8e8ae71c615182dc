package schema

import (
	"slices"
	"strings"

	"einvoice/model/source"
)

// nameNumber is the number of a name in this file.
func (l *loader) nameNumber(spelled string) source.Name {
	n, ok := l.numbers[spelled]
	if !ok {
		n = source.Name(len(l.names))
		l.numbers[spelled] = n
		l.names = append(l.names, l.qname(spelled))
	}
	return n
}

func (l *loader) qname(spelled string) source.QName {
	prefix, local, ok := strings.Cut(spelled, ":")
	if !ok {
		return source.QName{Local: spelled}
	}
	uri, ok := l.uris[prefix]
	if !ok {
		l.fail("prefix %q is not declared", prefix)
	}
	return source.QName{URI: uri, Local: local}
}

// globalElement is the global element with a name. It may be declared later in the
// file.
func (l *loader) globalElement(spelled string) *elementDecl {
	if e, ok := l.globals[spelled]; ok {
		return e
	}
	if l.schema.included != nil {
		if name, ok := source.Lookup(l.qname(spelled)); ok {
			if e := l.schema.included.globalElement(name); e != nil {
				return e
			}
		}
	}
	e := &elementDecl{name: l.nameNumber(spelled)}
	l.elements = append(l.elements, e)
	l.globals[spelled] = e
	return e
}

// typeNamed is the type with a name. It may be defined later in the file.
func (l *loader) typeNamed(spelled string) *xsdType {
	if t, ok := l.schema.types[spelled]; ok {
		return t
	}
	q := l.qname(spelled)
	t := l.schema.included.typeNamed(q)
	if t == nil {
		if q.URI == xsURI {
			l.fail("XML Schema has no type %s", q.Local)
		}
		t = &xsdType{name: spelled}
		l.schema.types[spelled] = t
	}
	return t
}

// finish interns the names, and completes what depends on them or on lines that come
// later in the file.
func (l *loader) finish() {
	for _, step := range []func(){l.internNames, l.checkTypes, l.completeTypes, l.makeContentModels, l.completeElements} {
		if l.err == nil {
			step()
		}
	}
}

func (l *loader) internNames() {
	interned := append([]source.Name{source.NoName}, source.Intern(l.names[1:]...)...)
	for _, e := range l.elements {
		e.name = interned[e.name]
	}
	for _, d := range l.definitions {
		for i := range d.attrs {
			d.attrs[i].name = interned[d.attrs[i].name]
		}
	}
	l.schema.globals = make([]*elementDecl, slices.Max(interned)+1)
	for spelled, e := range l.globals {
		if e.typ == nil {
			l.failAt(spelled, "element %s is used but not declared", spelled)
			return
		}
		l.schema.globals[e.name] = e
	}
}

func (l *loader) checkTypes() {
	for spelled, t := range l.schema.types {
		if t.base == nil {
			l.failAt(spelled, "type %s is used but not defined", spelled)
			return
		}
	}
}

func (l *loader) completeTypes() {
	for _, t := range l.types {
		if l.complete(t, 0); l.err != nil {
			return
		}
	}
	for _, d := range l.definitions {
		for _, a := range d.attrs {
			l.mustBeSimple(a.typ)
		}
		if d.textType != nil {
			l.mustBeSimple(d.textType)
		}
	}
}

// complete adds to a type what its base, or the type of its text, says.
func (l *loader) complete(t *xsdType, depth int) {
	const maxDepth = 100 // of derivation
	d := t.definition
	switch {
	case depth > maxDepth:
		l.failAt(t.name, "type %s is derived from itself", t.name)
	case d == nil:
		l.complete(t.base, depth+1)
		t.definition = t.base.definition
	case d.textType != nil && d.text == nil:
		l.complete(d.textType, depth+1)
		if d.textType.definition != nil {
			d.text = d.textType.text
		}
	case d.text != nil && d.text.builtin == nil:
		l.complete(t.base, depth+1)
		if base := t.base.definition; base != nil && base.text != nil {
			d.text.builtin = base.text.builtin
		} else {
			l.failAt(t.name, "type %s has facets, but its base is not simple", t.name)
		}
	}
}

func (l *loader) mustBeSimple(t *xsdType) {
	if t.definition == nil || t.text == nil {
		l.failAt(t.name, "type %s is not simple", t.name)
	}
}

func (l *loader) makeContentModels() {
	for _, c := range l.pending {
		if size(c.particles) > maxPositions {
			l.failAt(c.typ.name, "type %s holds more than %d elements", c.typ.name, maxPositions)
			return
		}
		c.definition.content = newContentModel(c.particles)
	}
}

// completeElements adds to each element what its type says.
func (l *loader) completeElements() {
	for _, e := range l.elements {
		*e = ofType(e.name, e.typ)
	}
}

// failAt records a mistake that is found at the end, at the first line that mentions
// a name.
func (l *loader) failAt(name, format string, args ...any) {
	if i := strings.Index(l.text, " "+name); i >= 0 {
		l.number = strings.Count(l.text[:i], "\n") + 1
	}
	l.fail(format, args...)
}
