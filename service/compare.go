package service

import (
	"context"
	"errors"
	"strconv"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/formats/parse"
	"einvoice/formats/pdf"
	"einvoice/model/problem"
)

// Compare finds where the pages of a PDF contradict the invoice that is attached to it.
// An error is a *problem.Error unless the context ended.
func (s *Service) Compare(ctx context.Context, data []byte) ([]parse.Contradiction, error) {
	received, err := s.Receive(ctx, data, Accept{PDF: true, Legacy: true})
	if err != nil {
		return nil, err
	}
	return s.compare(ctx, received)
}

func (s *Service) compare(ctx context.Context, received *formats.Received) ([]parse.Contradiction, error) {
	if received.Container == nil {
		return nil, &problem.Error{Code: pdf.CodeNotPDF, Message: "the document is no PDF, so there are no pages to compare it with", Remedy: "hand in the PDF that the invoice is attached to"}
	}
	read, err := s.read(ctx, received.Container.Bytes(), parse.Aids{OCR: s.config.OCR})
	if err != nil {
		return nil, err
	}
	return read.Compare(received.Document.Invoice)
}

// comparePages warns where the pages contradict the invoice. Where they cannot be read,
// that is a warning too, and the invoice is validated all the same.
func (s *Service) comparePages(ctx context.Context, received *formats.Received, report *engine.Report) error {
	found, err := s.compare(ctx, received)
	if e, ok := errors.AsType[*problem.Error](err); ok {
		f, failed := s.notice(noticeNotCompared, "", values{"reason": e.Message})
		report.Add(f)
		return failed
	}
	if err != nil {
		return err
	}
	for _, c := range found {
		f, err := s.notice(noticeContradict, "", values{"attached": c.Attached, "page": strconv.Itoa(c.Page), "printed": c.Printed})
		if err != nil {
			return err
		}
		f.Fields = []string{dotted(c.Pointer)}
		report.Add(f)
	}
	return nil
}
