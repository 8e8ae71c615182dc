package server

import (
	"context"
	"slices"
	"strings"

	"einvoice/formats"
	"einvoice/model/reserve"
	"einvoice/server/admission"
	"einvoice/server/option"
	"einvoice/server/publishing"
	"einvoice/server/refusal"
	"einvoice/service/catalogue"
	"einvoice/service/operation"
	"einvoice/service/report"
	"einvoice/service/validate"
)

// postValidate is POST /v1/validate/{format}.
func (s *Server) postValidate(x *exchange) error {
	format, err := formatToValidate(x.params.ByName("format"))
	if err != nil {
		return err
	}
	return s.withBody(x, func(v *admission.Visit) error {
		up, err := s.readUpload(x, v, s.takeOverlay(), takeAt, s.takeLanguage(x), takeExplain, takeCompare)
		if err != nil {
			return err
		}
		if err := x.choose(s.rules.Current().Library, up.Values[option.Language]); err != nil {
			return err
		}
		if id := up.Values[option.Explain]; id != "" {
			return s.explain(x, format, up, id)
		}
		var result *validate.Result
		var book *publishing.Book
		err = s.inTurn(x, readCost, func(ctx context.Context, current *publishing.Book) error {
			if err := s.reservePDF(x, up.data); err != nil {
				return err
			}
			book = current
			result, err = validateBy(ctx, book, format, up)
			return err
		})
		if err != nil {
			return err
		}
		defer result.GiveBack()
		x.validated(format, result.Report)
		x.outcome = "valid"
		if !result.Report.Valid {
			x.outcome, x.errorCode = "invalid", refusal.ValidationFailed
		}
		return s.sendReport(x, book, &report.Outcome{Name: up.name, Report: result.Report, Document: result.Document, Request: x.id})
	})
}

// validateBy checks a document against what a format asks, with the overlays that the
// request chooses, or else the usual ones.
func validateBy(ctx context.Context, b *publishing.Book, format *catalogue.Format, up upload) (*validate.Result, error) {
	received, rules, err := received(ctx, b, format, up)
	if err != nil {
		return nil, err
	}
	if rules.ComparePages, err = up.ComparesPages(); err != nil {
		return nil, err
	}
	result, err := b.Service.ValidateReceived(ctx, received, rules)
	if err == nil && format.Check.Standard != "" {
		result.Report.Standard = format.Check.Standard
	}
	return result, err
}

// received reads a document for what a format asks, and chooses rules and overlays.
func received(ctx context.Context, b *publishing.Book, format *catalogue.Format, up upload) (received *formats.Received, rules validate.Rules, err error) {
	names, err := up.Choose(b.Usual)
	if err != nil {
		return nil, rules, err
	}
	_, asked := up.Values[option.Overlay]
	names, kept, err := up.mandatory(b, names, asked)
	if err != nil {
		return nil, rules, err
	}
	day, err := up.Day()
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
	if received, err = b.Service.Receive(ctx, up.data, validate.Accept{PDF: takesPDF}); err != nil {
		return nil, rules, err
	}
	if err := acceptsSyntax(format, received.Document.Syntax); err != nil {
		return nil, rules, err
	}
	if rules, err = b.Service.RulesOf(format, received.Document.Invoice); err != nil {
		return nil, rules, err
	}
	rules.Overlays, rules.Kept, rules.At = names, kept, day
	return received, rules, nil
}

// mandatory adds the overlays that a request may not leave out: those of the service and of
// its key, unless the key says that it may. What may not be left out may not be weakened either: a
// request does not choose an overlay that overrules one of these, unless the service or the key
// applies it. kept are those that the key may never leave out.
func (s *Server) mandatory(x *exchange) func(b *publishing.Book, chosen []string, asked bool) (names, kept []string, err error) {
	always := s.always(x)
	return func(b *publishing.Book, chosen []string, asked bool) (names, kept []string, err error) {
		names, added := s.withMandatory(x, chosen, asked)
		if err := knowsOverlays(b, names); err != nil {
			return nil, nil, err
		}
		for _, name := range chosen {
			if slices.Contains(always, name) || slices.Contains(b.Usual, name) {
				continue
			}
			for _, mandatory := range added {
				how, err := b.Library.Overrules(name, mandatory)
				if err != nil {
					return nil, nil, err
				}
				if how != "" {
					return nil, nil, newProblem(refusal.Option, "The overlay %s changes what %s asks, which every validation with this key has: %s. Leave it out, or use a key that has it (--overlays) or may leave out %s (--may-omit).", name, mandatory, how, mandatory)
				}
			}
		}
		kept = slices.DeleteFunc(slices.Clone(always), func(name string) bool { return slices.Contains(x.mayOmit, name) })
		return names, kept, nil
	}
}

// always are the overlays that the service and the key demand.
func (s *Server) always(x *exchange) []string {
	return publishing.With(s.config.Mandatory, x.mandatory)
}

// withMandatory are the overlays that a request has, with those that were added to what it chose.
func (s *Server) withMandatory(x *exchange, chosen []string, asked bool) (names, added []string) {
	names = chosen
	for _, name := range s.always(x) {
		if !asked || !slices.Contains(x.mayOmit, name) {
			names, added = publishing.With(names, []string{name}), append(added, name)
		}
	}
	return names, added
}

// takeOverlay takes the names of overlays that are in force.
func (s *Server) takeOverlay() takenOption {
	return takenOption{name: option.Overlay, check: func(o option.Values) error {
		names, err := o.Choose(nil)
		if err != nil {
			return err
		}
		return knowsOverlays(s.rules.Current(), names)
	}}
}

// knowsOverlays refuses overlays that there are not.
func knowsOverlays(b *publishing.Book, names []string) error {
	for _, name := range names {
		if !slices.Contains(b.Overlays, name) {
			return newProblem(refusal.Option, "There is no overlay %.40q. There are %s.", name, strings.Join(b.Overlays, ", "))
		}
	}
	return nil
}

// withBody serves a request with a body: one of a bounded number, whose memory is
// given back at the end.
func (s *Server) withBody(x *exchange, serve func(*admission.Visit) error) error {
	x.outcome = "refused"
	if x.visit == nil { // else another process was admitted
		v, err := s.admission.Enter(x.owner)
		if err != nil {
			return err
		}
		x.visit = v
	}
	return serve(x.visit)
}

// inTurn does the work of a request in its turn and within its time, with the
// book of rules in force. A document that is parsed pays for the memory of the work on it. Work
// that may not hear of its end is done in another process.
func (s *Server) inTurn(x *exchange, c operation.Cost, work func(context.Context, *publishing.Book) error) error {
	if x.visit.Owner() != nil { // this is the other process
		return work(x.paying(leaving(x.request.Context(), x.visit.Owner().Leave), c), s.rules.Current())
	}
	ctx, cancel := context.WithTimeout(x.request.Context(), s.config.RequestTimeout)
	defer cancel()
	done, err := x.visit.Turn(ctx)
	if err != nil {
		return err
	}
	defer func() { done() }()
	leave := func(wait func()) error {
		done()
		done = func() {}
		wait()
		again, err := x.visit.Turn(ctx)
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
	return work(x.paying(leaving(ctx, leave), c), s.rules.Current())
}

// paying is a context in which work pays for the memory of documents and of pictures before it
// takes it.
func (x *exchange) paying(ctx context.Context, c operation.Cost) context.Context {
	return reserve.With(validate.Reserving(ctx, func(document []byte) error { return x.visit.Take(c.OfXML(document)) }), x.visit.Take)
}

// reservePDF pays for opening a document that is a PDF.
func (s *Server) reservePDF(x *exchange, data []byte) error {
	return x.visit.Take(pdfCost(data, readOptions(s.config.MaxBody).PDF))
}
