// Package shipped has the rules that ship with the program.
package shipped

import (
	"io/fs"
	"sync"

	"einvoice/engine"
	"einvoice/rulesets"
)

var library = sync.OnceValues(func() (*engine.Library, error) { return engine.Open(rulesets.FS) })

// Library returns the rules that ship. A process reads them once: they never change.
func Library() (*engine.Library, error) { return library() }

// Or opens a folder of rulesets, or returns the rules that ship where there is none.
func Or(folder fs.FS) (*engine.Library, error) {
	if folder == nil {
		return Library()
	}
	return engine.Open(folder)
}
