// Package transform makes a document of another format or profile, and validates it.
//
//	made, err := transform.Document(ctx, pages, "xrechnung", doc, transform.Options{})
//	missing := transform.Missing(made.Report, doc.Invoice)
//
// Missing lists the terms that the document lacks for its new profile; Options supply them.
package transform

import (
	"context"
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

// Document makes a document of another format from one that was read. Its report says whether
// it is valid: its sender has to supply what the new profile demands. A document that is not
// valid is XML, whatever the format. Document changes the invoice: its specification
// identifier becomes that of the format. An error is a *problem.Error for an option that does
// not exist, or a *write.Refused, unless the rules themselves cannot be run.
func Document(ctx context.Context, p *render.Pages, format string, doc *model.Document, t Options) (*write.Made, error) {
	if f := catalogue.Named(format); !t.Syntax.Present && f != nil && f.Create != nil && slices.Contains(f.Create.Syntaxes, doc.Syntax) {
		t.Syntax = model.NewText(string(doc.Syntax)) // a format of several syntaxes keeps that of the document
	}
	out, err := create.Find(p, format, &t.Options)
	if err != nil {
		return nil, err
	}
	before := *doc.Invoice
	empty := dropEmpty(doc)
	out.Stamp(doc.Invoice)
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
	losses := slices.Concat(written.Losses, written.Left, changed(doc, &before), empty)
	report, err := out.Check(ctx, written.Data)
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
// reports them.
func dropEmpty(doc *model.Document) (out []formats.Loss) {
	var drop func(path string, o model.Object)
	drop = func(path string, o model.Object) {
		for i := range o.Type.Fields {
			f := &o.Type.Fields[i]
			at := model.Join(path, f.Name)
			switch {
			case !o.Has(f):
			case f.Kind == model.KindGroup:
				drop(at, o.Group(f))
			case f.Kind == model.KindList:
				for i := range o.List(f).Len() {
					drop(fmt.Sprintf("%s[%d]", at, i), o.List(f).At(i))
				}
			case f.Kind == model.KindText && strings.TrimSpace(o.Raw(f)) == "":
				loss := formats.Loss{Kind: binding.Changed, Field: at, BTCode: f.BT, Reason: "an element that says nothing is left out"}
				if ref := o.RefOf(f); ref != 0 && doc.Source != nil {
					place := doc.Source.Position(ref)
					loss.Line, loss.Column, loss.Path = place.Line, place.Column, doc.Source.Path(ref)
				}
				out = append(out, loss)
				o.Clear(f)
			}
		}
	}
	drop("", model.ObjectOf(doc.Invoice))
	return out
}

// changed reports the terms of the document that were replaced.
func changed(doc *model.Document, before *model.Invoice) (out []formats.Loss) {
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
