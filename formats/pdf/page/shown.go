package page

import (
	"maps"
	"slices"

	"einvoice/model"
)

// isShown tells whether all terms of a template that a group has are shown already.
func (c *composer) isShown(t *template, o model.Object) bool {
	return t == nil || c.areShown(t.parts, o)
}

func (c *composer) areShown(parts []part, o model.Object) bool {
	for i := range parts {
		p := &parts[i]
		if p.inner != nil && !c.areShown(p.inner, o) {
			return false
		}
		if p.path == nil {
			continue
		}
		at := o
		for _, f := range p.path[:len(p.path)-1] {
			at = at.Group(f)
		}
		if f := p.path[len(p.path)-1]; at.Has(f) && !c.shown[leafOf(at, f)] {
			return false
		}
	}
	return true
}

// fillNew is fill, of terms that are not shown yet.
func (c *composer) fillNew(t *template, o model.Object) phrase {
	if c.isShown(t, o) {
		return phrase{}
	}
	return c.fill(t, o)
}

// again draws terms whether they are shown elsewhere or not.
func (c *composer) again(do func()) {
	before := c.shown
	c.shown = map[any]bool{}
	do()
	maps.Copy(before, c.shown)
	c.shown = before
}

// eachCountry calls do for the country of each address of the invoice's parties.
func eachCountry(o model.Object, do func(model.Object, *model.Field)) {
	for i := range o.Type.Fields {
		f := &o.Type.Fields[i]
		switch {
		case !o.Has(f):
		case f.Kind == model.KindGroup:
			eachCountry(o.Group(f), do)
		case f.Name == countryField:
			do(o, f)
		}
	}
}

// countryField is the term with the country of an address, in all addresses.
const countryField = "countryCode"

// Unshown is a term that a look leaves out.
type Unshown struct{ Term, Label string }

// unshownTerms are the terms that are on no page, each once. A look with all sections
// shows all terms.
func (c *composer) unshownTerms() []Unshown {
	if len(c.look.Sections) == len(sections) {
		return nil
	}
	var terms []Unshown
	lines := c.field("lines")
	var walk func(o model.Object)
	walk = func(o model.Object) {
		for i := range o.Type.Fields {
			f := &o.Type.Fields[i]
			switch {
			case !o.Has(f), f == lines && slices.Contains(c.look.Sections, "lines"):
			case f.Kind.IsLeaf():
				u := Unshown{f.BT, c.language.label(f)}
				if !c.shown[leafOf(o, f)] && o.Raw(f) != "" && !slices.Contains(terms, u) {
					terms = append(terms, u)
				}
			case f.Kind == model.KindGroup:
				walk(o.Group(f))
			default:
				for j := range o.List(f).Len() {
					walk(o.List(f).At(j))
				}
			}
		}
	}
	walk(c.invoice)
	return terms
}
