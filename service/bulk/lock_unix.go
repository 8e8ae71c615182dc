//go:build unix

package bulk

import (
	"os"

	"golang.org/x/sys/unix"
)

// tryLock locks a file without waiting.
func tryLock(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) }
