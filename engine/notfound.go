package engine

import "fmt"

// A NotFoundError says that the library has no profile, ruleset or overlay of a name.
type NotFoundError struct {
	Kind  string // "profile", "ruleset" or "overlay"
	Name  string // that was asked for
	Known []string
}

func (e *NotFoundError) Error() string {
	return fmt.Sprintf("there is no %s %q; there are %s%s", e.Kind, e.Name, join(e.Known), Suggest(e.Name, e.Known))
}
