package engine

import (
	"fmt"
	"strings"
)

// A LoadError is one mistake in a ruleset, with its position.
type LoadError struct {
	File    string
	Line    int
	Column  int
	Message string

	inBlock inBlock
}

func (e LoadError) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// LoadErrors are all mistakes found, so that they can be corrected together.
type LoadErrors []LoadError

func (e LoadErrors) Error() string {
	lines := make([]string, len(e))
	for i := range e {
		lines[i] = e[i].Error()
	}
	return strings.Join(lines, "\n")
}

// ErrOrNil keeps an empty list from becoming a non-nil error.
func (e LoadErrors) ErrOrNil() error {
	if len(e) == 0 {
		return nil
	}
	return e
}
