package binding

import (
	"slices"

	"einvoice/model"
)

// findAlternatives finds the children that can hold the same term of the same
// group. shapes are the shapes of values that some elements require.
func findAlternatives(in *writeContent, shapes map[*writeElement]string) {
	all := make([]*alternative, len(in.children))
	for i, e := range in.children {
		all[i] = newAlternative(e, shapes[e])
	}
	for i, a := range all {
		if a == nil || a.element.alternatives != nil {
			continue
		}
		same := []*alternative{a}
		for _, b := range all[i+1:] {
			if b != nil && a.group.same(&b.group) && a.opens == b.opens &&
				slices.ContainsFunc(a.fields, func(f *model.Field) bool { return slices.Contains(b.fields, f) }) {
				same = append(same, b)
			}
		}
		if len(same) > 1 {
			for _, s := range same {
				s.element.alternatives = same
			}
		}
	}
}

// newAlternative makes an alternative of an element that holds only terms of one
// group or list entry, as its text or in its attributes; nil for other elements.
func newAlternative(e *writeElement, shape string) *alternative {
	a := &alternative{element: e, shape: shape}
	switch {
	case e.list != nil:
		a.group, a.opens = e.list.fieldPath, true
	case len(e.groups) == 1:
		a.group, a.opens = e.groups[0].fieldPath, true
	}
	values := make([]*writeValue, 0, 1+len(e.attributes))
	if e.text != nil {
		values = append(values, e.text)
	}
	for i := range e.attributes {
		values = append(values, &e.attributes[i].writeValue)
	}
	for _, v := range values {
		if v.kind != valueTerm {
			continue
		}
		if !a.opens && a.fields == nil {
			a.group = fieldPath{slot: v.slot, links: v.links}
		}
		a.fields = append(a.fields, v.field)
	}
	if a.fields == nil || e.children != nil {
		return nil
	}
	return a
}
