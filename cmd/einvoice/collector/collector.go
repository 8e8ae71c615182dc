// Package collector sets how often the garbage collector of the program runs. It is a
// package of its own because packages are initialized in the order of their paths: those of
// the libraries come later, and would otherwise cost a collection before main begins.
package collector

import (
	"os"
	"runtime/debug"
)

// percent is how much the heap grows before a collection. Documents come and go quickly and
// little stays: collecting less often than Go does by default costs some memory and saves a
// fifth of the time.
const percent = 400

func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}
