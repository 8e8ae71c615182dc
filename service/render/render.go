package render

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/formats/pdf/page"
	"einvoice/formats/pdf/page/compose"
	"einvoice/formats/pdf/page/typeset"
	"einvoice/model"
	"einvoice/model/problem"
	"einvoice/model/tongue"
	"einvoice/service/validate"
	"einvoice/service/write"
)

// Pages draw invoices.
type Pages struct {
	*validate.Service // has the words of findings, and validates what others make with pages
	// Looks are looks of pages, by the names that options have for them, beside those of
	// the program; nil for none.
	Looks *Looks
	// Fonts are for characters that the program's own fonts do not have; nil for none.
	Fonts *typeset.Fonts
}

// Options say how an invoice is shown.
type Options struct {
	Language string     // of the words on the pages, such as de; that of the buyer's or seller's country without it
	Look     string     // by name; that of the seller's country without it
	Date     model.Date // when the PDF says it was made; the invoice's issue date without it
	To       string     // one of Formats; pdf without it
}

// Rendered is an invoice as the pages of a PDF, or as HTML or SVG.
type Rendered struct {
	Data      []byte
	MediaType string
	FileName  string
	Missing   []rune            // characters that the fonts do not have, for which the pages show a mark
	Unshown   []compose.Unshown // terms that the look leaves out
	Losses    []formats.Loss    // what the document has and the pages do not show
	// Report has the findings NOT-PRINTABLE and NOT-SHOWN about these, and NOT-SAID about
	// statements that the law demands and the invoice lacks. It has no others: an
	// invoice that is shown is not validated.
	Report *engine.Report
}

// A format is what an invoice can be shown as.
type format struct {
	name, mediaType string
	draw            Drawing
}

// A Drawing draws an invoice.
type Drawing func(context.Context, *model.Invoice, page.Options) (*page.Rendered, error)

var all = []format{
	{"pdf", write.MediaTypePDF, PDF}, {"html", "text/html", page.HTML}, {"svg", "image/svg+xml", page.SVG},
}

// Formats returns the names of the formats of pages. The first is the default.
func Formats() []string {
	names := make([]string, len(all))
	for i, f := range all {
		names[i] = f.name
	}
	return names
}

func formatNamed(name string) (*format, error) {
	for i := range all {
		if f := &all[i]; f.name == name || name == "" {
			return f, nil
		}
	}
	return nil, &problem.Error{
		Code: problem.CodeOption, Message: fmt.Sprintf("there is no format %q to render to", name), Remedy: "use one of " + strings.Join(Formats(), ", "), Field: "options.to",
	}
}

// Document returns an invoice, valid or not, as pages. An error is a *problem.Error for a
// language, look or format that does not exist, for a date that is not a day, or for too many
// pages, unless the context ended.
func (p *Pages) Document(ctx context.Context, doc *model.Document, r Options) (*Rendered, error) {
	format, err := formatNamed(r.To)
	if err != nil {
		return nil, err
	}
	if err := write.CheckDate(r.Date); err != nil {
		return nil, err
	}
	if r.Date.Present && format.name != "pdf" {
		return nil, problem.Option("options.date", &problem.Error{Message: format.name + " does not say when it was made", Remedy: "leave the option out, or make pdf"})
	}
	if doc == nil {
		return nil, errors.New("there is no document to draw; give one that was read")
	}
	pages, err := p.Draw(ctx, format.draw, doc.Invoice, r.Look, page.Options{Language: r.Language, Date: r.Date})
	if err != nil {
		return nil, err
	}
	losses, err := formats.ReadLosses(ctx, doc)
	if err != nil {
		return nil, err
	}
	report := &engine.Report{}
	if err := p.Report(report, pages); err != nil {
		return nil, err
	}
	if err := p.reportUnsaid(report, pages.Lacks); err != nil {
		return nil, err
	}
	return &Rendered{
		Data: pages.Data, MediaType: format.mediaType, FileName: write.FileName(doc.Invoice, "."+format.name),
		Missing: pages.Missing, Unshown: pages.Unshown, Losses: losses, Report: report,
	}, nil
}

// Languages returns the tags of the languages that pages can be made in.
func Languages() []string { return tongue.Tags() }

// CheckLanguage returns a *problem.Error for a language that pages cannot be made in.
func CheckLanguage(tag string) error {
	if _, err := tongue.Match(tag); err != nil {
		return problem.Option("options.language", err)
	}
	return nil
}

// Check returns a *problem.Error for a language or a look that pages cannot have. Both may be
// empty.
func (p *Pages) Check(language, look string) error {
	if err := CheckLanguage(language); err != nil || look == "" {
		return err
	}
	return p.CheckLook(look)
}

// CheckLook returns a *problem.Error for the name of a look that does not exist.
func (p *Pages) CheckLook(name string) error {
	_, err := p.Look(name)
	return err
}

// Rules returns the service that validates what is made; nil if there is none.
func (p *Pages) Rules() *validate.Service {
	if p == nil {
		return nil
	}
	return p.Service
}

// Draw draws an invoice in a look. For a look that does not exist, the error is a
// *problem.Error.
func (p *Pages) Draw(ctx context.Context, draw Drawing, inv *model.Invoice, look string, options page.Options) (*page.Rendered, error) {
	if draw == nil {
		return nil, errors.New("there is nothing to draw with; give PDF, or page.HTML or page.SVG")
	}
	options.Fonts = p.Fonts
	if look != "" {
		found, err := p.Look(look)
		if err != nil {
			return nil, err
		}
		options.Look = found
	}
	pages, err := draw(ctx, inv, options)
	if e, ok := errors.AsType[*problem.Error](err); ok && e.Code == tongue.CodeUnknown {
		return nil, problem.Option("options.language", e)
	}
	return pages, err
}
