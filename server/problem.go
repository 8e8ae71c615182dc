package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"

	"einvoice/engine"
	"einvoice/formats"
	"einvoice/formats/jsoninvoice"
	"einvoice/formats/pdf/page"
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
	Report   *reportSummary   `json:"report,omitempty"`
	// Mistakes are those in the JSON of a request.
	Mistakes []jsoninvoice.Mistake `json:"mistakes,omitempty"`
	*LossReport

	retryAfter int // seconds; 0 for no such header
}

func (p *Problem) Error() string { return p.ErrorCode + ": " + p.Detail }

// problem makes a Problem of a code of the registry.
func problem(code, format string, args ...any) *Problem {
	c := errorCodes[code]
	return &Problem{Type: typeOf[c.Status], Title: c.Title, Status: c.Status, ErrorCode: code, Detail: fmt.Sprintf(format, args...)}
}

// problemOf is what a client is told of an error. Errors that nobody foresaw
// tell nothing: they belong into the log.
func (s *Server) problemOf(err error) *Problem {
	if p, ok := errors.AsType[*Problem](err); ok {
		return p
	}
	if unread, ok := errors.AsType[*formats.Error](err); ok {
		return unreadable(unread)
	}
	if mistaken, ok := errors.AsType[*jsoninvoice.Error](err); ok {
		return mistakesProblem(mistaken.Mistakes)
	}
	if long, ok := errors.AsType[*page.TooLong](err); ok {
		return problem(codeTooLong, "The invoice needs more than %d pages. Split it, or take it as XML.", long.Pages)
	}
	if tooLarge, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return problem(codeBodyTooLarge, "The body is larger than %d bytes, which is the most this server accepts.", tooLarge.Limit)
	}
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return problem(codeRequestTimeout, "The body did not arrive within %s.", s.config.ReadTimeout)
	case errors.Is(err, context.DeadlineExceeded):
		return problem(codeTimeout, "The work on the document took longer than %s and was stopped.", s.config.RequestTimeout)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, context.Canceled):
		return problem(codeBodyIncomplete, "The connection ended before the whole request was there.")
	}
	return problem(codeInternal, "Something went wrong here. Whoever runs the server finds it in the log by the id of this request.")
}

func unreadable(err *formats.Error) *Problem {
	code := err.Code
	if errorCodes[code] == nil { // a format learnt a new way to fail, and the registry did not: a test holds that
		code = formats.CodeUnknown
	}
	p := problem(code, "%s", sentence(err.Message)+" "+sentence(err.Remedy))
	p.Line, p.Column = err.Position.Line, err.Position.Column
	if p.Line > 0 {
		p.Detail = fmt.Sprintf("Line %d, column %d: %s", p.Line, p.Column, p.Detail)
	}
	if err.Attachment != "" { // the place is in the file inside the file
		p.Detail = fmt.Sprintf("In the attachment %.100q: %s", err.Attachment, p.Detail)
	}
	return p
}
