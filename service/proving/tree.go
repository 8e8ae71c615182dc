package proving

import (
	"fmt"
	"slices"
	"strings"

	"einvoice/engine/ruletest"
	"einvoice/formats/schema"
	"einvoice/model/source"
)

// A place is somewhere in a document that an assert looks at: an element or an attribute
// that is there, or one that the schema allows there.
type place struct {
	path    string // from the document element, as examples of rules write it
	draft   *ruletest.Draft
	element schema.Element
	known   bool // the element is of the schema
	attr    bool
	value   string // of an attribute that is there
	missing bool
	parent  *place
}

// children are the elements of a name below a place. Where there is none, and the schema
// allows one, it is the place where it could be.
func (p *place) children(name string) (all []*place) {
	if p.attr {
		return nil
	}
	count := map[source.QName]int{}
	if p.draft != nil {
		for _, c := range p.draft.Children {
			count[c.Name]++
			if fits(c.Name.String(), name) {
				all = append(all, p.child(c, count[c.Name]))
			}
		}
	}
	if len(all) > 0 || !p.known || strings.HasSuffix(name, "*") {
		return all
	}
	if e, ok := childOf(p.element, name); ok {
		all = append(all, &place{path: joined(p.path, name), element: e, known: true, missing: true, parent: p})
	}
	return all
}

func fits(name, test string) bool {
	return test == name || test == "*" || strings.HasSuffix(test, ":*") && strings.HasPrefix(name, strings.TrimSuffix(test, "*"))
}

func (p *place) child(c *ruletest.Draft, position int) *place {
	name := c.Name.String()
	e, known := childOf(p.element, name)
	step := name
	if position > 1 {
		step = fmt.Sprintf("%s[%d]", name, position)
	}
	return &place{path: joined(p.path, step), draft: c, element: e, known: p.known && known, parent: p}
}

// attribute is an attribute of a place, there or not.
func (p *place) attribute(name string) []*place {
	if p.attr || p.path == "" || !p.known && p.draft == nil {
		return nil
	}
	a := &place{path: joined(p.path, "@"+name), attr: true, missing: true, parent: p}
	if p.draft != nil {
		for _, have := range p.draft.Attrs {
			if have.Name.String() == name {
				a.missing, a.value = false, have.Value
			}
		}
	}
	if a.missing && !(p.known && slices.Contains(p.element.Attributes(), name)) {
		return nil
	}
	return []*place{a}
}

// descendants are all elements of a name below a place; where there is none, the nearest
// place where one could be.
func (p *place) descendants(name string) (all []*place) {
	p.each(func(at *place) {
		if fits(at.draft.Name.String(), name) {
			all = append(all, at)
		}
	})
	if len(all) > 0 || !p.known || strings.HasSuffix(name, "*") {
		return all
	}
	type step struct{ at *place }
	seen := map[schema.Element]bool{p.element: true}
	for todo, n := []step{{p}}, 0; len(todo) > 0 && n < 2000; n++ {
		at := todo[0].at
		todo = todo[1:]
		children, _ := at.element.Children()
		for _, c := range children {
			if c.Name() == name {
				return at.children(name)
			}
		}
		for _, c := range children {
			if !seen[c] {
				seen[c] = true
				if below := at.children(c.Name()); len(below) > 0 {
					todo = append(todo, step{below[0]})
				}
			}
		}
	}
	return nil
}

// each visits the elements below a place that are there.
func (p *place) each(visit func(*place)) {
	if p.draft == nil {
		return
	}
	count := map[source.QName]int{}
	for _, c := range p.draft.Children {
		count[c.Name]++
		at := p.child(c, count[c.Name])
		visit(at)
		at.each(visit)
	}
}

// leaf reports whether a place holds a value rather than elements.
func (p *place) leaf() bool {
	if p.attr {
		return true
	}
	if p.draft != nil {
		return len(p.draft.Children) == 0
	}
	children, any := p.element.Children()
	return len(children) == 0 && !any
}

// required are the attributes that an element has to have which is not there, with values of
// others in the document.
func (p *place) required() (all []Change) {
	if !p.missing || p.attr {
		return nil
	}
	root := p
	for root.parent != nil {
		root = root.parent
	}
	for _, name := range p.element.RequiredAttributes() {
		value, found := "x", false
		root.each(func(at *place) {
			for _, a := range at.draft.Attrs {
				if !found && a.Name.String() == name {
					value, found = a.Value, true
				}
			}
		})
		all = append(all, Change{p.path + "/@" + name, &value})
	}
	return all
}

// text is the value of a place, "" where there is none.
func (p *place) text() string {
	if p.attr || p.draft == nil {
		return p.value
	}
	return p.draft.Text
}

func childOf(e schema.Element, name string) (schema.Element, bool) {
	if e == (schema.Element{}) {
		return e, false
	}
	children, _ := e.Children()
	for _, c := range children {
		if c.Name() == name {
			return c, true
		}
	}
	return schema.Element{}, false
}

func joined(path, step string) string {
	if path == "" {
		return step
	}
	return path + "/" + step
}

// sorted puts the elements of a document into the order of its schema.
func sorted(d *ruletest.Draft, e schema.Element) {
	if e == (schema.Element{}) {
		return
	}
	children, _ := e.Children()
	at := func(c *ruletest.Draft) int {
		name := c.Name.String()
		return slices.IndexFunc(children, func(s schema.Element) bool { return s.Name() == name })
	}
	slices.SortStableFunc(d.Children, func(a, b *ruletest.Draft) int { return at(a) - at(b) })
	for _, c := range d.Children {
		if i := at(c); i >= 0 {
			sorted(c, children[i])
		}
	}
}

// copied is a document of its own.
func copied(d *ruletest.Draft) *ruletest.Draft {
	out := &ruletest.Draft{Name: d.Name, Text: d.Text, Attrs: slices.Clone(d.Attrs)}
	for _, c := range d.Children {
		out.Children = append(out.Children, copied(c))
	}
	return out
}
