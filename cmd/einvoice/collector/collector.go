// Package collector sets how often the garbage collector of the program runs. It is a
// package of its own because packages are initialized in the order of their paths: those of
// the libraries come later, and would otherwise cost a collection before main begins.
package collector

import (
	"os"
	"runtime"
	"runtime/debug"
)

const (
	// percent is how much the heap grows before a collection. Documents come and go quickly
	// and little stays: collecting less often than Go does by default costs some memory and
	// saves a fifth of the time.
	percent = 400
	// atFirst is the percentage until the first collection, which is due when the heap has
	// that part of 4 MB: at 32 MB, as reading the rules and judging one document takes 20.
	atFirst = 800
)

func init() {
	// Libraries that are linked ask for samples of what is allocated; nobody reads them.
	runtime.MemProfileRate = 0
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(atFirst)
	runtime.AddCleanup(&sentinel{}, func(struct{}) { debug.SetGCPercent(percent) }, struct{}{})
}

// A sentinel is not referred to: the first collection frees it.
type sentinel struct{ _ [16]*byte }
