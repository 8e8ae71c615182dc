// Package pattern has regular expressions that are compiled when they are first used: a
// program with a hundred of them starts without compiling one.
//
//	var number = pattern.Later(`^[0-9]+$`)
//
//	number().MatchString(text)
package pattern

import (
	"regexp"
	"sync"
)

// Later is a regular expression that is compiled at the first call. It panics then if the
// expression is wrong; a test compiles all expressions of the project.
func Later(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
