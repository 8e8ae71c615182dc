package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"einvoice/formats/xmlparse"
	"einvoice/model/source"
)

const xs = "http://www.w3.org/2001/XMLSchema"

// A document is one schema document.
type document struct {
	path            string
	tree            *source.Tree
	targetNamespace string
}

// A schemaSet is a schema: the main document and all documents that it includes and
// imports.
type schemaSet struct {
	documents []*document // the main one first
	// The global declarations, by name.
	elements, types map[source.QName]declaration
}

// A declaration is an element of a schema document.
type declaration struct {
	in   *document
	node source.Node
}

func readSchema(main string) (*schemaSet, error) {
	s := &schemaSet{elements: map[source.QName]declaration{}, types: map[source.QName]declaration{}}
	queue := []string{main}
	for len(queue) > 0 {
		path := queue[0]
		queue = queue[1:]
		if slices.ContainsFunc(s.documents, func(d *document) bool { return d.path == path }) {
			continue
		}
		d, err := readDocument(path)
		if err != nil {
			return nil, err
		}
		s.documents = append(s.documents, d)
		for c := range d.tree.Children(d.tree.Root()) {
			at := declaration{d, c}
			switch kind := at.kind(); kind {
			case "import", "include":
				queue = append(queue, filepath.Join(filepath.Dir(path), at.attr("schemaLocation")))
			case "element":
				s.elements[d.name(at.attr("name"))] = at
			case "complexType", "simpleType":
				s.types[d.name(at.attr("name"))] = at
			case "annotation":
			default:
				return nil, at.unsupported()
			}
		}
	}
	return s, nil
}

func readDocument(path string) (*document, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	// One published schema has a document type declaration, which the parser refuses.
	// It declares nothing that is used.
	if start := bytes.Index(data, []byte("<!DOCTYPE")); start >= 0 {
		end := bytes.Index(data[start:], []byte("]>"))
		if end < 0 {
			return nil, fmt.Errorf("%s: a document type declaration that is not understood", path)
		}
		data = append(data[:start:start], data[start+end+len("]>"):]...)
	}
	tree, err := xmlparse.Parse(data, xmlparse.DefaultLimits())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	d := &document{path: path, tree: tree}
	root := declaration{d, tree.Root()}
	if root.kind() != "schema" {
		return nil, root.unsupported()
	}
	d.targetNamespace = root.attr("targetNamespace")
	if root.attr("elementFormDefault") != "qualified" || root.attr("attributeFormDefault") == "qualified" {
		return nil, fmt.Errorf("%s: only qualified local elements and unqualified attributes are supported", path)
	}
	return d, nil
}

// name is a name in the document's target namespace.
func (d *document) name(local string) source.QName {
	return source.QName{URI: d.targetNamespace, Local: local}
}

// kind is the local name of an element of XML Schema, empty for any other.
func (d declaration) kind() string {
	if q := d.in.tree.NameOf(d.in.tree.Name(d.node)); q.URI == xs {
		return q.Local
	}
	return ""
}

// attr is the value of an attribute; empty if there is none.
func (d declaration) attr(local string) string {
	for _, a := range d.in.tree.AttrsOf(d.node) {
		if d.in.tree.NameOf(a.Name) == (source.QName{Local: local}) {
			return a.Value
		}
	}
	return ""
}

// children are the child elements without annotations.
func (d declaration) children() []declaration {
	var out []declaration
	for c := range d.in.tree.Children(d.node) {
		if at := (declaration{d.in, c}); at.kind() != "annotation" {
			out = append(out, at)
		}
	}
	return out
}

// resolve reads a qualified name from an attribute.
func (d declaration) resolve(local string) (source.QName, error) {
	value := d.attr(local)
	prefix, name, ok := bytes.Cut([]byte(value), []byte(":"))
	if !ok {
		prefix, name = nil, []byte(value)
	}
	uri, bound := d.in.tree.NamespaceAt(d.node, string(prefix))
	if !bound {
		return source.QName{}, d.errorf("prefix of %q is not bound", value)
	}
	return source.QName{URI: uri, Local: string(name)}, nil
}

func (d declaration) unsupported() error {
	return d.errorf("%s is not supported here", d.in.tree.NameOf(d.in.tree.Name(d.node)))
}

func (d declaration) errorf(format string, args ...any) error {
	at := d.in.tree.Position(d.node.Ref())
	return fmt.Errorf("%s:%d:%d: %s", d.in.path, at.Line, at.Column, fmt.Sprintf(format, args...))
}
