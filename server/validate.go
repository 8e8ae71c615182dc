package server

import (
	"context"

	"einvoice/service"
	"einvoice/service/report"
)

// mostFindings bounds one answer; the counts tell of all.
const mostFindings = 1000

// postValidate is POST /v1/validate/{format}.
func (s *Server) postValidate(x *exchange) error {
	format, err := formatToValidate(x.params.ByName("format"))
	if err != nil {
		return err
	}
	return s.withBody(x, func(b *buffer) error {
		up, err := s.readUpload(x, b)
		if err != nil {
			return err
		}
		var result *service.Result
		var book *rulebook
		err = s.inTurn(x, func(ctx context.Context, current *rulebook) error {
			book = current
			result, err = book.validate(ctx, format, up)
			return err
		})
		if err != nil {
			return err
		}
		s.metrics.validated(format, result.Report)
		x.outcome = "valid"
		if !result.Report.Valid {
			x.outcome, x.errorCode = "invalid", codeValidationFailed
		}
		return s.sendReport(x, book, &report.Outcome{Name: up.name, Report: result.Report, Document: result.Document, Request: x.id})
	})
}

// validate checks a document against what a format asks.
func (b *rulebook) validate(ctx context.Context, format *service.Format, up upload) (*service.Result, error) {
	takesPDF := format.Check.PDF != service.PDFRefused
	if takesPDF {
		if err := up.isPDFIfSaid(); err != nil {
			return nil, err
		}
	}
	if err := needsPDF(format, up.data); err != nil {
		return nil, err
	}
	received, err := b.service.Receive(ctx, up.data, service.Accept{PDF: takesPDF})
	if err != nil {
		return nil, err
	}
	if err := acceptsSyntax(format, received.Document.Syntax); err != nil {
		return nil, err
	}
	rules, err := b.service.RulesOf(format, received.Document.Invoice)
	if err != nil {
		return nil, err
	}
	result, err := b.service.ValidateReceived(ctx, received, rules)
	if err == nil && format.Check.Standard != "" {
		result.Report.Standard = format.Check.Standard
	}
	return result, err
}

// withBody serves a request with a body: one of a bounded number, whose memory is
// given back at the end.
func (s *Server) withBody(x *exchange, serve func(*buffer) error) error {
	x.outcome = "refused"
	leave, err := s.limits.enter()
	if err != nil {
		return err
	}
	defer leave()
	b := &buffer{limits: s.limits}
	defer b.release()
	return serve(b)
}

// inTurn does the work of a request in its turn and within its time, with the
// rulebook in force.
func (s *Server) inTurn(x *exchange, work func(context.Context, *rulebook) error) error {
	ctx, cancel := context.WithTimeout(x.request.Context(), s.config.RequestTimeout)
	defer cancel()
	done, err := s.limits.turn(ctx)
	if err != nil {
		return err
	}
	defer done()
	return work(ctx, s.reloader.current.Load())
}
