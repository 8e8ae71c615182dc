package cli

import (
	"os"
	"runtime"
	"runtime/debug"
)

const (
	// collectAt is how much the heap grows before a collection, in percent. Documents come and
	// go quickly and little stays: collecting less often than Go does by default costs some
	// memory and saves a fifth of the time.
	collectAt = 400
	// collectAtFirst is the percentage until the first collection, which is due when the heap
	// has that part of 4 MB: at 32 MB, as reading the rules and judging one document takes 20.
	collectAtFirst = 800
)

// collectSeldom sets how often the garbage collector of the program runs. GOGC says otherwise.
func collectSeldom() {
	// Libraries that are linked ask for samples of what is allocated; nobody reads them.
	runtime.MemProfileRate = 0
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(collectAtFirst)
	runtime.AddCleanup(&sentinel{}, func(struct{}) { debug.SetGCPercent(collectAt) }, struct{}{})
}

// A sentinel is not referred to: the first collection frees it.
type sentinel struct{ _ [16]*byte }
