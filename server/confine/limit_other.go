//go:build !unix

package confine

import (
	"os"
	"runtime/debug"
)

// askForStacks does nothing: there is no signal for it here.
func askForStacks(*os.Process) {}

// Limit bounds the memory of one stack. There is no limit on all memory here; the estimate of
// the memory of the work bounds it.
func Limit(uint64) error {
	debug.SetMaxStack(mostStack)
	return nil
}
