package binding

import (
	"fmt"
	"slices"

	"einvoice/model"
)

// Written is a document made from an invoice, and what is in one of the two only.
type Written struct {
	Data   []byte
	Losses []Loss
}

// Write writes an invoice as a document with the given root, one of f.Roots. The
// only error is a *NotXML.
func (f *Format) Write(invoice *model.Invoice, root string) (*Written, error) {
	i := slices.Index(f.Roots, root)
	if i < 0 {
		return nil, fmt.Errorf("%s has no root element %q; use one of %q", f.Name, root, f.Roots)
	}
	w := &writer{layout: f.layouts[i](), format: f, invoice: model.ObjectOf(invoice)}
	if w.write(); w.bad != nil {
		return nil, w.bad
	}
	written := &Written{Data: w.out}
	if w.placed != countTerms(w.invoice) || w.losses != nil {
		// Something went another way. Which terms have no place is found out by
		// writing once more and noting each: the usual invoice need not pay for it.
		again := &writer{layout: w.layout, format: f, invoice: w.invoice, seen: map[spot]bool{}, why: map[spot]string{}}
		again.write()
		written.Losses = again.unplaced(root)
	}
	return written, nil
}

// A writer writes one invoice by a layout.
type writer struct {
	layout  *layout
	format  *Format
	invoice model.Object
	out     []byte
	depth   int
	slots   []model.Object
	entry   []int // of the list in each slot
	parted  part
	wanted  map[*outside]wish
	placed  int    // terms that were written
	losses  []Loss // additions and changes
	bad     *NotXML

	// Only kept when asked for.
	seen map[spot]bool
	why  map[spot]string // reasons for terms and groups that were left out
}

// A spot is a term or, without a field, a group.
type spot struct {
	group model.Object
	field *model.Field
}

// A wish is which entry of a list is preferred.
type wish struct {
	owner model.Object
	entry int
}

// A part is the entry of a list that the group around is being written for.
type part struct {
	group model.Object
	field *model.Field
	at    int
	again bool // a part before said what stands beside the list
}

func (w *writer) write() {
	w.slots = make([]model.Object, w.layout.slots)
	w.entry = make([]int, w.layout.slots)
	w.slots[0] = w.invoice
	w.out = append(make([]byte, 0, 8<<10), `<?xml version="1.0" encoding="UTF-8"?>`...)
	root := w.layout.root
	w.out = append(append(append(w.out, "\n<"...), root.tag...), w.layout.namespaces...)
	w.inside(root)
	w.out = append(w.out, '\n')
}

// said is what an element or attribute tells of the invoice.
type said uint8

const (
	nothing   said = iota
	tableOnly      // what the table puts there, whatever the invoice
	something
)

// element writes an element as often as it occurs.
func (w *writer) element(o *outline) said {
	if o.list != nil {
		return w.entries(o)
	}
	if o.alternatives != nil && !w.chosen(o, w.holder(o)) {
		return nothing
	}
	if o.always {
		return w.tagged(o, something)
	}
	return w.tagged(o, nothing)
}

// entries writes an element for each entry of its list.
func (w *writer) entries(o *outline) said {
	e := o.list
	if !w.here(e.outside) {
		return nothing
	}
	owner := w.owner(&e.target)
	list := owner.List(e.field)
	from, to := 0, list.Len()
	if w.parted.field == e.field && w.parted.group == owner {
		from, to = w.parted.at, w.parted.at+1
		defer func(again bool) { w.parted.again = again }(w.parted.again)
		w.parted.again = false
	}
	before, at := w.slots[e.into], w.entry[e.into]
	told, passed := nothing, false
	for i := from; i < to; i++ {
		entry := list.At(i)
		switch {
		case e.limit > 0 && i >= e.limit:
			w.leave(entry, nil, fmt.Sprintf("the schema of %s allows %d <%s> at most", w.format.Name, e.limit, o.tag))
			continue
		case o.alternatives != nil && !w.chosen(o, entry):
			passed = true
			continue
		case passed && o.alternatives[0].outline == o:
			w.lose(Loss{Kind: Changed, Group: entry, Reason: w.format.Name + " groups these entries, which changes their order"})
			passed = false
		}
		w.slots[e.into], w.entry[e.into] = entry, i
		told = w.split(o, entry)
	}
	w.slots[e.into], w.entry[e.into] = before, at
	return told
}

// split writes an entry, once for each part if its element holds only one of
// the list inside. An entry always tells something: that it is there.
func (w *writer) split(o *outline, entry model.Object) said {
	n := 0
	if o.list.split != nil {
		n = entry.List(o.list.split).Len()
	}
	switch {
	case o.list.part && !empty(entry):
		return w.tagged(o, nothing)
	case n < 2:
		return w.tagged(o, something)
	}
	around := w.parted
	for i := range n {
		w.parted = part{group: entry, field: o.list.split, at: i, again: i > 0}
		w.tagged(o, something)
	}
	w.parted = around
	w.lose(Loss{Kind: Changed, Group: entry, Reason: fmt.Sprintf("the schema of %s allows one entry of %s in each <%s>, so that this stands there %d times", w.format.Name, o.list.split.Name, o.tag, n)})
	return something
}

// tagged writes an element, and takes it back if it tells nothing.
func (w *writer) tagged(o *outline, told said) said {
	start, losses := len(w.out), len(w.losses)
	w.depth++
	w.newline(w.depth)
	w.out = append(append(w.out, '<'), o.tag...)
	var before [maxOpens]model.Object
	for i := range o.opens {
		g := &o.opens[i]
		before[i] = w.slots[g.into]
		w.slots[g.into] = model.Object{Type: g.field.Elem}
		if w.here(g.outside) {
			w.slots[g.into] = w.owner(&g.target).Group(g.field)
		}
		if !g.around && empty(w.slots[g.into]) {
			told = something
		}
	}
	told = max(told, w.inside(o))
	w.depth--
	if v := o.text; told == something && v != nil && v.kind == valueTerm {
		if owner := w.owner(&v.target); !owner.Has(v.field) {
			w.lose(Loss{Kind: Added, Group: owner, Field: v.field, Reason: "<" + o.tag + "> is there for what belongs to it, and is empty itself"})
		}
	}
	for i := range o.opens {
		w.slots[o.opens[i].into] = before[i]
	}
	// What only the table tells stays where the element is for nothing else; the
	// element around decides.
	if told == nothing || told == tableOnly && o.children != nil && !o.tableOnly {
		w.out, w.losses = w.out[:start], w.losses[:losses]
		return nothing
	}
	return told
}

// empty reports whether a group is there without anything in it.
func empty(group model.Object) bool {
	if !group.Present() {
		return false
	}
	for i := range group.Type.Fields {
		if group.Has(&group.Type.Fields[i]) {
			return false
		}
	}
	return true
}

// inside writes the rest of an element after its name.
func (w *writer) inside(o *outline) said {
	told := w.attributes(o)
	w.out = append(w.out, '>')
	open := len(w.out)
	if o.text != nil {
		told = max(told, w.value(o.text, false))
	}
	before := len(w.out)
	for _, child := range o.children {
		told = max(told, w.element(child))
	}
	switch {
	case len(w.out) == open:
		w.out = append(w.out[:open-1], "/>"...)
		return told
	case len(w.out) > before:
		w.newline(w.depth)
	}
	w.out = append(append(append(w.out, "</"...), o.tag...), '>')
	return told
}

func (w *writer) newline(depth int) {
	w.out = append(w.out, '\n')
	for range depth {
		w.out = append(w.out, "  "...)
	}
}

// here reports whether terms that belong to none of the lists around are to be
// written in their present entries.
func (w *writer) here(lists []outside) bool {
	for i := range lists {
		l := &lists[i]
		if w.entry[l.into] != w.preferred(l) || w.parted.again {
			return false
		}
	}
	return true
}

// preferred is the entry to write a term in that is none of the list's. It is
// found once: every entry asks.
func (w *writer) preferred(l *outside) int {
	if l.prefer == nil {
		return 0
	}
	owner := w.owner(&l.list)
	if found, ok := w.wanted[l]; ok && found.owner == owner {
		return found.entry
	}
	found, list := wish{owner: owner}, owner.List(l.list.field)
	for i := range list.Len() {
		if slices.Contains(l.codes, trim(list.At(i).Text(l.prefer).Raw)) {
			found.entry = i
			break
		}
	}
	if w.wanted == nil {
		w.wanted = map[*outside]wish{}
	}
	w.wanted[l] = found
	return found.entry
}

// owner is the group that a target is a field of; it may be absent.
func (w *writer) owner(t *target) model.Object {
	object := w.slots[t.slot]
	for i := range t.links {
		f := t.links[i].field
		if f.Kind == model.KindGroup {
			object = object.Group(f)
			continue
		}
		at, list := 0, object.List(f)
		if w.parted.field == f && w.parted.group == object {
			at = w.parted.at
		}
		if at >= list.Len() {
			return model.Object{}
		}
		object = list.At(at)
	}
	return object
}

// holder is the group that an element with alternatives holds terms of.
func (w *writer) holder(o *outline) model.Object {
	for _, a := range o.alternatives {
		if a.outline == o && a.opened {
			return w.owner(&a.owner).Group(a.owner.field)
		} else if a.outline == o {
			return w.owner(&a.owner)
		}
	}
	return model.Object{}
}

// chosen reports whether of all places for the terms of a group an element is
// the one: the first that has room for most of them.
func (w *writer) chosen(o *outline, holder model.Object) bool {
	var best *outline
	fewest := 0
	for _, a := range o.alternatives {
		left := 0
		for _, b := range o.alternatives {
			for _, f := range b.fields {
				if !slices.Contains(a.fields, f) && holder.Has(f) {
					left++
				}
			}
		}
		if a.shape == "iban" && !ibanShaped(holder.Raw(a.fields[0])) {
			left++
		}
		if best == nil || left < fewest {
			best, fewest = a.outline, left
		}
	}
	return best == o
}
