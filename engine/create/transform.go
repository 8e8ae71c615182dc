package create

import (
	"context"
	"strings"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/formats/binding"
	"einvoice/model"
)

// Transform says what a document is turned into.
type Transform struct {
	Options
	// BuyerReference is BT-10; the document's own is kept without it.
	BuyerReference string
}

// A Transformed document says itself whether it is valid: what it lacks for its
// new profile is for its sender to supply.
type Transformed struct {
	formats.Conversion
	FileName string
	Profile  *engine.Profile
	Report   *engine.Report // of the new document
}

// Transform makes a document of another format out of one that was read. The
// document's invoice is changed: the specification identifier becomes that of the
// format. An error is a *WrongOption or a *Refused, unless the rules themselves
// cannot be run.
func (c *Creator) Transform(ctx context.Context, format string, doc *model.Document, t Transform) (*Transformed, error) {
	plan, err := c.plan(format, &t.Options)
	if err != nil {
		return nil, err
	}
	before := *doc.Invoice
	plan.stamp(doc.Invoice, &t.Options)
	if t.BuyerReference != "" {
		doc.Invoice.BuyerReference = model.NewText(t.BuyerReference)
	}
	conversion, err := formats.Convert(doc, formats.Target{Syntax: plan.syntax, CreditNote: plan.creditNote})
	if err != nil {
		return nil, plan.unwritable(err)
	}
	conversion.Losses = append(conversion.Losses, changed(doc, &before)...)
	report, err := c.check(ctx, conversion.Data, plan)
	if err != nil {
		return nil, err
	}
	return &Transformed{Conversion: *conversion, FileName: FileName(doc.Invoice), Profile: plan.profile, Report: report}, nil
}

// changed reports the terms of the document that gave way to others.
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

// Convert makes a document in another syntax out of one that was read, which
// keeps the profile that it declares. Nothing is validated.
func (c *Creator) Convert(doc *model.Document, syntax model.Syntax) (*formats.Conversion, error) {
	creditNotes, err := c.library.CodeList("untdid-1001-credit-note")
	if err != nil {
		return nil, err
	}
	return formats.Convert(doc, formats.Target{Syntax: syntax, CreditNote: creditNotes.Contains})
}
