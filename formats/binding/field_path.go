package binding

import (
	"fmt"
	"strings"

	"einvoice/model"
)

// A fieldPath leads from an open group to a field inside it.
type fieldPath struct {
	slot  int    // of the open group
	links []link // the groups between the open group and the field
	field *model.Field
}

// A link is a group or list on a field path that no row around opens.
type link struct {
	field *model.Field
	// bound means that a row elsewhere binds the group to an element.
	bound bool
}

// same reports whether two paths lead to the same field.
func (p *fieldPath) same(q *fieldPath) bool {
	if p.slot != q.slot || p.field != q.field || len(p.links) != len(q.links) {
		return false
	}
	for i := range p.links {
		if p.links[i].field != q.links[i].field {
			return false
		}
	}
	return true
}

// A scope is an open group with the scope around it.
type scope struct {
	path  string // of the group in the model; empty for the invoice
	slot  int
	typ   *model.Type
	outer *scope
}

func invoiceScope() *scope { return &scope{typ: model.InvoiceType()} }

// A resolver finds the fields that rows name, for documents with one root
// element. It numbers the slots that hold the open groups; slot 0 is the invoice.
type resolver struct {
	syntax model.Syntax
	root   string
	slots  int
	// bound are the model paths of the groups that a row binds to an element. Only
	// reading needs them.
	bound map[string]bool
}

func newResolver(syntax model.Syntax, root string) resolver {
	return resolver{syntax: syntax, root: root, slots: 1, bound: map[string]bool{}}
}

func (c *resolver) newSlot() int {
	c.slots++
	return c.slots - 1
}

// resolve finds the path to a field from the innermost open group that holds it.
func (c *resolver) resolve(path string, s *scope) (fieldPath, error) {
	for s.path != "" && !strings.HasPrefix(path, s.path+".") {
		s = s.outer
	}
	names := strings.TrimPrefix(strings.TrimPrefix(path, s.path), ".")
	p := fieldPath{slot: s.slot}
	typ, walked := s.typ, s.path
	for name := range strings.SplitSeq(names, ".") {
		if p.field != nil {
			p.links = append(p.links, link{field: p.field, bound: c.bound[walked]})
			typ = p.field.Elem
		}
		if typ == nil {
			return p, fmt.Errorf("%q has nothing inside", walked)
		}
		f, ok := typ.Field(name)
		if !ok {
			return p, fmt.Errorf("%q: %s has no term %q; is it %q?", path, typ.Name, name, typ.Nearest(name))
		}
		p.field = f
		walked = strings.TrimPrefix(walked+"."+name, ".")
	}
	return p, nil
}
