package problem

import (
	"errors"
	"strings"
)

// Codes that several packages give. They are stable: programs may depend on them.
const (
	CodeOption  = "OPTION-INVALID"  // an option has a value that it cannot have
	CodeTarget  = "TARGET-UNKNOWN"  // nothing is there by this name
	CodeRequest = "REQUEST-INVALID" // the request is not what the call takes
	CodeLegacy  = "FORMAT-LEGACY"   // the document is of a format that has no rules
)

// WrongOptions are all options of a request that have values which they cannot have. Each
// has the code CodeOption and, but for the format, the field of the request.
type WrongOptions struct{ Wrong []*Error }

// Error writes one option a line.
func (w *WrongOptions) Error() string {
	texts := make([]string, len(w.Wrong))
	for i, e := range w.Wrong {
		texts[i] = e.Error()
	}
	return strings.Join(texts, "\n")
}

// Unwrap are the errors.
func (w *WrongOptions) Unwrap() []error {
	out := make([]error, len(w.Wrong))
	for i, e := range w.Wrong {
		out[i] = e
	}
	return out
}

// Option is the error of an option; field is where a request has it.
func Option(field string, err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return &Error{Code: CodeOption, Message: e.Message, Remedy: e.Remedy, Field: field, Cause: err}
	}
	return &Error{Code: CodeOption, Message: err.Error(), Field: field, Cause: err}
}
