package page

import (
	"fmt"
	"strings"
)

// UnknownLanguage says that pages cannot be made in a language.
type UnknownLanguage struct {
	Language string
	Known    []string
}

// Error names the languages there are.
func (e *UnknownLanguage) Error() string {
	return fmt.Sprintf("there is no language %q; use one of %s", e.Language, strings.Join(e.Known, ", "))
}

// TooLong says that an invoice needs more pages than are allowed.
type TooLong struct{ Pages int }

// Error says what to do.
func (e *TooLong) Error() string {
	return fmt.Sprintf("the invoice needs more than %d pages; split it, or allow more pages", e.Pages)
}
