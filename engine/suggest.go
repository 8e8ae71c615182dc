package engine

import (
	"slices"

	"einvoice/model/nearest"
)

// suggest ends the message about a name that is not known with the one that may be meant.
func suggest(name string, known []string) string {
	if near := nearest.Of(name, known); near != "" && !slices.Contains(known, name) {
		return "; did you mean " + near + "?"
	}
	return ""
}
