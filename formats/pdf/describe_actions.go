package pdf

import (
	"fmt"
	"maps"
	"slices"

	"einvoice/model"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// deepestAction is how far actions are followed that carry out others.
const deepestAction = 20

// actions collects what the PDF would do: when it is opened, at each page,
// annotation and form field, and from its outline.
func (d *describer) actions(root types.Dict) error {
	names, err := d.dict(root["Names"])
	if err := d.excuse(err); err != nil {
		return err
	}
	for _, look := range []func() error{
		func() error { return d.action(root["OpenAction"], "opening", 0) },
		func() error { return d.additional(root["AA"], "document") },
		func() error { return d.scripts(names["JavaScript"]) },
		func() error { return d.pageActions(root["Pages"]) },
		func() error { return d.formActions(root["AcroForm"]) },
		func() error { return d.outline(root["Outlines"]) },
	} {
		if err := d.excuse(look()); err != nil {
			return err
		}
	}
	return nil
}

// action notes an action and those that follow it. A destination, which may stand
// in its place, is none.
func (d *describer) action(o object, place string, depth int) error {
	if depth > deepestAction {
		return nil
	}
	o, err := d.at(o)
	if err != nil {
		return err
	}
	if several, ok := o.(types.Array); ok && depth > 0 {
		for _, one := range several[:min(len(several), mostDescribed)] {
			if err := d.excuse(d.action(one, place, depth+1)); err != nil {
				return err
			}
		}
		return nil
	}
	action, ok := o.(types.Dict)
	if !ok || d.name(action["S"]) == "" {
		return nil
	}
	d.note(d.name(action["S"]), d.name(action["N"]), place)
	return d.action(action["Next"], place, depth+1)
}

// note keeps one action of a kind for each place.
func (d *describer) note(kind, name, place string) {
	a := model.ContainerAction{Type: model.NewText(kind), Name: present(name), Place: model.NewText(place)}
	if kind != "Named" {
		a.Name = model.Text{}
	}
	if len(d.out.Actions) < mostDescribed && !slices.Contains(d.out.Actions, a) {
		d.out.Actions = append(d.out.Actions, a)
	}
}

// additional notes the actions that events cause.
func (d *describer) additional(o object, place string) error {
	events, err := d.dict(o)
	for _, event := range slices.Sorted(maps.Keys(events)) {
		if err := d.excuse(d.action(events[event], place, 0)); err != nil {
			return err
		}
	}
	return err
}

func (d *describer) scripts(names object) error {
	return d.tree(names, func(node types.Dict) error {
		pairs, err := d.array(node["Names"])
		for i := 1; i < len(pairs) && err == nil; i += 2 {
			err = d.excuse(d.action(pairs[i], "document", 0))
		}
		return err
	})
}

func (d *describer) pageActions(pages object) error {
	number := 0
	return d.tree(pages, func(page types.Dict) error {
		if d.name(page["Type"]) == "Pages" || page["Kids"] != nil {
			return nil
		}
		number++
		place := fmt.Sprintf("page %d", number)
		if err := d.excuse(d.additional(page["AA"], place)); err != nil {
			return err
		}
		annotations, err := d.array(page["Annots"])
		for _, o := range annotations {
			if err := d.excuse(d.widget(o, place)); err != nil {
				return err
			}
		}
		return err
	})
}

func (d *describer) formActions(o object) error {
	form, err := d.dict(o)
	if err != nil {
		return err
	}
	fields, err := d.array(form["Fields"])
	for _, field := range fields {
		err := d.tree(field, func(node types.Dict) error { return d.widget(node, "form") })
		if err := d.excuse(err); err != nil {
			return err
		}
	}
	return err
}

// widget notes the actions of an annotation or a form field.
func (d *describer) widget(o object, place string) error {
	widget, err := d.dict(o)
	if err != nil {
		return err
	}
	if err := d.excuse(d.action(widget["A"], place, 0)); err != nil {
		return err
	}
	return d.additional(widget["AA"], place)
}

// outline goes through the entries of an outline, which refer to the next.
func (d *describer) outline(o object) error {
	seen := map[types.IndirectRef]bool{}
	for next := []object{o}; len(next) > 0; {
		o := next[len(next)-1]
		next = next[:len(next)-1]
		ref, ok := o.(types.IndirectRef)
		if !ok || seen[ref] { // entries are never written where they are referred to
			continue
		}
		seen[ref] = true
		entry, err := d.dict(o)
		if err == nil {
			err = d.action(entry["A"], "outline", 0)
		}
		if err := d.excuse(err); err != nil {
			return err
		}
		next = append(next, entry["Next"], entry["First"])
	}
	return nil
}
