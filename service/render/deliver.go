package render

import (
	"context"
	"errors"

	"einvoice/formats/pdf/page"
	"einvoice/model"
	"einvoice/service/embed"
	"einvoice/service/write"
)

// Deliver draws pages around a valid XML if the format is a PDF. The pages show the whole
// invoice, also the terms that the profile left out of the XML.
func (p *Pages) Deliver(ctx context.Context, inv *model.Invoice, out *write.Output, made *write.Made) (*write.Made, error) {
	if inv == nil || out == nil || made == nil {
		return nil, errors.New("there is no document to put into pages")
	}
	if !out.Format.Create.PDF {
		return made, nil
	}
	pages, err := p.Draw(ctx, PDF, inv, out.Options.Look.Raw, page.Options{
		Language: out.Options.Language.Raw, Date: out.Options.Date,
		Invoice: embed.Metadata(out.Profile), Files: embed.Files(inv, made.Data, out.Profile),
	})
	if err != nil {
		return nil, err
	}
	made.Data, made.MediaType, made.FileName = pages.Data, write.MediaTypePDF, write.FileName(inv, ".pdf")
	if err := embed.Check(ctx, p.Service, made); err != nil {
		return nil, err
	}
	return made, p.Report(made.Report, pages)
}
