package parse

import (
	"context"
	"errors"
	"fmt"
	"image"
	"slices"

	"einvoice/formats/filekind"
	"einvoice/formats/parse/picture"
	"einvoice/formats/pdf"
	"einvoice/formats/pdf/text"
	"einvoice/model/deadline"
	"einvoice/model/problem"
)

// PDF reads the invoice that the pages of a PDF show, without the text of pictures. An
// error is a *problem.Error, unless the context was cancelled.
func PDF(ctx context.Context, data []byte, limits Limits) (*Result, error) {
	return File(ctx, data, limits, Aids{})
}

// File is PDF for PDFs and pictures (JPEG, PNG, TIFF), and recognises text in pictures.
// Without a Recogniser, it refuses them. A language model is asked where there is one. A file
// of several invoices is refused; Documents reads each.
func File(ctx context.Context, data []byte, limits Limits, with Aids) (*Result, error) {
	return Single(Documents(ctx, data, limits, with))
}

// Documents is File for files with several documents, such as two invoices, or an invoice and
// the order confirmation behind it. One of them at least is an invoice.
func Documents(ctx context.Context, data []byte, limits Limits, with Aids) ([]Document, error) {
	limits = limits.withDefaults()
	limits.PDF.Context, limits.PDF.Time = ctx, deadline.Left(ctx, limits.PDF.Time)
	reader := &pageReader{with: with.OCR, limits: limits}
	sheets, err := reader.sheets(ctx, data)
	if errors.Is(ctx.Err(), context.Canceled) {
		return nil, ctx.Err()
	}
	if deadline.Err(ctx) != nil {
		return nil, TooSlow() // the PDF's own error would blame the PDF
	}
	if err != nil {
		return nil, err
	}
	f := &file{sheets, reader.codes, reader.hidden, reader.behind}
	return f.documents(ctx, limits, with, func(ctx context.Context) ([]*image.Gray, error) { return pictures(ctx, data, len(sheets), limits) })
}

func (p *pageReader) sheets(ctx context.Context, data []byte) ([]text.Sheet, error) {
	if picture.Is(data) {
		return p.pictures(ctx, data)
	}
	sheets, err := readSheets(data, p.limits)
	if err != nil {
		return nil, err
	}
	p.hidden, p.behind = seen(sheets)
	return sheets, p.pdf(ctx, data, sheets)
}

// Sheets is PDF for pages whose words are known.
func Sheets(ctx context.Context, sheets []text.Sheet, limits Limits) (*Result, error) {
	return Single(DocumentsOf(ctx, sheets, limits))
}

// DocumentsOf is Documents for pages whose words are known.
func DocumentsOf(ctx context.Context, sheets []text.Sheet, limits Limits) ([]Document, error) {
	return fileOf(sheets).documents(ctx, limits.withDefaults(), Aids{}, nil)
}

// fileOf is a file of pages whose words are known.
func fileOf(sheets []text.Sheet) *file {
	f := &file{sheets: slices.Clone(sheets)}
	f.hidden, f.behind = seen(f.sheets)
	return f
}

// A file is what was read of the pages before the invoice is.
type file struct {
	sheets []text.Sheet
	codes  []pageCode
	hidden []Hidden
	behind []bool // by page: its words are behind a picture
}

func readSheets(data []byte, limits Limits) ([]text.Sheet, error) {
	if !filekind.IsPDF(data) {
		return nil, &problem.Error{Code: pdf.CodeNotPDF, Message: "this is neither a PDF nor a picture", Remedy: "send a PDF, or a picture as JPEG, PNG or TIFF"}
	}
	container, err := pdf.Open(data, limits.PDF)
	if err != nil {
		return nil, err
	}
	const charactersPerWord = 40
	sheets, err := text.Words(container, text.Limits{Pages: limits.Pages, Characters: charactersPerWord * limits.Words, Words: limits.Words, Time: limits.PDF.Time})
	switch {
	case errors.Is(err, text.ErrWords):
		return nil, tooManyWords(limits)
	case errors.Is(err, text.ErrLimit) && len(sheets) >= limits.Pages:
		return nil, tooManyPages("PDF", limits)
	case errors.Is(err, text.ErrLimit):
		return nil, &problem.Error{Code: pdf.CodeLimit, Message: "reading the pages of the PDF would cost too much", Remedy: "print the pages into a new PDF and send that", Cause: err}
	case err != nil:
		return nil, &problem.Error{Code: pdf.CodeDamaged, Message: "the pages of the PDF are damaged and cannot be read", Remedy: "ask the sender for the file again", Cause: err}
	}
	return sheets, nil
}

func tooManyPages(what string, limits Limits) error {
	return &problem.Error{
		Code: CodeLimit, Message: fmt.Sprintf("the %s has more than the %d pages that are read (setting parse-pages)", what, limits.Pages),
		Remedy: "send the pages of one invoice, or raise the setting",
	}
}
