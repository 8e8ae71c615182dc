package service

import (
	"errors"
	"fmt"
	"strings"

	"einvoice/engine"
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
	To       string     // one of PageFormats; pdf without it
}

// Rendered is an invoice as the pages of a PDF, or as HTML or SVG.
type Rendered struct {
	Data      []byte
	MediaType string
	FileName  string
	Missing   []rune         // characters that the fonts do not have, for which the pages show a mark
	Unshown   []page.Unshown // terms that the look leaves out
	Losses    []formats.Loss // what the document has and the pages do not show
	// Report has the findings NOT-PRINTABLE and NOT-SHOWN about these, and no others: an
	// invoice that is shown is not validated.
	Report *engine.Report
}

// A pageFormat is what an invoice can be shown as.
type pageFormat struct {
	name, mediaType string
	draw            drawing
}

type drawing func(*model.Invoice, page.Options) (*page.Rendered, error)

var pageFormats = []pageFormat{
	{"pdf", MediaTypePDF, drawPDF}, {"html", "text/html", page.HTML}, {"svg", "image/svg+xml", page.SVG},
}

// PageFormats are the names of the formats of Render. The first is the usual one.
func PageFormats() []string {
	names := make([]string, len(pageFormats))
	for i, f := range pageFormats {
		names[i] = f.name
	}
	return names
}

func pageFormatNamed(name string) (*pageFormat, error) {
	for i := range pageFormats {
		if f := &pageFormats[i]; f.name == name || name == "" {
			return f, nil
		}
	}
	return nil, &problem.Error{
		Code: CodeOption, Message: fmt.Sprintf("there is no format %q to render to", name), Remedy: "use one of " + strings.Join(PageFormats(), ", "), Field: "options.to",
	}
}

// Render shows an invoice, valid or not, as pages. An error is a *problem.Error for a
// language, look or format that there is not, or too many pages.
func (s *Service) Render(doc *model.Document, r Rendering) (*Rendered, error) {
	format, err := pageFormatNamed(r.To)
	if err != nil {
		return nil, err
	}
	pages, err := s.draw(format.draw, doc.Invoice, r.Look, page.Options{Language: r.Language, Date: r.Date.Time()})
	if err != nil {
		return nil, err
	}
	losses, err := formats.ReadLosses(doc)
	if err != nil {
		return nil, err
	}
	report := &engine.Report{}
	if err := s.reportPages(report, pages); err != nil {
		return nil, err
	}
	return &Rendered{
		Data: pages.Data, MediaType: format.mediaType, FileName: FileName(doc.Invoice, "."+format.name),
		Missing: pages.Missing, Unshown: pages.Unshown, Losses: losses, Report: report,
	}, nil
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

// CheckPages refuses a language and a look that pages cannot have; the error is a
// *problem.Error. Both may be empty.
func (s *Service) CheckPages(language, look string) error {
	if err := CheckLanguage(language); err != nil || look == "" {
		return err
	}
	_, err := s.look(look)
	return err
}

// draw draws an invoice in a look.
func (s *Service) draw(draw drawing, inv *model.Invoice, look string, options page.Options) (*page.Rendered, error) {
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
