//go:build unix

package confine

import (
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

// askForStacks has a process of Go write the stacks of all goroutines and end.
func askForStacks(p *os.Process) { _ = p.Signal(syscall.SIGQUIT) }

// Limit bounds the memory of this process in bytes, and that of one stack, and has it ignore
// the signals that are for its owner. A process that needs more ends.
func Limit(memory uint64) error {
	debug.SetMaxStack(mostStack)
	signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	if memory == 0 {
		return nil
	}
	return syscall.Setrlimit(syscall.RLIMIT_DATA, &syscall.Rlimit{Cur: memory, Max: memory})
}
