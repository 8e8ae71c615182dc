package formats

import (
	"fmt"

	"einvoice/model/source"
)

// The codes of an Error, besides those of packages xmlparse and pdf, which pass
// through.
// They are stable: programs may depend on them.
const (
	CodePDF           = "FORMAT-PDF"            // a PDF where only XML is taken
	CodeWrapped       = "FORMAT-WRAPPED"        // an invoice, or room for one, in an envelope
	CodeOtherDocument = "FORMAT-OTHER-DOCUMENT" // a business document that is no invoice of EN 16931
	CodeNamespace     = "FORMAT-NAMESPACE"      // the root element of an invoice in another namespace
	CodeUnknown       = "FORMAT-UNKNOWN"        // XML of some other kind
)

// An Error says why a document could not be read.
type Error struct {
	Code       string
	Position   source.Position // zero where the document has no text
	Message    string          // what is wrong there
	Remedy     string          // what to do about it
	Attachment string          // of the PDF that was read, in which Position is; empty for other documents

	cause error
}

// Error is one line with everything.
func (e *Error) Error() string {
	place := ""
	if e.Position != (source.Position{}) {
		place = fmt.Sprintf("line %d, column %d: ", e.Position.Line, e.Position.Column)
	}
	if e.Attachment != "" {
		place = fmt.Sprintf("in the attachment %s: %s", e.Attachment, place)
	}
	return fmt.Sprintf("%s%s [%s]; %s", place, e.Message, e.Code, e.Remedy)
}

// Unwrap is the parser's error, where that was what went wrong.
func (e *Error) Unwrap() error { return e.cause }
