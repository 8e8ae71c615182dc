package write

import (
	"context"
	"strconv"
	"strings"
	"sync"

	"einvoice/formats"
	"einvoice/formats/binding"
	"einvoice/model"
	"einvoice/model/pattern"
	"einvoice/service/validate"
)

// A scope is the terms and groups that a profile has, by their paths in the model.
type scope map[string]bool

// scopeOf asks the profile's own schema which terms have a place in it. It is nil
// for profiles that have all terms of the syntax.
func scopeOf(out *Output) (scope, error) {
	if out.Profile.Schema == "" {
		return nil, nil //nolint:nilnil // no scope is one that leaves nothing out
	}
	key := out.Profile.Schema + " " + string(out.Syntax)
	if known, ok := scopes.Load(key); ok {
		return known.(scope), nil //nolint:errcheck // nothing else is in it
	}
	schema, err := validate.Schema(out.Profile.Schema)
	if err != nil {
		return nil, err
	}
	format, err := formats.For(out.Syntax)
	if err != nil {
		return nil, err
	}
	s := scope{}
	// What a place depends on may come after it.
	for range 2 {
		for _, term := range format.Terms() {
			for _, xml := range term.XML {
				if schema.Knows(format.Roots[0]+"/"+binding.WithoutPredicates(xml)) && s.hasAll(reference().FindAllStringSubmatch(xml, -1)) {
					s.add(term.Path)
				}
			}
		}
	}
	scopes.Store(key, s)
	return s, nil
}

// scopes are those that were asked for, by schema and syntax: what schemas say never changes.
var scopes sync.Map

// reference is a term that a predicate compares with.
var reference = pattern.Later(`\$([A-Za-z.]+)`)

func (sc scope) hasAll(references [][]string) bool {
	for _, r := range references {
		if !sc[r[1]] {
			return false
		}
	}
	return true
}

// add puts a term into the scope, with the groups around it.
func (sc scope) add(path string) {
	for path != "" && !sc[path] {
		sc[path] = true
		path = path[:max(0, strings.LastIndexByte(path, '.'))]
	}
}

// A narrowing copies of an invoice what a profile has, and notes the rest.
type narrowing struct {
	ctx       context.Context // is asked for each entry of a list
	scope     scope
	extension string // whose terms the profile has
	doc       *model.Document
	reason    string
	losses    []formats.Loss
}

// narrow gives an invoice with only those terms that the profile has, and what it
// left out. The document's own invoice stays as it is: the pages of a PDF show all of
// it. The context ends it with its error.
func (out *Output) narrow(ctx context.Context, doc *model.Document) (*model.Invoice, []formats.Loss, error) {
	has, err := scopeOf(out)
	if err != nil {
		return nil, nil, err
	}
	n := &narrowing{ctx: ctx, scope: has, extension: out.Profile.Extension, doc: doc, reason: out.Profile.Name + " has no place for it"}
	if has == nil && !n.leavesAny(model.ObjectOf(doc.Invoice)) {
		return doc.Invoice, nil, nil
	}
	invoice := &model.Invoice{}
	n.copy("", "", model.ObjectOf(doc.Invoice), func() model.Object { return model.ObjectOf(invoice) })
	return invoice, n.losses, ctx.Err()
}

// copy copies a group. The target is made when there is something to put into it,
// so that no group is left empty.
func (n *narrowing) copy(path, at string, from model.Object, target func() model.Object) {
	var to model.Object
	into := func() model.Object {
		if !to.Present() {
			to = target()
			to.SetRef(from.Ref())
		}
		return to
	}
	for i := range from.Type.Fields {
		f := &from.Type.Fields[i]
		if !from.Has(f) {
			continue
		}
		path, at := model.Join(path, f.Name), model.Join(at, f.Name)
		switch {
		case n.scope != nil && !n.scope[path] || n.isForeign(f):
			n.leave(from, f, at)
		case f.Kind == model.KindGroup:
			n.copy(path, at, from.Group(f), func() model.Object { return into().EnsureGroup(f) })
		case f.Kind == model.KindList:
			list := from.List(f)
			for i := 0; i < list.Len() && n.ctx.Err() == nil; i++ {
				n.copy(path, at+"["+strconv.Itoa(i)+"]", list.At(i), func() model.Object { return into().AppendGroup(f) })
			}
		default:
			into().CopyLeaf(f, from)
		}
	}
}

// isForeign reports whether a term belongs to an extension that the profile does not
// have. Its schema may know the element nevertheless, for something else.
func (n *narrowing) isForeign(f *model.Field) bool {
	return f.Extension != "" && f.Extension != n.extension
}

// leavesAny reports whether a group has anything of an extension that the profile does
// not have.
func (n *narrowing) leavesAny(o model.Object) bool {
	for i := range o.Type.Fields {
		f := &o.Type.Fields[i]
		switch {
		case !o.Has(f):
		case n.isForeign(f), f.Kind == model.KindGroup && n.leavesAny(o.Group(f)):
			return true
		case f.Kind == model.KindList:
			list := o.List(f)
			for i := range list.Len() {
				if n.ctx.Err() != nil || n.leavesAny(list.At(i)) {
					return true // whoever copies then ends
				}
			}
		}
	}
	return false
}

// leave notes what is left out: a term with its value, a group by its terms, of a
// list how many there are.
func (n *narrowing) leave(from model.Object, f *model.Field, at string) {
	switch f.Kind {
	case model.KindGroup:
		group := from.Group(f)
		for i := range group.Type.Fields {
			if inner := &group.Type.Fields[i]; group.Has(inner) {
				n.leave(group, inner, model.Join(at, inner.Name))
			}
		}
		return
	case model.KindList:
		n.lose(from, f, at, formats.Loss{Entries: from.List(f).Len()})
		return
	}
	n.lose(from, f, at, formats.Loss{Value: from.Raw(f)})
}

func (n *narrowing) lose(from model.Object, f *model.Field, at string, loss formats.Loss) {
	loss.Kind, loss.Field, loss.BTCode, loss.Reason = binding.Lost, at, f.BT, n.reason
	if ref := from.RefOf(f); n.doc.Source != nil && ref != 0 {
		place := n.doc.Source.Position(ref)
		loss.Line, loss.Column, loss.Path = place.Line, place.Column, n.doc.Source.Path(ref)
	}
	n.losses = append(n.losses, loss)
}
