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
	Language string     // of the words on the pages, such as de; English without it
	Date     model.Date // when the PDF says it was made; the invoice's issue date without it
}

// Rendered is an invoice as the pages of a PDF.
type Rendered struct {
	Data     []byte
	FileName string
	Missing  []rune         // characters that the fonts do not have, for which the pages show a mark
	Losses   []formats.Loss // what the document has and the pages do not show
}

// Render shows an invoice, valid or not, as the pages of a PDF. An error is a
// *problem.Error for a language that there is not, or too many pages.
func (s *Service) Render(doc *model.Document, r Rendering) (*Rendered, error) {
	pages, err := renderPages(doc.Invoice, page.Options{Language: r.Language, Date: r.Date.Time()})
	if err != nil {
		return nil, err
	}
	losses, err := formats.ReadLosses(doc)
	if err != nil {
		return nil, err
	}
	return &Rendered{Data: pages.Data, FileName: FileName(doc.Invoice, ".pdf"), Missing: pages.Missing, Losses: losses}, nil
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

func renderPages(inv *model.Invoice, options page.Options) (*page.Rendered, error) {
	pages, err := page.PDF(inv, options)
	if e, ok := errors.AsType[*problem.Error](err); ok && e.Code == page.CodeLanguage {
		return nil, wrongOption("options.language", e)
	}
	return pages, err
}
