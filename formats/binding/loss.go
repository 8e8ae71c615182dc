package binding

import (
	"strconv"
	"strings"

	"einvoice/model"
	"einvoice/model/source"
)

// A Kind says what became of something that was not carried over as it is.
type Kind string

const (
	// Lost means that it has no place.
	Lost Kind = "lost"
	// Changed means that it is there, but not as it was.
	Changed Kind = "changed"
	// Added means that the target demands something that was not there.
	Added Kind = "added"
)

// A Loss is something that differs between an invoice and a document.
type Loss struct {
	Kind Kind
	// Ref is the element or attribute of the document that was read; 0 for an
	// invoice that came from none.
	Ref source.Ref
	// Group and Field are the term concerned; no term of the invoice without
	// Group, the group as a whole without Field.
	Group  model.Object
	Field  *model.Field
	Value  string
	Reason string
}

// lose notes a change or an addition.
func (w *writer) lose(l Loss) {
	if l.Ref = l.Group.Ref(); l.Field != nil && l.Group.RefOf(l.Field) != 0 {
		l.Ref = l.Group.RefOf(l.Field)
	}
	w.losses = append(w.losses, l)
}

// leave gives the reason why a term or group is not written.
func (w *writer) leave(group model.Object, f *model.Field, reason string) {
	if w.why != nil {
		w.why[spot{group, f}] = reason
	}
}

// place notes that a term was written.
func (w *writer) place(group model.Object, f *model.Field) {
	if !w.parted.again {
		w.placed++
	}
	if w.seen != nil {
		w.seen[spot{group, f}] = true
	}
}

// countTerms counts the terms of a group and of all inside.
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

// unplaced is everything that was noted, and every term that was not written.
func (w *writer) unplaced(root string) []Loss {
	u := unplaced{writer: w, root: root}
	u.group("", w.invoice, "")
	return append(u.losses, w.losses...)
}

type unplaced struct {
	*writer
	root   string
	losses []Loss
	places map[string][]string // of the format, by model path
}

func (u *unplaced) group(path string, o model.Object, why string) {
	for i := range o.Type.Fields {
		f := &o.Type.Fields[i]
		path := model.Join(path, f.Name)
		switch f.Kind {
		case model.KindGroup:
			if g := o.Group(f); g.Present() {
				u.group(path, g, why)
			}
		case model.KindList:
			list := o.List(f)
			for i := range list.Len() {
				entry := list.At(i)
				inside := why
				if reason := u.why[spot{entry, nil}]; reason != "" {
					inside = reason
				}
				u.group(path, entry, inside)
			}
		default:
			if at := (spot{o, f}); o.Has(f) && !u.seen[at] {
				u.losses = append(u.losses, Loss{
					Kind: Lost, Ref: o.RefOf(f), Group: o, Field: f, Value: o.Raw(f), Reason: u.reason(path, why, at),
				})
			}
		}
	}
}

// reason says why a term was not written.
func (u *unplaced) reason(path, why string, at spot) string {
	if reason := u.why[at]; reason != "" {
		return reason
	}
	if why != "" {
		return why
	}
	if u.places == nil {
		u.places = map[string][]string{}
		for _, t := range u.format.Terms() {
			u.places[t.Path] = t.XML
		}
	}
	for _, xml := range u.places[path] {
		if below, ok := strings.CutPrefix(xml, "/"+u.root+"/"); ok || !strings.HasPrefix(xml, "/") {
			return u.format.Name + " has it in " + below + ", and the invoice has nothing that makes this element"
		}
	}
	return u.format.Name + " has no place for it in " + u.root
}

// pathOf is the path of a term in an invoice, with the numbers of list entries.
func pathOf(in, group model.Object, f *model.Field) string {
	path, _ := findGroup("", in, group)
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
