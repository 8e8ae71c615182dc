// Package compare finds where the pages of a PDF contradict the invoice that is attached to it.
//
//	contradictions, err := compare.Document(ctx, &parse.Reader{Service: service}, data)
package compare

import (
	"context"
	"errors"
	"strconv"

	"einvoice/engine"
	"einvoice/formats"
	pages "einvoice/formats/parse"
	"einvoice/formats/pdf"
	"einvoice/model/problem"
	"einvoice/service/parse"
	"einvoice/service/validate"
)

// The findings of Check; rulesets/findings says what they say.
const (
	noticeContradict  = "PAGES-CONTRADICT"
	noticeNotCompared = "PAGES-NOT-COMPARED"
)

// Document returns the contradictions between the pages of a PDF and its invoice. What is
// wrong with the PDF is a *problem.Error.
func Document(ctx context.Context, r *parse.Reader, data []byte) ([]pages.Contradiction, error) {
	if r == nil {
		return nil, errors.New("there is nothing to read pages with; give a reader")
	}
	s, err := validate.Usual(r.Service)
	if err != nil {
		return nil, err
	}
	received, err := s.Receive(ctx, data, validate.Accept{PDF: true, Legacy: true})
	if err != nil {
		return nil, err
	}
	read, err := readPages(ctx, r, received)
	if err != nil {
		return nil, err
	}
	return read.Compare(received.Document.Invoice)
}

func readPages(ctx context.Context, r *parse.Reader, received *formats.Received) (*pages.Result, error) {
	if received.PDF == nil {
		return nil, &problem.Error{Code: pdf.CodeNotPDF, Message: "the document is not a PDF, so there are no pages to compare it with", Remedy: "send the PDF that the invoice is attached to"}
	}
	return r.Pages(ctx, received.PDF.Data)
}

// Check returns a validate.Check that warns where the pages contradict the invoice, or cannot
// be read. Neither ends the validation.
func Check(limits pages.Limits, ocr pages.Recogniser) validate.Check {
	return func(ctx context.Context, s *validate.Service, received *formats.Received, report *engine.Report) error {
		r := &parse.Reader{Service: s, Limits: limits, OCR: ocr}
		read, err := readPages(ctx, r, received)
		if e, ok := errors.AsType[*problem.Error](err); ok {
			f, failed := s.Notice(noticeNotCompared, "", validate.Values{"reason": e.Message})
			report.Add(f)
			return failed
		}
		if err != nil {
			return err
		}
		hidden, err := r.Hidden(read)
		if err != nil {
			return err
		}
		found, err := read.Compare(received.Document.Invoice)
		if err != nil {
			return err
		}
		for _, c := range found {
			f, err := s.Notice(noticeContradict, "", validate.Values{"attached": c.Attached, "page": strconv.Itoa(c.Page), "printed": c.Printed})
			if err != nil {
				return err
			}
			f.Fields = []string{parse.Dotted(c.Pointer)}
			hidden = append(hidden, f)
		}
		report.Add(hidden...)
		return nil
	}
}
