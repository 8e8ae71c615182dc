package server

import (
	"context"
	"strconv"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/model"
	"einvoice/model/tongue"
	"einvoice/server/admission"
	"einvoice/server/option"
	"einvoice/server/publishing"
	"einvoice/server/refusal"
	"einvoice/service/answer"
	"einvoice/service/catalogue"
	"einvoice/service/render"
	"einvoice/service/validate"
	"einvoice/service/write"
)

// postRender is POST /v1/render/{format}/to/{pdf,html,svg}, for documents of one syntax or,
// for XRechnung, of both. Whether the invoice is valid is not asked: who received a faulty
// one needs to see what is in it all the more.
func (s *Server) postRender(format *catalogue.Format, to string) handler {
	taken, takes := []takenOption{takePageLanguage, s.takeLook()}, markupCost
	if to == "pdf" { // the others have no date
		taken, takes = append(taken, takeDate), renderCost
	}
	return func(x *exchange) error {
		return s.withBody(x, func(v *admission.Visit) error {
			up, err := s.readUpload(x, v, taken...)
			if err != nil {
				return err
			}
			return s.inTurn(x, takes, func(ctx context.Context, book *publishing.Book) error {
				pages, err := renderPages(ctx, x, book, up, format.Render, to)
				if err != nil {
					return err
				}
				x.made("render", format.Name, nil, true)
				return x.sendPages(pages, up.PageLanguage())
			})
		})
	}
}

// pagesPolicy keeps a browser that opens an answer from running or loading anything: what
// is in it comes from whoever wrote the invoice.
const pagesPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"

func (x *exchange) sendPages(pages *render.Rendered, language string) error {
	if err := x.translate(pages.Report); err != nil {
		return err
	}
	document, losses := answer.DocumentOf(pages.Data, pages.MediaType, pages.FileName), answer.LossesOf(pages.Losses, x.words)
	headers := lossHeaders(losses)
	if tag, err := tongue.Match(language); err == nil { // the pages have no words for a region
		language = tag
	}
	headers["Content-Language"] = language
	headers["Invoice-Warnings"] = strconv.Itoa(pages.Report.Counts.Warning)
	if pages.MediaType != write.MediaTypePDF {
		headers["Content-Security-Policy"] = pagesPolicy
	}
	return x.sendMade(document, struct {
		answer.Document
		*answer.LossReport
		Warnings []engine.Finding `json:"warnings"`
	}{document, losses, answer.Warnings(pages.Report)}, headers)
}

func renderPages(ctx context.Context, x *exchange, book *publishing.Book, up upload, format *catalogue.FormatToRender, to string) (*render.Rendered, error) {
	date, err := up.MadeOn()
	if err != nil {
		return nil, err
	}
	doc, err := book.Service.Read(ctx, up.data, validate.Accept{Legacy: true}) // a PDF has its pages already
	if err != nil {
		return nil, err
	}
	if !format.Shows(doc.Syntax) {
		return nil, newProblem(refusal.SyntaxMismatch, "The document is in %s. Send it to /v1/render/%s/to/%s.", doc.Syntax.Label(), rendering(doc.Syntax), to)
	}
	x.tellLegacy(formats.LegacyName(doc))
	return book.Service.Pages.Document(ctx, doc, render.Options{Language: up.PageLanguage(), Look: up.Values[option.Look], Date: date, To: to})
}

// rendering is the name of the format that documents of a syntax are shown by.
func rendering(syntax model.Syntax) string {
	for _, f := range catalogue.Formats() {
		if f.Render != nil && f.Render.Shows(syntax) {
			return f.Name
		}
	}
	return ""
}
