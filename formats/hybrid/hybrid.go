// Package hybrid opens PDFs that invoices are attached to, for package formats, which does
// not link a reader of PDFs itself:
//
//	doc, err := formats.Read(data, formats.Options{OpenPDF: hybrid.Opener(pdf.Limits{})})
package hybrid

import (
	"context"
	"errors"
	"slices"

	"einvoice/formats"
	"einvoice/formats/pdf"
	"einvoice/formats/pdf/inspect"
	"einvoice/model"
	"einvoice/model/deadline"
	"einvoice/model/problem"
	"einvoice/model/source"
)

// Opener opens PDFs within limits. If their Bytes is zero, that of the options for reading
// applies.
func Opener(limits pdf.Limits) formats.OpenPDF {
	return func(data []byte, options formats.Options) (*formats.PDF, error) {
		c, err := pdf.Open(data, Within(limits, options))
		if err != nil {
			return nil, err
		}
		return opened(c), nil
	}
}

// Options are the defaults for reading, of PDFs as well.
func Options() formats.Options { return formats.Options{OpenPDF: Opener(pdf.Limits{})} }

// Within are the limits of a PDF that is read by the options.
func Within(limits pdf.Limits, options formats.Options) pdf.Limits {
	if limits.Bytes == 0 {
		limits.Bytes = options.Limits.Bytes
	}
	if limits.Context = options.Context; options.Context != nil {
		limits.Time = deadline.Left(options.Context, limits.Time)
	}
	return limits
}

// opened is a container as package formats has it.
func opened(c *pdf.Container) *formats.PDF {
	p := &formats.PDF{Data: c.Bytes(), Attachments: make([]*formats.Attachment, len(c.Attachments))}
	of := map[*pdf.Attachment]*formats.Attachment{}
	for i, a := range c.Attachments {
		p.Attachments[i] = &formats.Attachment{
			Name: a.Name, Description: a.Description, MIME: a.MIME, Relationship: a.Relationship,
			Created: a.Created, Modified: a.Modified, Data: a.Data,
		}
		of[a] = p.Attachments[i]
	}
	p.Invoice = func() (*formats.Attachment, error) {
		invoice, err := invoiceOf(c)
		return of[invoice], err
	}
	p.Describe = func(ctx context.Context, invoice *formats.Attachment) (*model.Container, []string, error) {
		return describe(ctx, c, c.Attachments[slices.Index(p.Attachments, invoice)])
	}
	return p
}

// invoiceOf is the attachment that is the invoice. Where there is none, the error names
// another document that is known.
func invoiceOf(c *pdf.Container) (*pdf.Attachment, error) {
	invoice, err := c.Invoice()
	if e, ok := errors.AsType[*problem.Error](err); !ok || e.Code != pdf.CodeNoInvoice {
		return invoice, err
	}
	for _, a := range c.Attachments {
		if root, ok := a.Root(); ok {
			if known := formats.Known(source.QName{URI: root.Space, Local: root.Local}); known != nil {
				known.Attachment = a.Name
				return nil, known
			}
		}
	}
	return nil, err
}

func describe(ctx context.Context, c *pdf.Container, invoice *pdf.Attachment) (*model.Container, []string, error) {
	description, err := inspect.Container(ctx, c, invoice)
	if e, ok := errors.AsType[*problem.Error](err); ok {
		e.Attachment = invoice.Name
	}
	if err != nil {
		return nil, nil, err
	}
	return description.Container, description.Pages, nil
}
