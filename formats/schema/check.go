package schema

import (
	"sync"

	"einvoice/model/source"
)

// Check compares a document with the schema and gives what is wrong, in
// document order; a valid document gives none. It goes on after a fault, and
// ends after as many as most. A valid document costs no memory.
func (s *Schema) Check(t *source.Tree, most int) []Fault {
	c := checkers.Get().(*checker)
	c.schema, c.tree, c.most = s, t, most
	c.known = c.known[:0]
	for _, q := range t.Unknown { // the schema may have been loaded after the document was parsed
		name, _ := source.Lookup(q)
		c.known = append(c.known, name)
	}
	c.walk()
	faults := c.faults
	clear(c.frames[:cap(c.frames)])
	clear(c.ids)
	*c = checker{frames: c.frames[:0], known: c.known, ids: c.ids}
	checkers.Put(c)
	return faults
}

// checkers keeps the working memory of finished checks.
var checkers = sync.Pool{New: func() any { return &checker{ids: map[string]bool{}} }}

// A checker walks one document.
type checker struct {
	schema *Schema
	tree   *source.Tree
	most   int
	faults []Fault

	frames []frame
	known  []source.Name   // by the number of a name in tree.Unknown; NoName if no schema knows it
	ids    map[string]bool // values of type ID
}

// A frame is an element whose children are being checked.
type frame struct {
	node  source.Node
	end   source.Node
	facts *facts
	state int // in the model
}

// name is the name of an element or attribute as the schema has it.
func (c *checker) name(n source.Name) source.Name {
	if i, ok := n.Unknown(); ok && c.known[i] != source.NoName {
		return c.known[i]
	}
	return n
}

func (c *checker) walk() {
	elements := c.tree.Elements
	root := c.tree.Root()
	declared := c.schema.global(c.name(elements[root].Name))
	if declared == nil {
		c.failRoot(root)
		return
	}
	next := c.enter(root, declared)
	for int(next) < len(elements) && len(c.faults) < c.most {
		f := &c.frames[len(c.frames)-1]
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
	for len(c.frames) > 0 && len(c.faults) < c.most {
		c.leave(&c.frames[len(c.frames)-1])
	}
	c.faults = c.faults[:min(len(c.faults), c.most)]
}

// child finds what the parent's model says of an element. The declaration is
// nil if the model allows any element here and this one is not declared.
func (c *checker) child(f *frame, n source.Node, name source.Name) (e *element, ok bool) {
	m := f.facts.model
	at := m.find(f.state, name, c.tree)
	if at >= 0 {
		f.state = at + 1
	} else if at = c.failChild(f, n, name); at < 0 {
		return nil, false
	}
	if e = m.elements[at]; e != nil {
		return e, true
	}
	if e = c.schema.global(name); e == nil && m.wildcards[at].process == strict && c.xsiType(n) == nil {
		c.failUndeclared(f, n)
		return nil, false
	}
	return e, true
}

// enter checks an element but for its children, and gives the element to go on
// with.
func (c *checker) enter(n source.Node, declared *element) (next source.Node) {
	e := &c.tree.Elements[n]
	t := anyType
	if declared != nil {
		t = declared.typ
	}
	if e.Attrs > 0 {
		t = c.effective(n, t, declared)
		c.attributes(n, t.facts)
	} else if t.required > 0 {
		c.failAttributes(n, t.facts)
	}
	if t.abstract {
		c.failAbstract(n, t)
	}
	hasChildren := e.End > n+1
	switch {
	case t.text != nil:
		if hasChildren {
			c.failElements(n, t.facts)
		} else {
			c.value(n.Ref(), n, e.Text, t.text)
		}
	case t.model == nil:
		if hasChildren {
			c.failElements(n, t.facts)
		}
		if e.Text != "" && !t.mixed {
			c.failText(n, t.facts)
		}
	default:
		if !t.mixed && trim(e.Text) != "" {
			c.failText(n, t.facts)
		}
		if hasChildren {
			c.frames = append(c.frames, frame{node: n, end: e.End, facts: t.facts})
			return n + 1
		}
		if !t.model.states[0].final {
			c.failIncomplete(n, t.model, 0)
		}
	}
	return e.End
}

// leave ends the innermost open element.
func (c *checker) leave(f *frame) {
	if !f.facts.model.states[f.state].final {
		c.failIncomplete(f.node, f.facts.model, f.state)
	}
	c.frames = c.frames[:len(c.frames)-1]
}

// attributes checks all attributes of an element.
func (c *checker) attributes(n source.Node, f *facts) {
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
				c.value(a.Ref(), n, attr.Value, d.typ.text)
				if d.fixed != nil && d.typ.text.normalize(attr.Value) != *d.fixed {
					c.failFixed(a, *d.fixed)
				}
				continue next
			}
		}
		// No schema here declares global attributes, so a strict wildcard
		// allows none.
		if f.anyAttr != lax && !isXSI(name) {
			c.failAttribute(a, f)
		}
	}
	if required < f.required {
		c.failAttributes(n, f)
	}
}

// value checks the text of an element or the value of an attribute.
func (c *checker) value(r source.Ref, n source.Node, value string, s *simple) {
	if s.builtin.valid == nil && s.maxLength == 0 && s.values == nil {
		return
	}
	if !s.accepts(value) {
		c.failValue(r, n, value, s)
		return
	}
	if s.builtin.name == "ID" {
		id := trim(value)
		if c.ids[id] {
			c.failID(r, n, id)
		}
		c.ids[id] = true
	}
}
