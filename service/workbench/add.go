package workbench

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"einvoice/engine"
	"einvoice/model"
	"einvoice/model/source"
	"einvoice/service/convert"
)

// AddRequest asks for the edit that adds a term with a value to a document that lacks it.
type AddRequest struct {
	Settings
	Given
	Path  string `json:"path"`  // of the term, as findings name it
	Value string `json:"value"` // "" asks alone whether it can be added
}

// Adding is how a term is added. There are no edits where no value was given, or where the term
// has no place in the document.
type Adding struct {
	Possible bool   `json:"possible"`
	BT       string `json:"bt"`
	Name     string `json:"name"`
	Edits    []Edit `json:"edits"`
}

// sampleValue stands for a value that is not known yet.
const sampleValue = "1"

// add finds where the syntax has a term: the invoice is written with it, and the element that the
// document lacks is put where it stands there.
func (d *Desk) add(ctx context.Context, r *AddRequest) (*Adding, error) {
	out := &Adding{Edits: []Edit{}}
	if r.isJSON() {
		return out, nil // its members are not in an order, and are written in the source
	}
	received, err := d.receive(ctx, &r.Given)
	if err != nil {
		return out, nil //nolint:nilerr // check says why
	}
	doc := received.Document
	with := model.Copy(doc.Invoice)
	value := r.Value
	if value == "" {
		value = sampleValue
	}
	f := set(model.ObjectOf(with), r.Path, value)
	if f == nil {
		return out, nil
	}
	whole, err := convert.Again(ctx, d.service.Service, with, doc.Syntax)
	if err != nil {
		return nil, err
	}
	p := &patch{ctx: ctx, into: doc.Source, from: whole.Source, same: map[source.Node]source.Node{whole.Source.Root(): doc.Source.Root()}}
	p.match(doc.Invoice, whole.Invoice)
	all := p.additions(doc.Invoice, whole.Invoice)
	has := func(a addition) bool {
		return slices.ContainsFunc(a.terms, func(t added) bool { return t.path == r.Path })
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	i := slices.IndexFunc(all, has)
	if i < 0 {
		return out, nil
	}
	place := slices.IndexFunc(all[i].places, func(e edit) bool { return d.readsWith(ctx, doc, e, r.Path, value) })
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if place < 0 {
		return out, nil
	}
	out.Possible, out.BT = true, f.BT
	name, known := engine.TermName(f.BT)
	if !known {
		name = f.Term
	}
	out.Name = name
	if language, err := d.language(r.Language); err == nil {
		out.Name = language.Say(name)
	}
	if r.Value == "" {
		return out, nil
	}
	out.Edits = located(doc.Source.Data, []candidate{{edits: all[i].places[place : place+1]}})[0].Edits
	return out, nil
}

// readsWith reports whether a document that an edit was made in reads as before, with a value at a
// path besides. That is tried before a place is offered: what the document has already may take
// the new element for another term.
func (d *Desk) readsWith(ctx context.Context, doc *model.Document, e edit, path, value string) bool {
	received, err := d.receive(ctx, &Given{Text: edited(doc.Source.Data, []edit{e})})
	if err != nil {
		return false
	}
	before, after := termsOf(ctx, doc.Invoice), termsOf(ctx, received.Document.Invoice)
	if len(after) != len(before)+1 || after[path].raw != value {
		return false
	}
	for at, t := range before {
		if after[at].raw != t.raw {
			return false
		}
	}
	return true
}

// set sets a term that an invoice lacks, and gives its field; nil where the path leads to no term,
// through an entry of a list that is not there, or to a term that is there.
func set(o model.Object, path, value string) *model.Field {
	for {
		step, rest, more := strings.Cut(path, ".")
		name, entry, isEntry := strings.Cut(strings.TrimSuffix(step, "]"), "[")
		f, ok := o.Type.Field(name)
		if !ok {
			return nil
		}
		switch {
		case f.Kind.IsLeaf() && !more && !isEntry && !o.Has(f):
			o.Set(f, value)
			return f
		case f.Kind == model.KindGroup && more && !isEntry:
			o = o.EnsureGroup(f)
		case f.Kind == model.KindList && more && isEntry:
			i, err := strconv.Atoi(entry)
			list := o.List(f)
			if err != nil || i < 0 || i >= list.Len() {
				return nil
			}
			o = list.At(i)
		default:
			return nil
		}
		path = rest
	}
}
