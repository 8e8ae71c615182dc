package page

import (
	"context"
	"errors"
	"time"

	"einvoice/formats/pdf/archive"
	"einvoice/formats/pdf/page/compose"
	"einvoice/formats/pdf/page/html"
	"einvoice/formats/pdf/page/law"
	"einvoice/formats/pdf/page/look"
	"einvoice/formats/pdf/page/pdfa"
	"einvoice/formats/pdf/page/svg"
	"einvoice/formats/pdf/page/typeset"
	"einvoice/model"
)

// Options say how an invoice is drawn. The zero Options are the defaults.
type Options struct {
	Language string           // BCP 47, such as de; that of the buyer's or seller's country without it
	Look     *look.Look       // that of the seller's country without it
	Fonts    *typeset.Fonts   // for characters that the program's own fonts do not have; may be nil
	Date     model.Date       // of creation; the invoice's issue date without it
	Invoice  *archive.Invoice // what the metadata says about the attached invoice; nil if none is attached
	Files    []archive.File   // to attach
	Pages    int              // the most that the document may have; 2000 without it
}

func (o *Options) compose(ctx context.Context, inv *model.Invoice, keeps, flows bool) (*compose.Composed, error) {
	if inv == nil {
		return nil, errors.New("there is no invoice to draw; give one that was read or made")
	}
	return compose.Invoice(ctx, inv, compose.Options{Language: o.Language, Look: o.Look, Fonts: o.Fonts, Pages: o.Pages, Keeps: keeps, Flows: flows})
}

// Rendered is an invoice as a PDF, or in another format.
type Rendered struct {
	Data    []byte
	Pages   int
	Missing []rune            // characters that no font has; U+FFFD is shown instead
	Unshown []compose.Unshown // terms that the look leaves out
	Lacks   []law.Lack        // what the law wants to be said, and the invoice does not say
}

// PDF draws an invoice as a tagged PDF/A-3. The same invoice and options give the same
// bytes. An unknown language and a document that is too long are a *problem.Error. When the
// context ends, so does the work, with its error.
func PDF(ctx context.Context, inv *model.Invoice, o Options) (*Rendered, error) {
	c, err := o.compose(ctx, inv, false, false)
	if err != nil {
		return nil, err
	}
	document, err := pdfa.New(c)
	if err != nil {
		return nil, err
	}
	data, err := archive.Write(ctx, document, archive.Metadata{
		Title: c.Title, Author: c.Author, Language: c.Language, Date: o.date(inv),
		Accessible: true, Invoice: o.Invoice,
	}, o.Files)
	if err != nil {
		return nil, err
	}
	return &Rendered{Data: data, Pages: len(c.Pages), Missing: c.Fonts.Missing, Unshown: c.Unshown, Lacks: c.Lacks}, nil
}

// HTML draws an invoice as one file of HTML, which refers to nothing outside. Every text
// says its term, as data-term="BT-112", and its place in a request, as
// data-path="totals.totalAmountWithVat". Errors are those of PDF. Letter paper is for PDF
// alone: the sender is set in place of it.
func HTML(ctx context.Context, inv *model.Invoice, o Options) (*Rendered, error) {
	return o.asText(ctx, inv, html.Write, true)
}

// SVG draws an invoice as one file of SVG, its pages one below the other. Every text says
// its term and its place, as in HTML; the same errors.
func SVG(ctx context.Context, inv *model.Invoice, o Options) (*Rendered, error) {
	return o.asText(ctx, inv, svg.Write, false)
}

// asText is the result of HTML or SVG. Who shows it chooses the fonts for characters that
// those of the program do not have, so none is missing.
func (o *Options) asText(ctx context.Context, inv *model.Invoice, write func(context.Context, *compose.Composed) []byte, flows bool) (*Rendered, error) {
	if o.Look != nil && o.Look.HasPaper() {
		without := *o.Look
		without.Papers = [2]*look.Paper{}
		plain := *o
		plain.Look = &without
		o = &plain
	}
	c, err := o.compose(ctx, inv, true, flows)
	if err != nil {
		return nil, err
	}
	data := write(ctx, c)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return &Rendered{Data: data, Pages: len(c.Pages), Unshown: c.Unshown, Lacks: c.Lacks}, nil
}

func (o Options) date(inv *model.Invoice) *time.Time {
	// A PDF needs a date, and the same invoice has to give the same bytes.
	for _, day := range []model.Date{o.Date, inv.IssueDate, model.NewDate("2000-01-01")} {
		if day.Valid {
			return new(day.Time())
		}
	}
	return nil
}
