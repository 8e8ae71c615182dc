package server

import (
	"context"
	"slices"
	"strings"

	"einvoice/formats"
	"einvoice/service/catalogue"
	"einvoice/service/report"
	"einvoice/service/validate"
)

// mostFindings bounds one answer; the counts tell of all.
const mostFindings = 1000

// postValidate is POST /v1/validate/{format}.
func (s *Server) postValidate(x *exchange) error {
	format, err := formatToValidate(x.params.ByName("format"))
	if err != nil {
		return err
	}
	return s.withBody(x, func(v *visit) error {
		up, err := s.readUpload(x, v, s.takeOverlay(), takeAt, s.takeLanguage(x), takeExplain, takeCompare)
		if err != nil {
			return err
		}
		if err := x.choose(s.reloader.current.Load().library, up.options[optionLanguage]); err != nil {
			return err
		}
		if id := up.options[optionExplain]; id != "" {
			return s.explain(x, format, up, id)
		}
		var result *validate.Result
		var book *rulebook
		err = s.inTurn(x, readCost, func(ctx context.Context, current *rulebook) error {
			if err := s.reservePDF(x, up.data); err != nil {
				return err
			}
			book = current
			result, err = book.validate(ctx, format, up)
			return err
		})
		if err != nil {
			return err
		}
		x.validated(format, result.Report)
		x.outcome = "valid"
		if !result.Report.Valid {
			x.outcome, x.errorCode = "invalid", codeValidationFailed
		}
		return s.sendReport(x, book, &report.Outcome{Name: up.name, Report: result.Report, Document: result.Document, Request: x.id})
	})
}

// validate checks a document against what a format asks, with the overlays that the
// request chooses, or else the usual ones.
func (b *rulebook) validate(ctx context.Context, format *catalogue.Format, up upload) (*validate.Result, error) {
	received, rules, err := b.received(ctx, format, up)
	if err != nil {
		return nil, err
	}
	if rules.ComparePages, err = up.comparesPages(); err != nil {
		return nil, err
	}
	result, err := b.service.ValidateReceived(ctx, received, rules)
	if err == nil && format.Check.Standard != "" {
		result.Report.Standard = format.Check.Standard
	}
	return result, err
}

// received reads a document for what a format asks, and chooses rules and overlays.
func (b *rulebook) received(ctx context.Context, format *catalogue.Format, up upload) (received *formats.Received, rules validate.Rules, err error) {
	names, err := up.overlays(b.usual)
	if err != nil {
		return nil, rules, err
	}
	if err := b.knowsOverlays(names); err != nil {
		return nil, rules, err
	}
	day, err := up.day()
	if err != nil {
		return nil, rules, err
	}
	takesPDF := format.Check.PDF != catalogue.PDFRefused
	if takesPDF {
		if err := up.isPDFIfSaid(); err != nil {
			return nil, rules, err
		}
	}
	if err := needsPDF(format, up.data); err != nil {
		return nil, rules, err
	}
	if received, err = b.service.Receive(ctx, up.data, validate.Accept{PDF: takesPDF}); err != nil {
		return nil, rules, err
	}
	if err := acceptsSyntax(format, received.Document.Syntax); err != nil {
		return nil, rules, err
	}
	if rules, err = b.service.RulesOf(format, received.Document.Invoice); err != nil {
		return nil, rules, err
	}
	rules.Overlays, rules.At = names, day
	return received, rules, nil
}

// takeOverlay takes the names of overlays that are in force.
func (s *Server) takeOverlay() takenOption {
	return takenOption{name: optionOverlay, check: func(o options) error {
		names, err := o.overlays(nil)
		if err != nil {
			return err
		}
		return s.reloader.current.Load().knowsOverlays(names)
	}}
}

// knowsOverlays refuses overlays that there are not.
func (b *rulebook) knowsOverlays(names []string) error {
	for _, name := range names {
		if !slices.Contains(b.overlays, name) {
			return newProblem(codeOption, "There is no overlay %.40q. There are %s.", name, strings.Join(b.overlays, ", "))
		}
	}
	return nil
}

// withBody serves a request with a body: one of a bounded number, whose memory is
// given back at the end.
func (s *Server) withBody(x *exchange, serve func(*visit) error) error {
	x.outcome = "refused"
	if x.visit == nil { // else another process was admitted
		v, err := s.admission.enter(x.key)
		if err != nil {
			return err
		}
		x.visit = v
	}
	return serve(x.visit)
}

// inTurn does the work of a request in its turn and within its time, with the
// rulebook in force. A document that is parsed pays for the memory of the work on it. Work
// that may not hear of its end is done in another process.
func (s *Server) inTurn(x *exchange, c cost, work func(context.Context, *rulebook) error) error {
	if x.visit.owner != nil { // this is the other process
		ctx := validate.Reserving(leaving(x.request.Context(), x.visit.owner.Leave), func(document []byte) error { return x.visit.take(c.ofXML(document)) })
		return work(ctx, s.reloader.current.Load())
	}
	ctx, cancel := context.WithTimeout(x.request.Context(), s.config.RequestTimeout)
	defer cancel()
	done, err := x.visit.turn(ctx)
	if err != nil {
		return err
	}
	defer func() { done() }()
	leave := func(wait func()) error {
		done()
		done = func() {}
		wait()
		again, err := x.visit.turn(ctx)
		if err == nil {
			done = again
		}
		return err
	}
	if s.pool != nil && x.isRisky() {
		return s.confined(ctx, x, leave)
	}
	x.raw = nil
	defer s.oversee(ctx, x)()
	ctx = validate.Reserving(leaving(ctx, leave), func(document []byte) error { return x.visit.take(c.ofXML(document)) })
	return work(ctx, s.reloader.current.Load())
}

// reservePDF pays for opening a document that is a PDF.
func (s *Server) reservePDF(x *exchange, data []byte) error {
	return x.visit.take(pdfCost(data, readOptions(s.config.MaxBody).PDF))
}
