package binding

import (
	"fmt"
	"slices"
	"strings"

	"einvoice/model"
	"einvoice/model/source"
)

// A Fate is what became of an element or attribute of a document.
type Fate uint8

// The fates.
const (
	// Unread means that it is in the losses.
	Unread Fate = iota
	// Structure is an element that only holds others.
	Structure
	// Derived is what follows from the invoice: a fixed value, a currency that is
	// the invoice's, a value that repeats another.
	Derived
	// Carried is a term or group of the invoice.
	Carried
)

// An Account says of everything in a document what became of it.
type Account struct {
	Elements   []Fate // by source.Node
	Attributes []Fate // by source.Attr
	// Losses are the elements and attributes that were not read, in their order.
	Losses []Loss
}

// ReadAll is Read with an account of the whole document.
func (f *Format) ReadAll(tree *source.Tree) (*model.Invoice, *Account, error) {
	a := &Account{Elements: make([]Fate, len(tree.Elements)), Attributes: make([]Fate, len(tree.Attributes))}
	k := &keeper{Account: a, tree: tree, why: map[source.Ref]reason{}}
	invoice, err := f.read(tree, k)
	if err != nil {
		return nil, nil, err
	}
	k.report(f.Name)
	return invoice, a, nil
}

// A keeper keeps the account while a document is read.
type keeper struct {
	*Account
	tree   *source.Tree
	why    map[source.Ref]reason
	labels []label
}

// A label is a value that says what the element around it is.
type label struct {
	ref    source.Ref
	around source.Node
	of     *place
}

// A reason is why something that has a place in the table was not read.
type reason struct {
	text  string
	group model.Object
	field *model.Field
}

func (k *keeper) mark(ref source.Ref, fate Fate) {
	into := &k.Elements[max(0, int(ref))]
	if ref < 0 {
		into = &k.Attributes[-1-ref]
	}
	*into = max(*into, fate)
}

// entered notes an element that has a place, and the values in it that only say
// which place that is.
func (k *keeper) entered(r *reader, p *place, n source.Node) {
	k.mark(n.Ref(), Structure)
	for i := range p.when {
		if value, ok := r.expected(&p.when[i]); ok {
			k.matched(&p.when[i], value, n, 0, label{around: n, of: p})
		}
	}
	for i := range p.written {
		k.matched(&p.written[i], p.written[i].value, n, 0, label{around: n, of: p})
	}
}

// label notes that a value says what the element around it is.
func (k *keeper) label(l label, ref source.Ref) {
	l.ref = ref
	k.labels = append(k.labels, l)
	k.mark(ref, Derived)
}

// unlabel takes labels back that stand at nothing: a tax scheme without the
// identifier that it is about follows from no term.
func (k *keeper) unlabel() {
	for _, l := range k.labels {
		if len(l.of.opens) > 0 || k.carriedWithin(l.around) {
			continue
		}
		into := &k.Elements[max(0, int(l.ref))]
		if l.ref < 0 {
			into = &k.Attributes[-1-l.ref]
		}
		if *into == Derived {
			*into = Unread
			k.why[l.ref] = reason{text: "it says what the element around it is about, and that is not there"}
		}
	}
}

func (k *keeper) carriedWithin(n source.Node) bool {
	for end := k.tree.Elements[n].End; n < end; n++ {
		e := &k.tree.Elements[n]
		if k.Elements[n] == Carried || slices.Contains(k.Attributes[e.FirstAttr:e.FirstAttr+source.Attr(e.Attrs)], Carried) {
			return true
		}
	}
	return false
}

// matched notes what meets a condition, and the elements around it.
func (k *keeper) matched(c *condition, value string, n source.Node, depth int, l label) {
	if depth == len(c.path) {
		if c.attr == source.NoName {
			if c.accepts(k.tree.Text(n), value) {
				k.label(l, n.Ref())
			}
		} else if a, ok := k.tree.Attr(n, c.attr); ok && c.accepts(k.tree.Attributes[a].Value, value) {
			k.label(l, a.Ref())
		}
		return
	}
	for child := range k.tree.Children(n) {
		if k.tree.Name(child) == c.path[depth] {
			if c.kind != conditionExists {
				k.mark(child.Ref(), Structure)
			}
			k.matched(c, value, child, depth+1, l)
		}
	}
}

// bound notes a term that was read.
func (k *keeper) bound(ref source.Ref, n source.Node, d *dates, f *model.Field) {
	k.mark(ref, Carried)
	if f.Kind == model.KindDate && d.attribute != source.NoName {
		if a, ok := k.tree.Attr(n, d.attribute); ok {
			k.mark(a.Ref(), Derived)
		}
	}
}

// unbound notes a term that was not read, because it has a value already or its
// group is another element. What it repeats needs no report.
func (k *keeper) unbound(l *leaf, raw string, ref source.Ref, n source.Node, object model.Object, p *plan) {
	name := strings.TrimSpace(l.field.BT + " " + l.field.Term)
	switch {
	case !object.Present():
		k.why[ref] = reason{text: "the invoice has one group for " + name + ", which another element is already", field: l.field}
	case object.RefOf(l.field) == ref:
	case trim(object.Raw(l.field)) == trim(raw):
		k.mark(ref, Derived)
		for _, about := range []source.Name{p.currency, p.dates.attribute} {
			if a, ok := k.tree.Attr(n, about); ok && ref > 0 {
				k.mark(a.Ref(), Derived)
			}
		}
	default:
		k.why[ref] = reason{text: "the invoice has one " + name + ", which is read already", group: object, field: l.field}
	}
}

// undated notes a date that is not written as one.
func (k *keeper) undated(l *leaf, ref source.Ref, d *dates) {
	k.why[ref] = reason{text: fmt.Sprintf("a date is written with %s=%q", d.attribute, d.value), field: l.field}
}

// report lists what was not read. An attribute that says where the schema is
// tells nothing about the invoice.
func (k *keeper) report(format string) {
	k.unlabel()
	for n := k.tree.Root(); int(n) < len(k.tree.Elements); n++ {
		leaf := k.tree.FirstChild(n) == 0
		text := trim(k.tree.Text(n))
		if fate := k.Elements[n]; fate == Unread && (leaf || text != "") || fate == Structure && text != "" {
			k.lose(n.Ref(), text, format)
		} else if fate == Unread {
			k.Elements[n] = Structure // what is inside is reported by itself
		}
		e := &k.tree.Elements[n]
		for a := e.FirstAttr; a < e.FirstAttr+source.Attr(e.Attrs); a++ {
			at := &k.tree.Attributes[a]
			if k.Attributes[a] != Unread {
				continue
			}
			if k.tree.NameOf(at.Name).URI == source.Prefixes["xsi"] {
				k.Attributes[a] = Derived
				continue
			}
			k.lose(a.Ref(), at.Value, format)
		}
	}
}

func (k *keeper) lose(ref source.Ref, value, format string) {
	if ref > 0 {
		k.Elements[ref] = Unread
	}
	why := k.why[ref]
	if why.text == "" {
		why.text = "EN 16931 has no term for it in " + format
	}
	k.Losses = append(k.Losses, Loss{Kind: Lost, Ref: ref, Group: why.group, Field: why.field, Value: value, Reason: why.text})
}
