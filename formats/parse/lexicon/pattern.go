package lexicon

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression that is compiled when it is first needed: most runs of
// the program read no pages.
func Pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
