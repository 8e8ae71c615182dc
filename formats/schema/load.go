package schema

import (
	"fmt"
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

// A loader reads one file. The names in it are numbered in the order in which they
// occur, and interned together at the end.
type loader struct {
	lineReader
	text   string
	schema *Schema
	uris   map[string]string // namespaces by prefix
	err    error

	numbers     map[string]source.Name // of names, by spelling
	names       []source.QName         // by number; 0 is unused
	globals     map[string]*elementDecl
	elements    []*elementDecl // all that are declared here
	types       []*xsdType     // all that are defined here
	definitions []*definition  // of these types
	pending     []pendingContent
}

// A pendingContent is a content model that is made after the names are interned.
type pendingContent struct {
	typ        *xsdType
	definition *definition
	particles  []particle
}

// load reads the text of a file; include reads another file by name.
func load(name, text string, include func(string) (*Schema, error)) (*Schema, error) {
	l := &loader{
		lineReader: lineReader{rest: text},
		text:       text,
		schema:     &Schema{name: name, types: make(map[string]*xsdType, strings.Count(text, "\ntype ")), prefixes: map[string]string{}},
		uris:       map[string]string{},
		numbers:    map[string]source.Name{},
		names:      make([]source.QName, 1),
		globals:    make(map[string]*elementDecl, strings.Count(text, "\nelement ")),
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

// fail records the first mistake.
func (l *loader) fail(format string, args ...any) {
	if l.err == nil {
		l.err = &LoadError{File: l.schema.name + ".txt", Line: l.number, Message: fmt.Sprintf(format, args...)}
	}
}

// readElement reads "element NAME TYPE".
func (l *loader) readElement(rest string) {
	name, typ, _ := strings.Cut(rest, " ")
	e := l.globalElement(name)
	if e.typ != nil {
		l.fail("element %s is declared twice", name)
	}
	e.typ = l.typeNamed(typ)
	l.advance()
}

// readType reads "type NAME < BASE abstract" and the lines that belong to it.
func (l *loader) readType(rest string) {
	name, rest, _ := strings.Cut(rest, " ")
	t := l.typeNamed(name)
	if t.base != nil {
		l.fail("type %s is defined twice", name)
		return
	}
	t.base = anyType
	if base, ok := strings.CutPrefix(rest, "< "); ok {
		base, rest, _ = strings.Cut(base, " ")
		t.base = l.typeNamed(base)
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
		l.readDefinition(t)
	} else if t.base == anyType {
		l.fail("type %s says nothing", name)
	}
}
