//go:build unix

package bulk

import (
	"os"

	"golang.org/x/sys/unix"
)

// tryLock locks a file without waiting.
func tryLock(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) }

// release gives a lock back at once. Closing the file is not enough: a program that is being started has the file
// too, until it runs.
func release(f *os.File) { _ = unix.Flock(int(f.Fd()), unix.LOCK_UN) }
