package binding

import (
	"context"
	"fmt"
	"slices"

	"einvoice/model"
)

// A Written is a document that was made from an invoice, with the differences
// between the two.
type Written struct {
	Data   []byte
	Losses []Loss
	// Rest means that something was written where a reader looks for something else
	// first. Whether it is read as what it was depends on what is beside it, so that the
	// document must be read to know.
	Rest bool
	// Moved are the lists whose entries are in other places in the document.
	Moved []*Moved
}

// A Moved is a list of the invoice whose entries have other places in the document: the syntax
// groups them, or has one entry of an inner list in each element.
type Moved struct {
	Group model.Object
	Field *model.Field
	Split *model.Field // the inner list, if it splits entries
	From  []Place      // by place in the document
}

// A Place is what an element of a list is in the invoice: an entry, or one entry of its inner list.
type Place struct{ Entry, Inner int }

// Write writes an invoice as a document with the given root element, one of
// f.Roots. The limits of the table do not apply if it is unlimited. If a text of the invoice cannot
// be part of any XML document, the error is a *NotXML. The context ends the writing with its error.
func (f *Format) Write(ctx context.Context, invoice *model.Invoice, root string, unlimited bool) (*Written, error) {
	i := slices.Index(f.Roots, root)
	if i < 0 {
		return nil, fmt.Errorf("%s has no root element %q; use one of %q", f.Name, root, f.Roots)
	}
	w := &writer{ctx: ctx, plan: f.writePlans[i](), format: f, invoice: model.ObjectOf(invoice), unlimited: unlimited}
	w.document()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case w.err != nil:
		return nil, w.err
	}
	written := &Written{Data: w.out, Rest: w.rest}
	for _, m := range w.moved {
		if m.isMoved() {
			written.Moved = append(written.Moved, m)
		}
	}
	if w.terms != countTerms(w.invoice) || w.losses != nil {
		// Something differs. Which terms were not written, and why, is found by
		// writing a second time and recording each term: most invoices need not pay
		// for that.
		again := &writer{ctx: ctx, plan: w.plan, format: f, invoice: w.invoice, unlimited: unlimited, written: map[termKey]bool{}, reasons: map[termKey]string{}, implied: map[termKey]bool{}}
		if again.document(); ctx.Err() != nil {
			return nil, ctx.Err()
		}
		written.Losses = again.allLosses(root)
	}
	return written, nil
}

// A writer writes one invoice by a plan.
type writer struct {
	ctx       context.Context // is asked for each entry of a list
	plan      *writePlan
	format    *Format
	invoice   model.Object
	unlimited bool
	out       []byte
	depth     int
	slots     []model.Object // the open groups
	indices   []int          // by slot: which entry of its list the group is
	split     splitEntry
	// preferred are the entries that were found for enclosing lists.
	preferred map[*enclosingList]preferredEntry
	terms     int    // how many terms were written
	losses    []Loss // changes and additions
	moved     []*Moved
	rest      bool // Written.Rest
	err       *NotXML

	// Only recorded when an invoice is written for the second time.
	written map[termKey]bool
	reasons map[termKey]string // why terms and groups were not written
	implied map[termKey]bool   // terms that another one implies, so that nothing is lost without them
}

// A termKey identifies a term or, without a field, a group.
type termKey struct {
	group model.Object
	field *model.Field
}

// A preferredEntry is the entry of an enclosing list that a term is written in.
type preferredEntry struct {
	owner model.Object
	index int
}

// A splitEntry is a list entry whose element is written once for each entry of an
// inner list.
type splitEntry struct {
	group model.Object
	field *model.Field // the inner list
	index int          // of the inner entry that is being written
	// repeated means that this is not the first of these elements, so that what is
	// beside the inner list has been written before.
	repeated bool
}

func (w *writer) document() {
	w.slots = make([]model.Object, w.plan.slots)
	w.indices = make([]int, w.plan.slots)
	w.slots[0] = w.invoice
	w.out = append(make([]byte, 0, 8<<10), `<?xml version="1.0" encoding="UTF-8"?>`...)
	root := w.plan.root
	w.out = append(append(append(w.out, "\n<"...), root.tag...), w.plan.namespaces...)
	w.afterName(root)
	w.out = append(w.out, '\n')
}

// contentKind says where the content of an element or attribute is from.
type contentKind uint8

const (
	noContent      contentKind = iota
	tableContent               // the table: it is the same for every invoice
	invoiceContent             // the invoice
)

// element writes an element as often as it occurs.
func (w *writer) element(e *writeElement) contentKind {
	if e.list != nil {
		return w.entries(e)
	}
	if e.sealed && !e.always && !w.belongsTo(e) {
		return noContent
	}
	if e.alternatives != nil && !isBestAlternative(e, w.alternativeGroup(e)) {
		return noContent
	}
	if e.always {
		return w.once(e, invoiceContent)
	}
	return w.once(e, noContent)
}

// entries writes an element for each entry of its list.
func (w *writer) entries(e *writeElement) contentKind {
	l := e.list
	if !w.belongsHere(l.enclosing) {
		return noContent
	}
	owner := w.owner(&l.fieldPath)
	list := owner.List(l.field)
	from, to := 0, list.Len()
	if w.split.field == l.field && w.split.group == owner {
		from, to = w.split.index, w.split.index+1
		defer func(repeated bool) { w.split.repeated = repeated }(w.split.repeated)
		w.split.repeated = false
	}
	mayMove := e.alternatives != nil || l.split != nil
	if mayMove && (e.alternatives == nil || e.alternatives[0].element == e) {
		w.moved = append(w.moved, &Moved{Group: owner, Field: l.field, Split: l.split})
	}
	outer, outerIndex := w.slots[l.openSlot], w.indices[l.openSlot]
	content, passedOver := noContent, false
	for i := from; i < to && w.ctx.Err() == nil; i++ {
		entry := list.At(i)
		switch {
		case l.limit > 0 && i >= l.limit && !w.unlimited:
			w.setReason(entry, nil, fmt.Sprintf("the schema of %s allows %d <%s> at most", w.format.Name, l.limit, e.tag))
			continue
		case e.alternatives != nil && !isBestAlternative(e, entry):
			passedOver = true
			continue
		case passedOver && e.alternatives[0].element == e:
			w.addLoss(Loss{Kind: Changed, Group: entry, Reason: w.format.Name + " groups these entries, which changes their order"})
			passedOver = false
		}
		w.slots[l.openSlot], w.indices[l.openSlot] = entry, i
		if mayMove {
			w.placed(owner, l, i)
		}
		content = w.entry(e, entry)
	}
	w.slots[l.openSlot], w.indices[l.openSlot] = outer, outerIndex
	return content
}

// placed records that an entry is written next, as often as it is split.
func (w *writer) placed(owner model.Object, l *writeList, i int) {
	at := len(w.moved) - 1
	for at >= 0 && (w.moved[at].Group != owner || w.moved[at].Field != l.field) {
		at-- // over lists inside earlier entries
	}
	if at < 0 {
		return
	}
	times := 1
	if l.split != nil {
		times = max(1, owner.List(l.field).At(i).List(l.split).Len())
	}
	for inner := range times {
		w.moved[at].From = append(w.moved[at].From, Place{i, inner})
	}
}

func (m *Moved) isMoved() bool {
	for place, from := range m.From {
		if from != (Place{Entry: place}) {
			return true
		}
	}
	return false
}

// entry writes the element of a list entry: once, or once for each entry of the
// inner list that splits it. That the entry exists counts as content.
func (w *writer) entry(e *writeElement, entry model.Object) contentKind {
	n := 0
	if e.list.split != nil {
		n = entry.List(e.list.split).Len()
	}
	switch {
	case e.list.splits && !isEmpty(entry):
		return w.once(e, noContent)
	case n < 2:
		return w.once(e, invoiceContent)
	}
	outer := w.split
	for i := range n {
		w.split = splitEntry{group: entry, field: e.list.split, index: i, repeated: i > 0}
		w.once(e, invoiceContent)
	}
	w.split = outer
	w.addLoss(Loss{Kind: Changed, Group: entry, Reason: fmt.Sprintf("the schema of %s allows one entry of %s in each <%s>, so that this is written %d times", w.format.Name, e.list.split.Name, e.tag, n)})
	return invoiceContent
}

// once writes an element one time, and removes it again if it has no content.
// content is what it has even if it is empty.
func (w *writer) once(e *writeElement, content contentKind) contentKind {
	start, losses := len(w.out), len(w.losses)
	w.depth++
	w.newline(w.depth)
	w.out = append(append(w.out, '<'), e.tag...)
	var outer [maxGroups]model.Object
	for i := range e.groups {
		g := &e.groups[i]
		outer[i] = w.slots[g.openSlot]
		w.slots[g.openSlot] = model.Object{Type: g.field.Elem}
		if w.belongsHere(g.enclosing) {
			w.slots[g.openSlot] = w.owner(&g.fieldPath).Group(g.field)
		}
		if !g.around && isEmpty(w.slots[g.openSlot]) {
			content = invoiceContent
		}
	}
	content = max(content, w.afterName(e))
	w.depth--
	if v := e.text; content == invoiceContent && v != nil && v.kind == valueTerm {
		if owner := w.owner(&v.fieldPath); !owner.Has(v.field) {
			w.addLoss(Loss{Kind: Added, Group: owner, Field: v.field, Reason: "<" + e.tag + "> is there for what belongs to it, and is empty itself"})
		}
	}
	for i := range e.groups {
		w.slots[e.groups[i].openSlot] = outer[i]
	}
	// An element that has content of the table only is kept if it can never have any
	// other; the element around it then decides whether both are removed.
	if content == noContent || content == tableContent && e.children != nil && !e.tableOnly {
		w.out, w.losses = w.out[:start], w.losses[:losses]
		return noContent
	}
	w.rest = w.rest || e.rest
	return content
}

// belongsTo reports whether the group that a sealed element is exists.
func (w *writer) belongsTo(e *writeElement) bool {
	g := &e.groups[0]
	return w.owner(&g.fieldPath).Group(g.field).Present()
}

// isEmpty reports whether a group is present without anything in it.
func isEmpty(group model.Object) bool {
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

// afterName writes everything of an element that follows its name.
func (w *writer) afterName(e *writeElement) contentKind {
	content := w.attributes(e)
	w.out = append(w.out, '>')
	tagEnd := len(w.out)
	if e.text != nil {
		content = max(content, w.value(e.text, false))
	}
	textEnd := len(w.out)
	for _, child := range e.children {
		content = max(content, w.element(child))
	}
	switch {
	case len(w.out) == tagEnd:
		w.out = append(w.out[:tagEnd-1], "/>"...)
		return content
	case len(w.out) > textEnd:
		w.newline(w.depth)
	}
	w.out = append(append(append(w.out, "</"...), e.tag...), '>')
	return content
}

func (w *writer) newline(depth int) {
	w.out = append(w.out, '\n')
	for range depth {
		w.out = append(w.out, "  "...)
	}
}

// owner is the group that a field belongs to; it may be absent.
func (w *writer) owner(p *fieldPath) model.Object {
	object := w.slots[p.slot]
	for i := range p.links {
		f := p.links[i].field
		if f.Kind == model.KindGroup {
			object = object.Group(f)
			continue
		}
		index, list := 0, object.List(f)
		if w.split.field == f && w.split.group == object {
			index = w.split.index
		}
		if index >= list.Len() {
			return model.Object{}
		}
		object = list.At(index)
	}
	return object
}
