// Package transform makes a document of another format or profile, and validates it.
//
//	made, err := transform.Document(ctx, pages, "xrechnung", doc, transform.Options{})
//	missing := transform.Missing(made.Report, doc.Invoice)
//
// Missing lists the terms that the document lacks for its new profile; Options supply them.
package transform

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"einvoice/formats"
	"einvoice/formats/binding"
	"einvoice/model"
	"einvoice/model/compute"
	"einvoice/model/problem"
	"einvoice/service/catalogue"
	"einvoice/service/create"
	"einvoice/service/render"
	"einvoice/service/write"
)

// Options say into what a document is transformed.
type Options struct {
	write.Options
	// BuyerReference is BT-10; the document's own is kept without it.
	BuyerReference string
	// Supply is terms that the document lacks. Amounts that follow from them and from the
	// rest are computed, where the document lacks these as well.
	Supply Supply
}

// buyerReference is the path of the term that has an option of its own.
const buyerReference = "buyerReference"

// Document makes a document of another format from one that was read. Its report says whether
// it is valid: its sender has to supply what the new profile demands. A document that is not
// valid is XML, whatever the format. Document changes the invoice: its specification
// identifier becomes that of the format. An error is a *problem.WrongOptions or a
// *problem.Error for options that do not exist, or a *write.Refused, unless the context ended
// or the rules themselves cannot be run.
func Document(ctx context.Context, p *render.Pages, format string, doc *model.Document, t Options) (*write.Made, error) {
	switch {
	case p.Rules() == nil:
		return nil, errors.New("there are no pages to make documents with; take those of operation.Open")
	case doc == nil || doc.Invoice == nil:
		return nil, errors.New("there is no document to transform; give one that was read")
	}
	if f := catalogue.Named(format); !t.Syntax.Present && f != nil && f.Create != nil && slices.Contains(f.Create.Syntaxes, doc.Syntax) {
		t.Syntax = model.NewText(string(doc.Syntax)) // a format of several syntaxes keeps that of the document
	}
	out, err := create.Find(p, format, &t.Options)
	if err != nil {
		return nil, err
	}
	before := *doc.Invoice
	empty, err := dropEmpty(ctx, doc)
	if err != nil {
		return nil, err
	}
	out.Stamp(doc.Invoice)
	if _, also := t.Supply[buyerReference]; also && t.BuyerReference != "" {
		return nil, &problem.Error{Code: problem.CodeOption, Message: "the buyer reference (BT-10) is given twice, as an option and as a term", Remedy: "give one of them", Field: buyerReference}
	}
	if t.BuyerReference != "" {
		doc.Invoice.BuyerReference = model.NewText(t.BuyerReference)
	}
	if len(t.Supply) > 0 {
		if wrong := t.Supply.into(doc.Invoice); wrong != nil {
			return nil, &problem.WrongOptions{Wrong: wrong}
		}
		compute.Complete(doc.Invoice, compute.Options{})
	}
	written, err := out.Write(ctx, doc)
	if err != nil {
		return nil, err
	}
	losses := slices.Concat(written.Losses, written.Left, Changed(doc, &before), empty)
	report, err := out.Check(ctx, written)
	if err != nil {
		return nil, err
	}
	made := out.Made(written, doc.Invoice, losses, report)
	if !report.Valid {
		write.WithoutPlaces(report) // the document is not delivered
		return made, nil
	}
	return p.Deliver(ctx, doc.Invoice, out, made)
}

// dropEmpty takes texts out of the invoice that say nothing, which profiles forbid, and
// reports them. The context is asked for each entry of a list, and ends it with its error.
func dropEmpty(ctx context.Context, doc *model.Document) (out []formats.Loss, err error) {
	var drop func(at *place, o model.Object)
	drop = func(at *place, o model.Object) {
		for i := range o.Type.Fields {
			f := &o.Type.Fields[i]
			here := place{within: at, name: f.Name, index: -1}
			switch {
			case !o.Has(f):
			case f.Kind == model.KindGroup:
				drop(&here, o.Group(f))
			case f.Kind == model.KindList:
				for i := range o.List(f).Len() {
					if ctx.Err() != nil {
						return
					}
					here.index = i
					drop(&here, o.List(f).At(i))
				}
			case f.Kind == model.KindText && strings.TrimSpace(o.Raw(f)) == "":
				loss := formats.Loss{Kind: binding.Changed, Field: here.String(), BTCode: f.BT, Reason: "an element that says nothing is left out"}
				if ref := o.RefOf(f); ref != 0 && doc.Source != nil {
					place := doc.Source.Position(ref)
					loss.Line, loss.Column, loss.Path = place.Line, place.Column, doc.Source.Path(ref)
				}
				out = append(out, loss)
				o.Clear(f)
			}
		}
	}
	drop(nil, model.ObjectOf(doc.Invoice))
	return out, ctx.Err()
}

// A place is where in the invoice a field is. Its path is written where somebody asks: most
// fields of a document have a text.
type place struct {
	within *place
	name   string
	index  int // of the entry of a list; -1 for none
}

func (p *place) String() string {
	if p == nil {
		return ""
	}
	path := model.Join(p.within.String(), p.name)
	if p.index >= 0 {
		path += fmt.Sprintf("[%d]", p.index)
	}
	return path
}

// Changed reports the terms of a document that were replaced, by what its invoice was before; none of a document
// without an invoice or a source.
func Changed(doc *model.Document, before *model.Invoice) (out []formats.Loss) {
	if doc == nil || doc.Invoice == nil || doc.Source == nil || before == nil {
		return nil
	}
	for _, name := range []string{"businessProcessType", "buyerReference", "specificationId"} {
		field, _ := model.InvoiceType().Field(name)
		was, is := model.ObjectOf(before).Text(field), model.ObjectOf(doc.Invoice).Text(field)
		if !was.Present || strings.TrimSpace(was.Raw) == strings.TrimSpace(is.Raw) {
			continue
		}
		at := doc.Source.Position(was.Ref)
		out = append(out, formats.Loss{
			Kind: binding.Changed, Line: at.Line, Column: at.Column, Path: doc.Source.Path(was.Ref),
			Field: name, BTCode: field.BT, Value: was.Raw, Reason: "the target asks for " + is.Raw,
		})
	}
	return out
}
