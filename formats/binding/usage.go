package binding

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"einvoice/model"
	"einvoice/model/source"
)

// A Use is what an element or attribute of a document was used for.
type Use uint8

// The uses, the strongest last.
const (
	// Unused is an element or attribute that is listed in the losses.
	Unused Use = iota
	// Structural is an element that only contains others.
	Structural
	// Derived is what follows from the rest of the invoice: a fixed value, a
	// currency that is the invoice's, a value that repeats another.
	Derived
	// Bound is a term or group of the invoice.
	Bound
)

// A Usage says of everything in a document what it was used for.
type Usage struct {
	Elements   []Use // by source.Node
	Attributes []Use // by source.Attr
	// Losses are the elements and attributes that were not used, in document order.
	Losses []Loss
}

// Of is the use of an element or attribute.
func (u *Usage) Of(ref source.Ref) Use { return *u.at(ref) }

func (u *Usage) at(ref source.Ref) *Use {
	if ref < 0 {
		return &u.Attributes[ref.Attribute()]
	}
	return &u.Elements[ref]
}

// ReadWithUsage is Read that also says what the whole document was used for, until the context
// ends.
func (f *Format) ReadWithUsage(ctx context.Context, tree *source.Tree) (*model.Invoice, *Usage, error) {
	u := &Usage{Elements: make([]Use, len(tree.Elements)), Attributes: make([]Use, len(tree.Attributes))}
	recorder := &usageRecorder{Usage: u, tree: tree, reasons: map[source.Ref]unusedReason{}}
	invoice, err := f.read(ctx, tree, model.NewMemory(), recorder)
	if err != nil {
		return nil, nil, err
	}
	if err := recorder.report(ctx, f.Name); err != nil {
		return nil, nil, err
	}
	return invoice, u, nil
}

// A usageRecorder records the usage of a document while it is read.
type usageRecorder struct {
	*Usage
	tree       *source.Tree
	reasons    map[source.Ref]unusedReason
	qualifiers []qualifier
}

// A qualifier is a value that says what the element around it is.
type qualifier struct {
	ref     source.Ref
	node    source.Node // the element around it
	element *readElement
}

// An unusedReason is why an element or attribute that a row binds was not read.
type unusedReason struct {
	text  string
	group model.Object
	field *model.Field
}

// mark records a use, unless a stronger one is recorded.
func (u *usageRecorder) mark(ref source.Ref, use Use) {
	at := u.at(ref)
	*at = max(*at, use)
}

// entered records an element that a row binds, and its qualifiers.
func (u *usageRecorder) entered(r *reader, e *readElement, n source.Node) {
	u.mark(n.Ref(), Structural)
	for i := range e.conditions {
		if value, ok := r.expected(&e.conditions[i]); ok {
			u.qualified(&e.conditions[i], value, n, 0, qualifier{node: n, element: e})
		}
	}
	for i := range e.unchecked {
		u.qualified(&e.unchecked[i], e.unchecked[i].value, n, 0, qualifier{node: n, element: e})
	}
}

// qualified records what meets a condition as qualifiers, and the elements around
// them.
func (u *usageRecorder) qualified(c *condition, value string, n source.Node, depth int, q qualifier) {
	if depth == len(c.path) {
		if c.attr == source.NoName {
			if c.accepts(u.tree.Text(n), value) {
				u.addQualifier(q, n.Ref())
			}
		} else if a, ok := u.tree.Attr(n, c.attr); ok && c.accepts(u.tree.Attributes[a].Value, value) {
			u.addQualifier(q, a.Ref())
		}
		return
	}
	for child := range u.tree.Children(n) {
		if u.tree.Name(child) == c.path[depth] {
			if c.kind != conditionExists {
				u.mark(child.Ref(), Structural)
			}
			u.qualified(c, value, child, depth+1, q)
		}
	}
}

func (u *usageRecorder) addQualifier(q qualifier, ref source.Ref) {
	q.ref = ref
	u.qualifiers = append(u.qualifiers, q)
	u.mark(ref, Derived)
}

// dropIdleQualifiers marks qualifiers as unused if their element holds no term: a
// tax scheme without the identifier that it qualifies does not follow from any
// term.
func (u *usageRecorder) dropIdleQualifiers() {
	if len(u.qualifiers) == 0 {
		return
	}
	terms := u.termsBefore()
	for _, q := range u.qualifiers {
		if len(q.element.groups) > 0 || terms[u.tree.Elements[q.node].End] > terms[q.node] {
			continue
		}
		if at := u.at(q.ref); *at == Derived {
			*at = Unused
			u.reasons[q.ref] = unusedReason{text: "it says what the element around it is about, and that is not there"}
		}
	}
}

// termsBefore counts the elements before each one that hold a term themselves.
func (u *usageRecorder) termsBefore() []int32 {
	counts := make([]int32, len(u.tree.Elements)+1)
	for n := range u.tree.Elements {
		e := &u.tree.Elements[n]
		counts[n+1] = counts[n]
		if u.Elements[n] == Bound || slices.Contains(u.Attributes[e.FirstAttr:e.FirstAttr+source.Attr(e.Attrs)], Bound) {
			counts[n+1]++
		}
	}
	return counts
}

// bound records a term that was read.
func (u *usageRecorder) bound(ref source.Ref, n source.Node, d *dateFormat, f *model.Field) {
	u.mark(ref, Bound)
	if f.Kind == model.KindDate && d.attribute != source.NoName {
		if a, ok := u.tree.Attr(n, d.attribute); ok {
			u.mark(a.Ref(), Derived)
		}
	}
}

// notBound records a term that was not read because it has a value already, or
// because another element is its group. A repetition of the same value is derived.
func (u *usageRecorder) notBound(v *termValue, raw string, ref source.Ref, n source.Node, object model.Object, p *readPlan) {
	name := strings.TrimSpace(v.field.BT + " " + v.field.Term)
	switch {
	case !object.Present():
		u.reasons[ref] = unusedReason{text: "the invoice has one group for " + name + ", which another element is already", field: v.field}
	case object.RefOf(v.field) == ref:
	case trim(object.Raw(v.field)) == trim(raw) && u.sameCurrency(v, object, n, p):
		u.mark(ref, Derived)
		for _, name := range []source.Name{p.currency, p.dates.attribute} {
			if a, ok := u.tree.Attr(n, name); ok && ref > 0 {
				u.mark(a.Ref(), Derived)
			}
		}
	default:
		u.reasons[ref] = unusedReason{text: "the invoice has one " + name + ", which is read already", group: object, field: v.field}
	}
}

// sameCurrency reports whether an amount is in the currency of the term that it could
// repeat. Other terms have none.
func (u *usageRecorder) sameCurrency(v *termValue, object model.Object, n source.Node, p *readPlan) bool {
	if v.field.Kind != model.KindAmount {
		return true
	}
	a, ok := u.tree.Attr(n, p.currency)
	currency := object.Amount(v.field).Currency
	return ok == currency.Present && (!ok || trim(u.tree.Attributes[a].Value) == trim(currency.Raw))
}

// notADate records a date that is not in the format of the table.
func (u *usageRecorder) notADate(v *termValue, ref source.Ref, d *dateFormat) {
	u.reasons[ref] = unusedReason{text: fmt.Sprintf("a date is written with %s=%q", d.attribute, d.value), field: v.field}
}

// report lists everything that was not used.
func (u *usageRecorder) report(ctx context.Context, format string) error {
	u.dropIdleQualifiers()
	for n := u.tree.Root(); int(n) < len(u.tree.Elements); n++ {
		if n%elementsPerLook == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		leaf := u.tree.FirstChild(n) == 0
		text := trim(u.tree.Text(n))
		if use := u.Elements[n]; use == Unused && (leaf || text != "") || use == Structural && text != "" {
			u.addLoss(n.Ref(), text, format)
		} else if use == Unused {
			u.Elements[n] = Structural // what is inside it is reported instead
		}
		e := &u.tree.Elements[n]
		for a := e.FirstAttr; a < e.FirstAttr+source.Attr(e.Attrs); a++ {
			attribute := &u.tree.Attributes[a]
			if u.Attributes[a] != Unused {
				continue
			}
			// An attribute such as xsi:schemaLocation says nothing about the invoice.
			if u.tree.NameOf(attribute.Name).URI == source.Prefixes["xsi"] {
				u.Attributes[a] = Derived
				continue
			}
			u.addLoss(a.Ref(), attribute.Value, format)
		}
	}
	return nil
}

func (u *usageRecorder) addLoss(ref source.Ref, value, format string) {
	if ref > 0 {
		u.Elements[ref] = Unused
	}
	reason := u.reasons[ref]
	if reason.text == "" {
		reason.text = "EN 16931 has no term for it in " + format
	}
	u.Losses = append(u.Losses, Loss{Kind: Lost, Ref: ref, Group: reason.group, Field: reason.field, Value: value, Reason: reason.text})
}
