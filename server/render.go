package server

import (
	"context"

	"einvoice/formats"
	"einvoice/model"
	"einvoice/service"
)

// postRender is POST /v1/render/{format}/to/pdf, for documents of one syntax or, for
// XRechnung, of both. Whether the invoice is valid is not asked: who received a
// faulty one needs to see what is in it all the more.
func (s *Server) postRender(format *service.Format) handler {
	return func(x *exchange) error {
		return s.withBody(x, func(v *visit) error {
			up, err := s.readUpload(x, v, takePageLanguage, takeLook, takeDate)
			if err != nil {
				return err
			}
			return s.inTurn(x, renderCost, func(ctx context.Context, book *rulebook) error {
				pages, err := renderPDF(ctx, x, book, up, format.Render)
				if err != nil {
					return err
				}
				s.metrics.made("render", format.Name, nil, true)
				document, losses := newMadeDocument(pages.Data, service.MediaTypePDF, pages.FileName), lossesOf(pages.Losses)
				return x.sendMade(document, struct {
					madeDocument
					*LossReport
				}{document, losses}, losses.headers())
			})
		})
	}
}

func renderPDF(ctx context.Context, x *exchange, book *rulebook, up upload, format *service.FormatToRender) (*service.Rendered, error) {
	date, err := up.date()
	if err != nil {
		return nil, err
	}
	doc, err := book.service.Read(ctx, up.data, service.Accept{Legacy: true}) // a PDF has its pages already
	if err != nil {
		return nil, err
	}
	if !format.Shows(doc.Syntax) {
		return nil, newProblem(codeSyntaxMismatch, "The document is in %s. Send it to /v1/render/%s/to/pdf.", doc.Syntax.Label(), rendering(doc.Syntax))
	}
	x.tellLegacy(formats.LegacyName(doc))
	return book.service.Render(doc, service.Rendering{Language: up.language(), Look: up.options[optionLook], Date: date})
}

// rendering is the name of the format that documents of a syntax are shown by.
func rendering(syntax model.Syntax) string {
	for _, f := range service.Formats() {
		if f.Render != nil && f.Render.Shows(syntax) {
			return f.Name
		}
	}
	return ""
}
