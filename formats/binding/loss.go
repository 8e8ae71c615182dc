package binding

import (
	"strconv"
	"strings"

	"einvoice/model"
	"einvoice/model/source"
)

// A Kind says how a document differs from what it was made from.
type Kind string

// The kinds of differences.
const (
	Lost    Kind = "lost"    // a value is missing, because the result has no place for it
	Changed Kind = "changed" // a value was written in another way
	Added   Kind = "added"   // the schema of the result requires a value that was absent
)

// A Loss is one difference between an invoice and a document.
type Loss struct {
	Kind Kind
	// Ref is the element or attribute of the document that the invoice was read from;
	// 0 if it was not read from a document.
	Ref source.Ref
	// Group and Field are the term concerned. Without Group the difference is not
	// about a term of the invoice; without Field it is about the group as a whole.
	Group  model.Object
	Field  *model.Field
	Value  string
	Reason string
}

// addLoss records a change or an addition.
func (w *writer) addLoss(l Loss) {
	if l.Ref = l.Group.Ref(); l.Field != nil && l.Group.RefOf(l.Field) != 0 {
		l.Ref = l.Group.RefOf(l.Field)
	}
	w.losses = append(w.losses, l)
}

// setReason records why a term or group is not written.
func (w *writer) setReason(group model.Object, f *model.Field, reason string) {
	if w.reasons != nil {
		w.reasons[termKey{group, f}] = reason
	}
}

// recordTerm records that a term was written. The terms that are written again
// because an entry is split are counted once.
func (w *writer) recordTerm(group model.Object, f *model.Field) {
	if !w.split.repeated {
		w.terms++
	}
	if w.written != nil {
		w.written[termKey{group, f}] = true
	}
}

// countTerms counts the terms of a group and of all groups inside it.
func countTerms(o model.Object) (n int) {
	for i := range o.Type.Fields {
		f := &o.Type.Fields[i]
		switch f.Kind {
		case model.KindGroup:
			if g := o.Group(f); g.Present() {
				n += countTerms(g)
			}
		case model.KindList:
			list := o.List(f)
			for i := range list.Len() {
				n += countTerms(list.At(i))
			}
		default:
			if o.Has(f) {
				n++
			}
		}
	}
	return n
}

// allLosses are the terms that were not written, and the recorded changes and
// additions.
func (w *writer) allLosses(root string) []Loss {
	c := lossCollector{writer: w, root: root}
	c.group("", w.invoice, "")
	return append(c.lost, w.losses...)
}

// A lossCollector collects the terms that were not written.
type lossCollector struct {
	*writer
	root string
	lost []Loss
}

// group collects the terms of a group and of all groups inside it. reason is why
// the whole group was not written, if that is known.
func (c *lossCollector) group(path string, o model.Object, reason string) {
	for i := range o.Type.Fields {
		f := &o.Type.Fields[i]
		path := model.Join(path, f.Name)
		switch f.Kind {
		case model.KindGroup:
			if g := o.Group(f); g.Present() {
				c.group(path, g, reason)
			}
		case model.KindList:
			list := o.List(f)
			for i := range list.Len() {
				entry := list.At(i)
				inside := reason
				if own := c.reasons[termKey{entry, nil}]; own != "" {
					inside = own
				}
				c.group(path, entry, inside)
			}
		default:
			if key := (termKey{o, f}); o.Has(f) && !c.written[key] {
				kind := Lost
				if c.implied[key] {
					kind = Changed
				}
				c.lost = append(c.lost, Loss{
					Kind: kind, Ref: o.RefOf(f), Group: o, Field: f, Value: o.Raw(f), Reason: c.reason(path, reason, key),
				})
			}
		}
	}
}

// reason is why a term was not written: the term's own reason, or that of a group
// around it, or that the format has no place for it.
func (c *lossCollector) reason(path, ofGroup string, key termKey) string {
	if own := c.reasons[key]; own != "" {
		return own
	}
	if ofGroup != "" {
		return ofGroup
	}
	for _, xml := range c.format.paths(path) {
		if below, ok := strings.CutPrefix(xml, "/"+c.root+"/"); ok || !strings.HasPrefix(xml, "/") {
			return c.format.Name + " has it in " + below + ", and the invoice has nothing that makes this element"
		}
	}
	return c.format.Name + " has no place for it in " + c.root
}

// pathOf is the path of a term in an invoice, with the indices of list entries.
func pathOf(invoice, group model.Object, f *model.Field) string {
	path, _ := findGroup("", invoice, group)
	return model.Join(path, f.Name)
}

func findGroup(path string, in, group model.Object) (string, bool) {
	if in == group {
		return path, true
	}
	for i := range in.Type.Fields {
		f := &in.Type.Fields[i]
		switch f.Kind {
		case model.KindGroup:
			if g := in.Group(f); g.Present() {
				if found, ok := findGroup(model.Join(path, f.Name), g, group); ok {
					return found, true
				}
			}
		case model.KindList:
			list := in.List(f)
			for i := range list.Len() {
				if found, ok := findGroup(model.Join(path, f.Name)+"["+strconv.Itoa(i)+"]", list.At(i), group); ok {
					return found, true
				}
			}
		}
	}
	return "", false
}
