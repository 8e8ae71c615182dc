// Package problem is the error for an input that cannot be processed: it has a stable
// code for programs, a position, a message, and a remedy.
//
//	err := &problem.Error{Code: "XML-SYNTAX", Message: "the tag is not closed", Remedy: "close it"}
//	if p, ok := errors.AsType[*problem.Error](err); ok { ... }
package problem

import (
	"fmt"
	"strings"

	"einvoice/model/source"
)

// An Error says what is wrong with an input. Rules that an invoice violates are not
// errors, but findings in a report.
type Error struct {
	Code    string // stable: programs may depend on it
	Message string // what is wrong, lower-case and without a period
	Remedy  string // what to do about it; may be empty

	Position   source.Position // in the text; zero if there is none
	Attachment string          // name of the attachment of a PDF that Position is in
	Page       int             // of a PDF, from 1; 0 if there is none
	Field      string          // path of a field of a request; empty if there is none

	Cause error // the underlying error, for logs
}

// Error writes all parts in one line.
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

// Unwrap is the underlying error.
func (e *Error) Unwrap() error { return e.Cause }
