//go:build windows

package bulk

import (
	"os"

	"golang.org/x/sys/windows"
)

// tryLock locks a file without waiting. The byte that it locks is behind the end of any file: what is
// locked nobody else can read.
func tryLock(f *os.File) error {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	return windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
}

// release gives a lock back, which closing the file does as well.
func release(f *os.File) {
	_ = windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
}
