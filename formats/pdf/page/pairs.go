package page

import (
	"einvoice/model"
)

// A pair is a label with the text that it names.
type pair struct {
	label  string
	value  phrase
	newRow bool // begins a row, because another group of a list is before it
}

// pairs are the texts of entries for a group. Each group of a list with several groups
// begins a row, and so does what follows the list.
func (c *composer) pairs(entries []*entry, o model.Object) []pair {
	var pairs []pair
	newRow := false
	add := func(more ...pair) {
		if len(more) > 0 {
			more[0].newRow = more[0].newRow || newRow
			pairs, newRow = append(pairs, more...), false
		}
	}
	for _, e := range entries {
		several := 0
		each(o, e.groups, func(model.Object) { several++ })
		each(o, e.groups, func(o model.Object) {
			if len(e.Facts) > 0 {
				newRow = newRow || several > 1
				add(c.pairs(e.Facts, o)...)
				return
			}
			value := c.fill(e.template, o)
			if value.empty() {
				return
			}
			p := pair{value: value}
			if !e.Bare {
				p.label = c.language.label(e.label)
				if iban := e.template.form("iban"); iban != nil && isIBAN(compact(o.Raw(iban))) {
					p.label = c.language.word("iban")
				}
			}
			add(p)
		})
		newRow = newRow || several > 1 && len(e.Facts) > 0
	}
	return pairs
}

// form is the term that a template shows in a form; nil if it has none.
func (t *template) form(form string) *model.Field {
	for i := range t.parts {
		if t.parts[i].form == form && len(t.parts[i].path) == 1 {
			return t.parts[i].path[0]
		}
	}
	return nil
}

// each calls do for the group that a path leads to, or for all groups of the lists on
// the path.
func each(o model.Object, path []*model.Field, do func(model.Object)) {
	for i, f := range path {
		if f.Kind == model.KindList {
			list := o.List(f)
			for j := range list.Len() {
				each(list.At(j), path[i+1:], do)
			}
			return
		}
		o = o.Group(f)
	}
	if o.Present() {
		do(o)
	}
}
