package server

import (
	"context"

	"einvoice/model"
	"einvoice/service"
)

// postRender is POST /v1/render/{format}/to/pdf, for documents of one syntax or, for
// XRechnung, of both. Whether the invoice is valid is not asked: who received a
// faulty one needs to see what is in it all the more.
func (s *Server) postRender(format *service.Format) handler {
	return func(x *exchange) error {
		return s.withBody(x, func(b *buffer) error {
			up, err := s.readUpload(x, b, optionLanguage, optionDate)
			if err != nil {
				return err
			}
			if err := up.fromQuery(x.request.URL.RawQuery, optionLanguage, optionDate); err != nil {
				return err
			}
			return s.inTurn(x, func(ctx context.Context, book *rulebook) error {
				pages, err := renderPDF(ctx, book, up, format.Render.Syntax)
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

func renderPDF(ctx context.Context, book *rulebook, up upload, syntax model.Syntax) (*service.Rendered, error) {
	date, err := up.date()
	if err != nil {
		return nil, err
	}
	doc, err := book.service.Read(ctx, up.data, service.Accept{}) // a PDF has its pages already
	if err != nil {
		return nil, err
	}
	if syntax != "" && doc.Syntax != syntax {
		return nil, newProblem(codeSyntaxMismatch, "The document is in %s. Send it to /v1/render/%s/to/pdf.", doc.Syntax.Label(), doc.Syntax)
	}
	return book.service.Render(doc, service.Rendering{Language: up.options[optionLanguage], Date: date})
}
