package schema

import (
	"sync"

	"einvoice/model/source"
)

// Check compares a document with the schema and returns its faults in document
// order, at most as many as most. It continues after a fault. Checking a valid
// document allocates no memory.
func (s *Schema) Check(t *source.Tree, most int) []Fault {
	c := checkers.Get().(*checker)
	faults := c.check(s, t, most)
	c.reset()
	checkers.Put(c)
	return faults
}

// checkers keeps the working memory of finished checks.
var checkers = sync.Pool{New: func() any { return new(checker) }}

// A checker checks one document.
type checker struct {
	schema *Schema
	tree   *source.Tree
	most   int
	faults []Fault

	open  []openElement
	known []source.Name   // by index in tree.Unknown; NoName if no schema has the name
	ids   map[string]bool // values of type xs:ID

	content map[source.Node]string // the constraint that the content of an element violates first
}

// An openElement is an element whose children are being checked.
type openElement struct {
	node    source.Node
	end     source.Node
	content *contentModel
	typ     *xsdType
	state   int // of the content model
}

func (c *checker) check(s *Schema, t *source.Tree, most int) []Fault {
	c.schema, c.tree, c.most = s, t, most
	for _, q := range t.Unknown { // the schema may have been loaded after the document was parsed
		name, _ := source.Lookup(q)
		c.known = append(c.known, name)
	}
	c.walk()
	return c.faults
}

// reset makes the checker ready for another document. Nothing of the last one is
// kept, and working memory only up to what an ordinary document needs.
func (c *checker) reset() {
	const mostKept = 4096 // unknown names, identifiers
	kept := checker{open: c.open[:0]}
	clear(c.open[:cap(c.open)])
	if cap(c.known) <= mostKept {
		kept.known = c.known[:0]
	}
	if len(c.ids) <= mostKept {
		clear(c.ids)
		kept.ids = c.ids
	}
	*c = kept
}

// name is the name of an element or attribute as the schema interned it.
func (c *checker) name(n source.Name) source.Name {
	if i, ok := n.Unknown(); ok && c.known[i] != source.NoName {
		return c.known[i]
	}
	return n
}

func (c *checker) walk() {
	elements := c.tree.Elements
	root := c.tree.Root()
	declared := c.schema.globalElement(c.name(elements[root].Name))
	if declared == nil {
		c.failRoot(root)
		return
	}
	next := c.enter(root, declared)
	for int(next) < len(elements) && len(c.faults) < c.most {
		f := &c.open[len(c.open)-1]
		if f.end == next {
			c.leave(f)
			continue
		}
		n := next
		if e, ok := c.child(f, n, c.name(elements[n].Name)); ok {
			next = c.enter(n, e)
		} else {
			next = elements[n].End
		}
	}
	for len(c.open) > 0 && len(c.faults) < c.most {
		c.leave(&c.open[len(c.open)-1])
	}
	c.faults = c.faults[:min(len(c.faults), c.most)]
}

// child finds the declaration of an element in the content model of its parent. The
// declaration is nil if a wildcard allows the element and no schema declares it.
func (c *checker) child(f *openElement, n source.Node, name source.Name) (e *elementDecl, ok bool) {
	m := f.content
	at := m.find(f.state, name, c.tree)
	if at >= 0 {
		f.state = at + 1
	} else if at = c.failChild(f, n, name); at < 0 {
		return nil, false
	}
	if e = m.element(at); e != nil {
		return e, true
	}
	if e = c.schema.globalElement(name); e == nil && m.wildcards[at].process == strict && c.namedType(n) == nil {
		c.failUndeclared(f, n)
		return nil, false
	}
	return e, true
}

// enter checks an element without its children, and returns the element to continue
// with.
func (c *checker) enter(n source.Node, declared *elementDecl) (next source.Node) {
	e := &c.tree.Elements[n]
	d := declared
	if d == nil {
		d = &undeclared
	}
	if e.Attrs > 0 {
		if t := c.effectiveType(n, d.typ, declared); t != d.typ {
			other := ofType(d.name, t)
			d = &other
		}
		c.attributes(n, d.typ.definition)
	} else if d.required {
		c.failAttributes(n, d.typ.definition)
	}
	if d.abstract {
		c.failAbstract(n, d.typ)
	}
	hasChildren := e.End > n+1
	switch {
	case d.text != nil:
		if hasChildren {
			c.failElements(n, d.typ.definition)
		} else {
			c.value(n.Ref(), n, c.tree.Text(n), d.text, d.typ)
		}
	case d.content == nil:
		if hasChildren {
			c.failElements(n, d.typ.definition)
		}
		if !d.mixed && c.tree.Text(n) != "" {
			c.failText(n, d.typ.definition)
		}
	default:
		if !d.mixed && trim(c.tree.Text(n)) != "" {
			c.failText(n, d.typ.definition)
		}
		if hasChildren {
			c.open = append(c.open, openElement{node: n, end: e.End, content: d.content, typ: d.typ})
			return n + 1
		}
		if !d.content.states[0].final {
			c.failIncomplete(n, d.content, 0)
		}
	}
	return e.End
}

// undeclared is the declaration of an element that no schema declares.
var undeclared = ofType(source.NoName, anyType)

// leave checks that the content of the innermost open element is complete, and
// closes it.
func (c *checker) leave(f *openElement) {
	if !f.content.states[f.state].final {
		c.failIncomplete(f.node, f.content, f.state)
	}
	c.open = c.open[:len(c.open)-1]
}

// attributes checks all attributes of an element.
func (c *checker) attributes(n source.Node, f *definition) {
	e := &c.tree.Elements[n]
	required := 0
next:
	for a := e.FirstAttr; a < e.FirstAttr+source.Attr(e.Attrs); a++ {
		attr := &c.tree.Attributes[a]
		name := c.name(attr.Name)
		for i := range f.attrs {
			if d := &f.attrs[i]; d.name == name {
				if d.required {
					required++
				}
				c.value(a.Ref(), n, attr.Value, d.typ.text, nil)
				if d.fixed != nil && d.typ.text.normalize(attr.Value) != *d.fixed {
					c.failFixed(a, *d.fixed)
				}
				continue next
			}
		}
		// None of these schemas declares global attributes, so a strict wildcard allows
		// no attribute.
		if f.anyAttr != lax && !isXSI(name) {
			c.failAttribute(a, f)
		}
	}
	if required < f.required {
		c.failAttributes(n, f)
	}
}

// value checks the text of an element, whose type of is, or the value of an attribute.
func (c *checker) value(r source.Ref, n source.Node, value string, s *simpleType, of *xsdType) {
	if s.builtin.valid == nil && s.maxLength == 0 && s.values == nil {
		return
	}
	if !s.accepts(value) {
		c.failValue(r, n, value, s, of)
		return
	}
	if s.builtin.name == "ID" {
		id := trim(value)
		if c.ids[id] {
			c.failID(r, n, id)
		}
		if c.ids == nil {
			c.ids = map[string]bool{}
		}
		c.ids[id] = true
	}
}
