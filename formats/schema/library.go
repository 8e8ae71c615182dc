package schema

import (
	"fmt"
	"io/fs"
	"path"
	"sync"

	"einvoice/model/source"
)

// A Library is a folder of schemas. Each is read when it is first asked for.
// A Library may be used by several goroutines at once.
type Library struct {
	fsys fs.FS
	dir  string

	mu      sync.Mutex
	schemas map[string]*Schema
}

// NewLibrary is the library of the schemas in a folder of fsys.
func NewLibrary(fsys fs.FS, dir string) *Library {
	return &Library{fsys: fsys, dir: dir, schemas: map[string]*Schema{}}
}

// Schema gives the schema of a name, such as "ubl-2.1-invoice".
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
	l.schemas[name] = nil
	defer func() {
		if l.schemas[name] == nil { // a later call may find the mistake corrected
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

// A Schema is what one published schema says. It is never changed.
type Schema struct {
	name string
	// included has further types and elements; nil if there is none.
	included *Schema
	// globals are the global elements, by name.
	globals []*element
	// types are the types of this file as it spells them, prefixes what its
	// namespaces are spelled with.
	types    map[string]*typ
	prefixes map[string]string
}

// Name is the name that the schema was asked for by.
func (s *Schema) Name() string { return s.name }

// Declares reports whether the schema knows an element of this name as root.
func (s *Schema) Declares(root source.QName) bool {
	name, ok := source.Lookup(root)
	return ok && s.global(name) != nil
}

// global finds a global element.
func (s *Schema) global(name source.Name) *element {
	for ; s != nil; s = s.included {
		if int(name) < len(s.globals) && s.globals[name] != nil {
			return s.globals[name]
		}
	}
	return nil
}

// typeNamed finds a type, as xsi:type names it.
func (s *Schema) typeNamed(q source.QName) *typ {
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

// An element is a declaration of an element.
type element struct {
	name source.Name
	typ  *typ
}

// A typ is a type, simple or complex.
type typ struct {
	name     string // with the prefix of its file
	base     *typ
	abstract bool
	*facts   // of another type, where it says the same
}

// derives reports whether a type is another or derived from it.
func (t *typ) derives(from *typ) bool {
	for ; t != nil; t = t.base {
		if t == from {
			return true
		}
	}
	return false
}

// facts are what a type says of an element.
type facts struct {
	text     *simple // the type of its text; nil where it may hold elements
	textType *typ    // the same, while a file is being read
	model    *model  // its child elements; nil where there may be none
	mixed    bool    // text may stand between them
	attrs    []attribute
	required int     // how many of them are
	anyAttr  process // further attributes
}

type attribute struct {
	name     source.Name
	typ      *typ
	required bool
	fixed    *string // the only value it may have
}

// A process says what becomes of an element or attribute that a wildcard
// allows.
type process uint8

const (
	none   process = iota // there is no wildcard
	strict                // it must be declared
	lax                   // it is checked if it is declared
)
