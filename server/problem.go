package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"

	"einvoice/engine"
	"einvoice/engine/words"
	"einvoice/formats"
	"einvoice/formats/jsoninvoice"
	"einvoice/model/problem"
	"einvoice/server/admission"
	"einvoice/server/confine"
	"einvoice/server/refusal"
	"einvoice/service/answer"
	"einvoice/service/transform"
)

// A Problem is an error body: ProblemDetails of RFC 9457 (once 7807) with the
// members of the contract. It is an error, so that handlers can return it.
type Problem struct {
	Type      string              `json:"type"`
	Title     string              `json:"title"`
	Status    int                 `json:"status"`
	Detail    string              `json:"detail"`
	ErrorCode string              `json:"errorCode"`
	RequestID string              `json:"requestId"`
	Errors    map[string][]string `json:"errors,omitempty"`
	// Line and Column say where a document stops being readable.
	Line     int              `json:"line,omitempty"`
	Column   int              `json:"column,omitempty"`
	Warnings []engine.Finding `json:"warnings,omitzero"`
	Findings []engine.Finding `json:"findings,omitzero"`
	Report   *answer.Summary  `json:"report,omitempty"`
	// Mistakes are those in the JSON of a request.
	Mistakes []jsoninvoice.Mistake `json:"mistakes,omitempty"`
	// Missing are the terms that a document lacks, and the options that supply them.
	Missing []transform.MissingTerm `json:"missing,omitempty"`
	*answer.LossReport

	retryAfter int // seconds; 0 for no such header

	// What the texts are made of, so that they can be said in other languages.
	told       *problem.Error
	judged     *engine.Report
	reasons    []*problem.Error
	options    []*Problem // the mistakes in options
	attachment string     // of the PDF that was judged
}

func (p *Problem) Error() string { return p.ErrorCode + ": " + p.Detail }

// newProblem makes a Problem of a code of the registry.
func newProblem(code, format string, args ...any) *Problem {
	c := refusal.Named(code)
	return &Problem{Type: refusal.TypeOf[c.Status], Title: c.Title, Status: c.Status, ErrorCode: code, Detail: fmt.Sprintf(format, args...)}
}

// refused is the problem of a refusal.
func refused(r *refusal.Refusal) *Problem {
	p := newProblem(r.Code, "%s", r.Detail)
	p.retryAfter = r.RetryAfter
	return p
}

// problemOf is what a client is told of an error. Errors that nobody foresaw
// tell nothing: they belong into the log.
func (s *Server) problemOf(err error) *Problem {
	if p, ok := errors.AsType[*Problem](err); ok {
		return p
	}
	if r, ok := errors.AsType[*refusal.Refusal](err); ok {
		return refused(r)
	}
	if wrong, ok := errors.AsType[*problem.WrongOptions](err); ok {
		g := given{}
		_ = g.note(wrong)
		return s.problemOf(g.refusal())
	}
	if told, ok := errors.AsType[*problem.Error](err); ok {
		return problemFor(told)
	}
	if mistaken, ok := errors.AsType[*jsoninvoice.Error](err); ok {
		return mistakesProblem(mistaken)
	}
	if tooLarge, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return newProblem(refusal.BodyTooLarge, "The body is larger than %d bytes, which is the most this server accepts.", tooLarge.Limit)
	}
	switch {
	case errors.Is(err, confine.ErrRefused): // the owner knows why
		return newProblem(refusal.Overloaded, "The server refuses the memory for the work.")
	case errors.Is(err, admission.ErrBroken):
		return newProblem(refusal.BodyIncomplete, "The body is not sent as HTTP lays it down: its chunks cannot be taken apart.")
	case errors.Is(err, os.ErrDeadlineExceeded):
		return newProblem(refusal.RequestTimeout, "The body did not arrive within %s, or more slowly than %d bytes a second.", s.config.ReadTimeout, s.config.LeastRate)
	case errors.Is(err, context.DeadlineExceeded):
		return newProblem(refusal.Timeout, "The work on the document took longer than %s and was stopped.", s.config.RequestTimeout)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, context.Canceled):
		return newProblem(refusal.BodyIncomplete, "The connection ended before the whole request was there.")
	}
	return newProblem(refusal.Internal, "Something went wrong here. Whoever runs the server finds it in the log by the id of this request.")
}

func problemFor(err *problem.Error) *Problem {
	code := err.Code
	if refusal.Named(code) == nil { // a code that is not in the registry; a test compares them
		code = formats.CodeUnknown
	}
	p := newProblem(code, "%s", answer.Detail(err, nil))
	p.Line, p.Column, p.told = err.Position.Line, err.Position.Column, err
	return p
}

// tellOptions lists the mistakes in options in a language.
func (p *Problem) tellOptions(language *words.Language) {
	texts := make([]string, len(p.options))
	for i, wrong := range p.options {
		if texts[i] = language.Say(wrong.Detail); wrong.told != nil {
			texts[i] = answer.Detail(wrong.told, language)
		}
	}
	told := maps.Clone(p.Errors)
	if told == nil {
		told = map[string][]string{}
	}
	told["options"] = texts
	p.Errors = told
}

// in is the problem in a language.
func (p *Problem) in(language *words.Language) *Problem {
	shown := *p
	if language == nil {
		return &shown
	}
	shown.Title = language.Say(p.Title)
	switch {
	case p.told != nil:
		shown.Detail = answer.Detail(p.told, language)
	case p.judged != nil:
		shown.tellViolations(language)
	default:
		shown.Detail = language.Say(p.Detail)
	}
	if p.reasons != nil {
		shown.Errors = map[string][]string{"pdf": reasonTexts(p.reasons, language)}
	}
	if p.Mistakes != nil {
		shown.tellMistakes(p.Mistakes, language)
	}
	if p.options != nil {
		shown.tellOptions(language)
	}
	return &shown
}
