package schema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"einvoice/model/source"
)

// A LoadError says where a file of schema data is wrong.
type LoadError struct {
	File    string
	Line    int
	Message string
}

func (e *LoadError) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message) }

// A loader reads one file. Names are numbered as they occur, and interned all
// at once at the end.
type loader struct {
	lines
	text   string
	schema *Schema
	uris   map[string]string // namespaces by prefix
	err    error

	numbers  map[string]source.Name // of names, by spelling, while the file is read
	names    []source.QName         // by number; 0 is unused
	globals  map[string]*element    // by spelling
	elements []*element             // all that are declared here
	types    []*typ                 // all that are defined here
	facts    []*facts               // likewise
	models   []content
}

// A content is what becomes a model when names are interned.
type content struct {
	typ   *typ
	facts *facts
	parts []particle
}

// load reads a file; include reads another.
func load(name, text string, include func(string) (*Schema, error)) (*Schema, error) {
	l := &loader{
		lines:   lines{rest: text},
		text:    text,
		schema:  &Schema{name: name, types: make(map[string]*typ, strings.Count(text, "\ntype ")), prefixes: map[string]string{}},
		uris:    map[string]string{},
		numbers: map[string]source.Name{},
		names:   make([]source.QName, 1),
		globals: make(map[string]*element, strings.Count(text, "\nelement ")),
	}
	l.advance()
	for l.err == nil && l.line != "" {
		keyword, rest, _ := strings.Cut(l.line, " ")
		switch {
		case l.depth > 0:
			l.fail("a line that belongs to no type")
		case keyword == "include":
			l.schema.included, l.err = include(rest)
			l.advance()
		case keyword == "prefix":
			prefix, uri, _ := strings.Cut(rest, " ")
			l.uris[prefix] = uri
			l.schema.prefixes[uri] = prefix
			l.advance()
		case keyword == "element":
			l.readElement(rest)
		case keyword == "type":
			l.readType(rest)
		default:
			l.fail("%q is not understood; a line begins with include, prefix, element or type", keyword)
		}
	}
	l.finish()
	if l.err != nil {
		return nil, l.err
	}
	return l.schema, nil
}

func (l *loader) fail(format string, args ...any) {
	if l.err == nil {
		l.err = &LoadError{File: l.schema.name + ".txt", Line: l.number, Message: fmt.Sprintf(format, args...)}
	}
}

// readElement reads "element NAME TYPE".
func (l *loader) readElement(rest string) {
	name, typ, _ := strings.Cut(rest, " ")
	e := l.global(name)
	if e.typ != nil {
		l.fail("element %s is declared twice", name)
	}
	e.typ = l.typ(typ)
	l.advance()
}

// readType reads "type NAME < BASE abstract" and the lines that belong to it.
func (l *loader) readType(rest string) {
	name, rest, _ := strings.Cut(rest, " ")
	t := l.typ(name)
	if t.base != nil {
		l.fail("type %s is defined twice", name)
		return
	}
	t.base = anyType
	if base, ok := strings.CutPrefix(rest, "< "); ok {
		base, rest, _ = strings.Cut(base, " ")
		t.base = l.typ(base)
	}
	switch rest {
	case "":
	case "abstract":
		t.abstract = true
	default:
		l.fail("%q is not understood behind a type", rest)
	}
	l.types = append(l.types, t)
	l.advance()
	if l.depth > 0 {
		l.readFacts(t)
	} else if t.base == anyType {
		l.fail("type %s says nothing", name)
	}
}

// readFacts reads the lines of a type.
func (l *loader) readFacts(t *typ) {
	f := &facts{}
	t.facts = f
	l.facts = append(l.facts, f)
	var parts []particle
	for l.depth > 0 && l.err == nil {
		first, rest, _ := strings.Cut(l.line, " ")
		name, isAttribute := strings.CutPrefix(rest, "@")
		switch {
		case first == "text":
			f.textType = l.typ(rest)
		case first == "empty":
		case first == "mixed":
			f.mixed = true
		case first == "length":
			l.readLength(f.facets(), rest)
		case first == "value":
			s := f.facets()
			s.values = append(s.values, rest)
		case isAttribute:
			l.readAttribute(f, first, name)
		default:
			parts = append(parts, l.readParticle(1))
			continue
		}
		l.advance()
	}
	if len(parts) > 0 {
		l.models = append(l.models, content{t, f, parts})
	}
}

// facets are what a simple type adds to its base.
func (f *facts) facets() *simple {
	if f.text == nil {
		f.text = &simple{}
	}
	return f.text
}

func (l *loader) readLength(s *simple, rest string) {
	low, high, ok := strings.Cut(rest, "..")
	var err1, err2 error
	s.minLength, err1 = strconv.Atoi(low)
	s.maxLength, err2 = strconv.Atoi(high)
	if !ok || err1 != nil || err2 != nil || s.maxLength < 1 {
		l.fail("%q is not understood; a length is 1..3", rest)
	}
}

// readAttribute reads "NAME TYPE = FIXED" or "any PROCESS", behind the "@".
func (l *loader) readAttribute(f *facts, times, rest string) {
	rest, fixed, hasFixed := strings.Cut(rest, " = ")
	name, typ, _ := strings.Cut(rest, " ")
	if name == "any" {
		f.anyAttr = l.process(typ)
		return
	}
	low, high := l.occurrence(times)
	if high != 1 {
		l.fail("an attribute occurs 1 or 0..1 times, not %s", times)
	}
	a := attribute{name: l.name(name), typ: l.typ(typ), required: low == 1}
	if hasFixed {
		a.fixed = &fixed
	}
	if a.required {
		f.required++
	}
	f.attrs = append(f.attrs, a)
}

// readParticle reads a line with what it has inside, which is one step deeper.
func (l *loader) readParticle(depth int) particle {
	times, rest, _ := strings.Cut(l.line, " ")
	var p particle
	p.min, p.max = l.occurrence(times)
	what, rest, _ := strings.Cut(rest, " ")
	switch {
	case l.depth != depth:
		l.fail("this line is indented too far")
	case what == "sequence" || what == "choice":
		if p.group = what[0]; p.max != 1 && p.max != unbounded || p.min > 1 {
			l.fail("a group can not occur %s times", times)
		}
		l.advance()
		for l.depth > depth && l.err == nil {
			p.parts = append(p.parts, l.readParticle(depth+1))
		}
		return p
	case what == "any":
		process, except, ok := strings.Cut(rest, " except ")
		p.wildcard = &wildcard{process: l.process(process)}
		if ok {
			p.wildcard.except = l.uris[except]
		}
	case rest == "":
		p.element = l.global(what)
	default:
		p.element = &element{name: l.name(what), typ: l.typ(rest)}
		l.elements = append(l.elements, p.element)
	}
	l.advance()
	return p
}

// occurrence reads 1, 0..1, 0..n, 1..n, 0..2.
func (l *loader) occurrence(s string) (low, high int) {
	least, most, isRange := strings.Cut(s, "..")
	low = l.digit(least)
	switch {
	case !isRange:
		high = low
	case most == "n":
		return low, unbounded
	default:
		high = l.digit(most)
	}
	if high == 0 || high < low {
		l.fail("nothing can occur %s times", s)
	}
	return low, high
}

func (l *loader) digit(s string) int {
	if len(s) != 1 || s[0] < '0' || s[0] > '9' {
		l.fail("%q is not understood; a line of a type says how often it occurs: 1, 0..1, 0..n", l.line)
		return 0
	}
	return int(s[0] - '0')
}

func (l *loader) process(s string) process {
	switch s {
	case "strict":
		return strict
	case "lax":
		return lax
	}
	l.fail("%q is not understood; a wildcard is strict or lax", s)
	return none
}

// name gives the number of a name.
func (l *loader) name(spelled string) source.Name {
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

// global gives the global element of a name, which may be declared later.
func (l *loader) global(spelled string) *element {
	if e, ok := l.globals[spelled]; ok {
		return e
	}
	if l.schema.included != nil {
		if name, ok := source.Lookup(l.qname(spelled)); ok {
			if e := l.schema.included.global(name); e != nil {
				return e
			}
		}
	}
	e := &element{name: l.name(spelled)}
	l.elements = append(l.elements, e)
	l.globals[spelled] = e
	return e
}

// typ gives the type of a name, which may be defined later.
func (l *loader) typ(spelled string) *typ {
	if t, ok := l.schema.types[spelled]; ok {
		return t
	}
	q := l.qname(spelled)
	t := l.schema.included.typeNamed(q)
	if t == nil {
		if q.URI == xsURI {
			l.fail("XML Schema has no type %s", q.Local)
		}
		t = &typ{name: spelled}
		l.schema.types[spelled] = t
	}
	return t
}

// finish interns the names and completes what depends on them, or on what
// stands later in the file than its use.
func (l *loader) finish() {
	if l.err != nil {
		return
	}
	interned := append([]source.Name{source.NoName}, source.Intern(l.names[1:]...)...)
	for _, e := range l.elements {
		e.name = interned[e.name]
	}
	for _, f := range l.facts {
		for i := range f.attrs {
			f.attrs[i].name = interned[f.attrs[i].name]
		}
	}
	l.schema.globals = make([]*element, slices.Max(interned)+1)
	for spelled, e := range l.globals {
		if e.typ == nil {
			l.failAt(spelled, "element %s is used but not declared", spelled)
			return
		}
		l.schema.globals[e.name] = e
	}
	for spelled, t := range l.schema.types {
		if t.base == nil {
			l.failAt(spelled, "type %s is used but not defined", spelled)
			return
		}
	}
	for _, t := range l.types {
		if l.derive(t, 0); l.err != nil {
			return
		}
	}
	for _, f := range l.facts {
		for _, a := range f.attrs {
			l.mustBeSimple(a.typ)
		}
		if f.textType != nil {
			l.mustBeSimple(f.textType)
		}
	}
	for _, m := range l.models {
		if size(m.parts) > mostPositions {
			l.failAt(m.typ.name, "type %s holds more than %d elements", m.typ.name, mostPositions)
			return
		}
		m.facts.model = compile(m.parts)
	}
}

func (l *loader) mustBeSimple(t *typ) {
	if t.facts == nil || t.text == nil {
		l.failAt(t.name, "type %s is not simple", t.name)
	}
}

// derive completes a type by what its base says.
func (l *loader) derive(t *typ, depth int) {
	const most = 100
	f := t.facts
	switch {
	case depth > most:
		l.failAt(t.name, "type %s is derived from itself", t.name)
	case f == nil:
		l.derive(t.base, depth+1)
		t.facts = t.base.facts
	case f.textType != nil && f.text == nil:
		l.derive(f.textType, depth+1)
		if f.textType.facts != nil {
			f.text = f.textType.text
		}
	case f.text != nil && f.text.builtin == nil:
		l.derive(t.base, depth+1)
		if base := t.base.facts; base != nil && base.text != nil {
			f.text.builtin = base.text.builtin
		} else {
			l.failAt(t.name, "type %s has facets, but its base is not simple", t.name)
		}
	}
}

// failAt reports a mistake that was found at the end, at the first line that
// mentions a name.
func (l *loader) failAt(name, format string, args ...any) {
	if i := strings.Index(l.text, " "+name); i >= 0 {
		l.number = strings.Count(l.text[:i], "\n") + 1
	}
	l.fail(format, args...)
}
