package create

import (
	"context"
	"slices"
	"strings"

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

// Transform makes a document of another format out of one that was read. Its
// report says whether it is valid: what it lacks for its new profile is for its
// sender to supply. One that is not valid is XML, whatever the format. The
// document's invoice is changed: the specification identifier becomes that of the
// format. An error is a *WrongOption or a *Refused, unless the rules themselves
// cannot be run.
func (c *Creator) Transform(ctx context.Context, format string, doc *model.Document, t Transform) (*Made, error) {
	if !t.Syntax.Present { // a format of both syntaxes keeps that of the document
		if target, err := targetOf(format); err == nil && slices.Contains(target.Syntaxes, doc.Syntax) {
			t.Syntax = model.NewText(string(doc.Syntax))
		}
	}
	plan, err := c.plan(format, &t.Options)
	if err != nil {
		return nil, err
	}
	before := *doc.Invoice
	plan.stamp(doc.Invoice, &t.Options)
	if t.BuyerReference != "" {
		doc.Invoice.BuyerReference = model.NewText(t.BuyerReference)
	}
	conversion, err := c.write(doc, plan)
	if err != nil {
		return nil, err
	}
	losses := append(append(conversion.Losses, conversion.left...), changed(doc, &before)...)
	report, err := c.check(ctx, conversion.Data, plan)
	if err != nil {
		return nil, err
	}
	made := plan.made(conversion, losses, report)
	if !report.Valid {
		return made, nil
	}
	if err := c.deliver(ctx, made, doc.Invoice, plan, &t.Options); err != nil {
		return nil, err
	}
	return made, nil
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
