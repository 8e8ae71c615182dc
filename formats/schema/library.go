package schema

import (
	"fmt"
	"io/fs"
	"path"
	"sync"

	"einvoice/model/source"
)

// A Library is a folder of schemas. Each is read when it is first requested. A
// Library is safe for concurrent use.
type Library struct {
	fsys fs.FS
	dir  string

	mu      sync.Mutex
	schemas map[string]*Schema
}

// NewLibrary makes the library of the schemas in a folder of fsys.
func NewLibrary(fsys fs.FS, dir string) *Library {
	return &Library{fsys: fsys, dir: dir, schemas: map[string]*Schema{}}
}

// Schema returns the schema with a name such as "ubl-2.1-invoice".
func (l *Library) Schema(name string) (*Schema, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.schema(name)
}

func (l *Library) schema(name string) (*Schema, error) {
	if s, ok := l.schemas[name]; ok {
		if s == nil {
			return nil, fmt.Errorf("schema %s includes itself", name)
		}
		return s, nil
	}
	l.schemas[name] = nil // while it is being read
	defer func() {
		if l.schemas[name] == nil { // reading failed; a later call may succeed
			delete(l.schemas, name)
		}
	}()
	data, err := fs.ReadFile(l.fsys, path.Join(l.dir, name+".txt"))
	if err != nil {
		return nil, err
	}
	s, err := load(name, string(data), l.schema)
	if err != nil {
		return nil, err
	}
	l.schemas[name] = s
	return s, nil
}

// A Schema holds the facts of one published schema. It is immutable.
type Schema struct {
	name string
	// included is the schema with further types and elements; nil if there is none.
	included *Schema
	// globals are the global elements, by name.
	globals []*elementDecl
	// types are the types of this file by name, with its prefixes. prefixes maps its
	// namespaces to these prefixes.
	types    map[string]*xsdType
	prefixes map[string]string
}

// Name is the name that the schema was requested by.
func (s *Schema) Name() string { return s.name }

// Declares reports whether the schema has a global element with this name, which can
// then be the root element of a document.
func (s *Schema) Declares(root source.QName) bool {
	name, ok := source.Lookup(root)
	return ok && s.globalElement(name) != nil
}

// globalElement finds a global element by name; nil if there is none.
func (s *Schema) globalElement(name source.Name) *elementDecl {
	for ; s != nil; s = s.included {
		if int(name) < len(s.globals) && s.globals[name] != nil {
			return s.globals[name]
		}
	}
	return nil
}

// typeNamed finds a type by name; nil if there is none.
func (s *Schema) typeNamed(q source.QName) *xsdType {
	if q.URI == xsURI {
		return builtins[q.Local]
	}
	for ; s != nil; s = s.included {
		if prefix, ok := s.prefixes[q.URI]; ok {
			if t := s.types[prefix+":"+q.Local]; t != nil {
				return t
			}
		}
	}
	return nil
}

// An elementDecl is an element declaration. What checking asks of every element is here, so
// that it need not be fetched from the type and the definition of each.
type elementDecl struct {
	typ      *xsdType
	text     *simpleType   // as in definition
	content  *contentModel // as in definition
	name     source.Name
	required bool // an attribute is
	mixed    bool
	abstract bool
}

// ofType is a declaration with what its type says.
func ofType(name source.Name, t *xsdType) elementDecl {
	return elementDecl{typ: t, text: t.text, content: t.content, name: name, required: t.required > 0, mixed: t.mixed, abstract: t.abstract}
}

// An xsdType is a type, simple or complex.
type xsdType struct {
	// The definition is that of the base if the type has the same content.
	*definition
	abstract bool
	name     string // with the prefix of its file
	base     *xsdType
}

// derives reports whether a type is another one or is derived from it.
func (t *xsdType) derives(from *xsdType) bool {
	for ; t != nil; t = t.base {
		if t == from {
			return true
		}
	}
	return false
}

// A definition says what an element of a type contains.
type definition struct {
	text     *simpleType     // the type of its text; nil if child elements are allowed
	content  *contentModel   // its child elements; nil if none are allowed
	required int             // how many of the attributes are required
	mixed    bool            // text is allowed between child elements
	anyAttr  processContents // the wildcard for further attributes
	attrs    []attributeUse
	textType *xsdType // the type of text by name, while a file is being read
}

// An attributeUse is an attribute that a type allows.
type attributeUse struct {
	name     source.Name
	typ      *xsdType
	required bool
	fixed    *string // the only value that is allowed; nil if there is none
}

// processContents says how an element or attribute that a wildcard allows is
// checked.
type processContents uint8

const (
	noWildcard processContents = iota
	strict                     // it must be declared
	lax                        // it is checked if it is declared
)
