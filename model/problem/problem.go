// Package problem is how every package reports an input that cannot be processed:
// with a stable code for programs, a place, a message and what to do about it.
//
//	err := &problem.Error{Code: "XML-SYNTAX", Message: "the tag is not closed", Remedy: "close it"}
//	if p, ok := errors.AsType[*problem.Error](err); ok { ... }
package problem

import (
	"fmt"
	"strings"

	"einvoice/model/source"
)

// An Error says what is wrong with an input. It is not for rules that an invoice
// violates: those are findings in a report.
type Error struct {
	Code    string // stable: programs may depend on it
	Message string // what is wrong, lower-case and without a period
	Remedy  string // what to do about it; may be empty

	Position   source.Position // in a text; zero where there is none
	Attachment string          // of the PDF that was read, in which Position is
	Page       int             // of a PDF, from 1; 0 where there is none
	Field      string          // of a request; empty where it is not about one

	Cause error // the error below, for logs
}

// Error is one line with everything.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Attachment != "" {
		fmt.Fprintf(&b, "in the attachment %s: ", e.Attachment)
	}
	if e.Page > 0 {
		fmt.Fprintf(&b, "page %d: ", e.Page)
	}
	if e.Position != (source.Position{}) {
		fmt.Fprintf(&b, "line %d, column %d: ", e.Position.Line, e.Position.Column)
	}
	fmt.Fprintf(&b, "%s [%s]", e.Message, e.Code)
	if e.Remedy != "" {
		b.WriteString("; " + e.Remedy)
	}
	return b.String()
}

// Unwrap is the error below.
func (e *Error) Unwrap() error { return e.Cause }
