package server

import (
	"context"
	"errors"

	"einvoice/engine/create"
	"einvoice/formats"
	"einvoice/formats/pdf/page"
	"einvoice/model"
)

// postRender is POST /v1/render/{what}/to/pdf, for documents of one syntax or, for
// XRechnung, of both. Whether the invoice is valid is not asked: who received a
// faulty one needs to see what is in it all the more.
func (s *Server) postRender(what string, syntax model.Syntax) handler {
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
				document, err := renderPDF(ctx, book, up, syntax)
				if err != nil {
					return err
				}
				s.metrics.made("render", what, nil, true)
				return x.sendMade(*document, document, nil)
			})
		})
	}
}

func renderPDF(ctx context.Context, book *rulebook, up upload, syntax model.Syntax) (*madeDocument, error) {
	date, err := up.date()
	if err != nil {
		return nil, err
	}
	up.pdf = false
	doc, err := reading(ctx, book, up, func(options formats.Options) (*model.Document, error) {
		options.XMLOnly = true // a PDF has its pages already
		return formats.Read(up.data, options)
	})
	if err != nil {
		return nil, err
	}
	if syntax != "" && doc.Syntax != syntax {
		return nil, problem(codeSyntaxMismatch, "The document is in %s. Send it to /v1/render/%s/to/pdf.", syntaxNames[doc.Syntax], doc.Syntax)
	}
	pages, err := page.PDF(doc.Invoice, page.Options{Language: up.options[optionLanguage], Date: date.Time()})
	if unknown, ok := errors.AsType[*page.UnknownLanguage](err); ok {
		return nil, problem(codeOption, "%s", sentence(unknown.Error()))
	}
	if err != nil {
		return nil, err
	}
	made := newMadeDocument(pages.Data, create.MediaTypePDF, create.FileName(doc.Invoice, ".pdf"))
	return &made, nil
}
