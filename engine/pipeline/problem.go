package pipeline

import (
	"errors"

	"einvoice/formats"
)

// A Problem is why a document could not be validated, for programs to read.
type Problem struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	// Attachment of the PDF that the line and column are in.
	Attachment string `json:"attachment,omitempty"`
}

// Codes of problems that are not about the document's form.
const (
	CodeUnreadable = "UNREADABLE" // the input itself could not be read
)

// ProblemOf describes an error of Validate.
func ProblemOf(err error) *Problem {
	p := &Problem{Code: CodeUnreadable, Message: err.Error()}
	if unread, ok := errors.AsType[*formats.Error](err); ok {
		p.Code, p.Line, p.Column = unread.Code, unread.Position.Line, unread.Position.Column
		p.Attachment = unread.Attachment
	}
	return p
}
