package binding

import (
	"slices"

	"einvoice/model"
)

// alternate finds the children that have a place for the same term or group.
func alternate(in *content, shapes map[*outline]string) {
	all := make([]*alternative, len(in.children))
	for i, o := range in.children {
		all[i] = alternativeOf(o, shapes)
	}
	for i, a := range all {
		if a == nil || a.outline.alternatives != nil {
			continue
		}
		same := []*alternative{a}
		for _, b := range all[i+1:] {
			if b != nil && a.owner.same(&b.owner) && a.opened == b.opened &&
				slices.ContainsFunc(a.fields, func(f *model.Field) bool { return slices.Contains(b.fields, f) }) {
				same = append(same, b)
			}
		}
		if len(same) > 1 {
			for _, s := range same {
				s.outline.alternatives = same
			}
		}
	}
}

// alternativeOf is what an element holds, if that is one group's or list entry's
// terms only, in the element itself or its attributes.
func alternativeOf(o *outline, shapes map[*outline]string) *alternative {
	a := &alternative{outline: o, shape: shapes[o]}
	switch {
	case o.list != nil:
		a.owner, a.opened = o.list.target, true
	case len(o.opens) == 1:
		a.owner, a.opened = o.opens[0].target, true
	}
	values := make([]*value, 0, 1+len(o.attributes))
	if o.text != nil {
		values = append(values, o.text)
	}
	for i := range o.attributes {
		values = append(values, &o.attributes[i].value)
	}
	for _, v := range values {
		if v.kind != valueTerm {
			continue
		}
		if !a.opened && a.fields == nil {
			a.owner = target{slot: v.slot, links: v.links}
		}
		a.fields = append(a.fields, v.field)
	}
	if a.fields == nil || o.children != nil {
		return nil
	}
	return a
}

// same reports whether two targets are the same place of the model.
func (t *target) same(u *target) bool {
	return t.slot == u.slot && t.field == u.field &&
		slices.EqualFunc(t.links, u.links, func(a, b link) bool { return a.field == b.field })
}
