package page

import (
	"time"

	"einvoice/formats/pdf/archive"
	"einvoice/model"
)

// Options say how an invoice is drawn. The zero Options are the defaults.
type Options struct {
	Language string           // BCP 47, such as de; en without it
	Date     time.Time        // of creation; the invoice's issue date without it
	Invoice  *archive.Invoice // what the metadata says about the attached invoice; nil if none is attached
	Files    []archive.File   // to attach
	Pages    int              // the most that the document may have; 2000 without it
}

// maxPages is enough for some 60,000 lines.
const maxPages = 2000

// Rendered is an invoice as a PDF.
type Rendered struct {
	Data    []byte
	Pages   int
	Missing []rune // characters that no font has; U+FFFD is shown instead
}

// PDF draws an invoice as a tagged PDF/A-3. The same invoice and options give the same
// bytes. An unknown language and a document that is too long are a *problem.Error.
func PDF(inv *model.Invoice, o Options) (*Rendered, error) {
	language, err := languageOf(o.Language)
	if err != nil {
		return nil, err
	}
	if o.Pages <= 0 {
		o.Pages = maxPages
	}
	c := newComposer(inv, language, o.Pages)
	if err := c.compose(inv); err != nil {
		return nil, err
	}
	rendered := &Rendered{Pages: len(c.pages), Missing: c.fonts.missing}
	title := c.title()
	document, err := newDocument(c)
	if err != nil {
		return nil, err
	}
	rendered.Data, err = archive.Write(document, archive.Metadata{
		Title: title, Author: c.author(), Language: language.Tag, Date: o.date(inv),
		Accessible: true, Invoice: o.Invoice,
	}, o.Files)
	if err != nil {
		return nil, err
	}
	return rendered, nil
}

func (o Options) date(inv *model.Invoice) time.Time {
	if !o.Date.IsZero() {
		return o.Date
	}
	if inv.IssueDate.Valid {
		return inv.IssueDate.Time()
	}
	// A PDF needs a date, and the same invoice has to give the same bytes.
	return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
}
