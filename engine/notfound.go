package engine

import "fmt"

// A NotFoundError says that the library has no profile, ruleset or overlay of a name, or no
// version of a ruleset.
type NotFoundError struct {
	Kind  string   // "profile", "ruleset" or "overlay"
	Name  string   // that was asked for
	Known []string // the names that there are, or the versions of the ruleset
	says  string   // what Error says where that is something else
}

func (e *NotFoundError) Error() string {
	if e.says != "" {
		return e.says
	}
	return fmt.Sprintf("there is no %s %q; there are %s%s", e.Kind, e.Name, join(e.Known), Suggest(e.Name, e.Known))
}
