package server

import (
	"context"
	"fmt"
	"net/http"

	"einvoice/engine"
	"einvoice/engine/pipeline"
)

// mostFindings bounds one answer; the counts tell of all.
const mostFindings = 1000

// A validation is what the renderers show.
type validation struct {
	target *target
	book   *rulebook
	result *pipeline.Result
	name   string // of the uploaded file; may be empty
	id     string // of the request
}

func (v *validation) report() *engine.Report { return v.result.Report }

func (v *validation) status() int {
	if v.report().Valid {
		return http.StatusOK
	}
	return http.StatusBadRequest
}

// findings are those that are shown.
func (v *validation) findings() []engine.Finding {
	all := v.report().Findings
	return all[:min(len(all), mostFindings)]
}

// postValidate is POST /v1/validate/{format}.
func (s *Server) postValidate(x *exchange) error {
	t, err := findTarget(x.params.ByName("format"))
	if err != nil {
		return err
	}
	return s.withBody(x, func(b *buffer) error {
		up, err := s.readUpload(x, b)
		if err != nil {
			return err
		}
		v, err := s.validate(x, t, up)
		if err != nil {
			return err
		}
		s.metrics.validated(v)
		x.outcome = "valid"
		if !v.report().Valid {
			x.outcome, x.errorCode = "invalid", codeValidationFailed
		}
		return sendVerdict(x, v)
	})
}

// validate runs one validation.
func (s *Server) validate(x *exchange, t *target, up upload) (v *validation, err error) {
	err = s.inTurn(x, func(ctx context.Context, book *rulebook) error {
		result, err := book.validate(ctx, t, up)
		v = &validation{target: t, book: book, result: result, name: up.name, id: x.id}
		return err
	})
	return v, err
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
	return work(ctx, s.shelf.current.Load())
}

// verdict is the outcome in a sentence.
func (v *validation) verdict() string {
	r := v.report()
	against := fmt.Sprintf("%s in %s", r.Profile, syntaxNames[v.result.Document.Syntax])
	if !r.Valid {
		text := fmt.Sprintf("The invoice (%s) violates %s", against, count(len(v.violated()), "rule"))
		if r.Counts.Warning > 0 {
			text += " and has " + count(r.Counts.Warning, "warning")
		}
		return text + "."
	}
	switch {
	case r.Counts.Warning > 0:
		return fmt.Sprintf("The invoice is valid (%s), with %s.", against, count(r.Counts.Warning, "warning"))
	}
	return fmt.Sprintf("The invoice is valid (%s).", against)
}

// violated lists each violated rule of level fatal once, with what its first
// finding asks.
func (v *validation) violated() []string {
	places := map[string]int{}
	var order []*engine.Finding
	for i := range v.report().Findings {
		f := &v.report().Findings[i]
		if f.Level != engine.Fatal {
			continue
		}
		if places[f.Rule]++; places[f.Rule] == 1 {
			order = append(order, f)
		}
	}
	texts := make([]string, len(order))
	for i, f := range order {
		texts[i] = fmt.Sprintf("[%s] %s", f.Rule, f.Message)
		if n := places[f.Rule]; n > 1 {
			texts[i] += fmt.Sprintf(" (%d places)", n)
		}
	}
	return texts
}
