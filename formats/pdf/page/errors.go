package page

import (
	"fmt"
	"strings"
)

// UnknownLanguage is the error of a language that pages cannot be drawn in.
type UnknownLanguage struct {
	Language string
	Known    []string
}

// Error names the languages that are known.
func (e *UnknownLanguage) Error() string {
	return fmt.Sprintf("there is no language %q; use one of %s", e.Language, strings.Join(e.Known, ", "))
}

// TooLong is the error of an invoice that needs more pages than are allowed.
type TooLong struct{ Pages int }

// Error says what to do.
func (e *TooLong) Error() string {
	return fmt.Sprintf("the invoice needs more than %d pages; split it, or allow more pages", e.Pages)
}
