package compose

import (
	"maps"
	"slices"

	"einvoice/formats/pdf/page/layout"
	"einvoice/formats/pdf/page/look"
	"einvoice/formats/pdf/page/typeset"
	"einvoice/model"
)

// isShown reports whether all terms of a template that a group has are shown already.
func (c *composer) isShown(t *layout.Template, o model.Object) bool {
	return t == nil || c.areShown(t.Parts, o)
}

func (c *composer) areShown(parts []layout.Part, o model.Object) bool {
	for i := range parts {
		p := &parts[i]
		if p.Inner != nil && !c.areShown(p.Inner, o) {
			return false
		}
		if p.Path == nil {
			continue
		}
		at := o
		for _, f := range p.Path[:len(p.Path)-1] {
			at = at.Group(f)
		}
		if p.Form == "place" && at.Present() {
			if hasPlace(at, func(f *model.Field) bool { return !c.shown[LeafOf(at, f)] }) {
				return false
			}
			continue
		}
		if f := p.Path[len(p.Path)-1]; at.Has(f) && !c.shown[LeafOf(at, f)] {
			return false
		}
	}
	return true
}

// fillNew is fill, of terms that are not shown yet.
func (c *composer) fillNew(t *layout.Template, o model.Object) typeset.Phrase {
	if c.isShown(t, o) {
		return typeset.Phrase{}
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
type Unshown struct {
	Term, Label string
	Name        string // of the term, in English; the label is that of the pages, in their language
}

// unshownTerms are the terms that are on no page, each once. A look with all sections
// shows all terms.
func (c *composer) unshownTerms() []Unshown {
	if len(c.look.Sections) == len(look.SectionNames) {
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
				u := Unshown{f.BT, c.language.Label(f), f.Term}
				if !c.shown[LeafOf(o, f)] && o.Raw(f) != "" && !slices.Contains(terms, u) {
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
