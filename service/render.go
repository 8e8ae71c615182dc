package service

import (
	"errors"

	"einvoice/formats"
	"einvoice/formats/pdf/page"
	"einvoice/model"
	"einvoice/model/problem"
)

// Rendering says how an invoice is shown.
type Rendering struct {
	Language string     // of the words on the pages, such as de; that of the buyer's or seller's country without it
	Look     string     // by name; that of the seller's country without it
	Date     model.Date // when the PDF says it was made; the invoice's issue date without it
	To       string     // pdf, html or svg; pdf without it
}

// Rendered is an invoice as the pages of a PDF, or as HTML or SVG.
type Rendered struct {
	Data     []byte
	FileName string
	Missing  []rune         // characters that the fonts do not have, for which the pages show a mark
	Unshown  []page.Unshown // terms that the look leaves out
	Losses   []formats.Loss // what the document has and the pages do not show
}

// renderings are the formats of Render.
var renderings = map[string]func(*model.Invoice, page.Options) (*page.Rendered, error){
	"pdf": drawPDF, "html": page.HTML, "svg": page.SVG,
}

// Render shows an invoice, valid or not, as the pages of a PDF. An error is a
// *problem.Error for a language, look or format that there is not, or too many pages.
func (s *Service) Render(doc *model.Document, r Rendering) (*Rendered, error) {
	if r.To == "" {
		r.To = "pdf"
	}
	draw := renderings[r.To]
	if draw == nil {
		return nil, &problem.Error{Code: CodeOption, Message: "there is no format " + r.To + " to render to", Remedy: "use pdf, html or svg", Field: "options.to"}
	}
	pages, err := s.draw(draw, doc.Invoice, r.Look, page.Options{Language: r.Language, Date: r.Date.Time()})
	if err != nil {
		return nil, err
	}
	losses, err := formats.ReadLosses(doc)
	if err != nil {
		return nil, err
	}
	return &Rendered{Data: pages.Data, FileName: FileName(doc.Invoice, "."+r.To), Missing: pages.Missing, Unshown: pages.Unshown, Losses: losses}, nil
}

// Languages are those that pages can be made in.
func Languages() []string { return page.Languages() }

// CheckLanguage refuses a language that pages cannot be made in; the error is a
// *problem.Error.
func CheckLanguage(tag string) error {
	if _, err := page.LanguageName(tag); err != nil {
		return wrongOption("options.language", err)
	}
	return nil
}

// draw draws an invoice in a look.
func (s *Service) draw(draw func(*model.Invoice, page.Options) (*page.Rendered, error), inv *model.Invoice, look string, options page.Options) (*page.Rendered, error) {
	options.Fonts = s.config.Fonts
	if look != "" {
		found, err := s.look(look)
		if err != nil {
			return nil, err
		}
		options.Look = found
	}
	pages, err := draw(inv, options)
	if e, ok := errors.AsType[*problem.Error](err); ok && e.Code == page.CodeLanguage {
		return nil, wrongOption("options.language", e)
	}
	return pages, err
}
