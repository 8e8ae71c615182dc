// Package held keeps processes that share a folder from doing one thing at a time: a server that
// is replaced goes on for a while beside the one in its place.
package held

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"einvoice/service/bulk"
)

// again is after what time a file that another process holds is tried again.
const again = 200 * time.Millisecond

// Try takes hold of a file, which it makes, until release is called, which removes it, or the process ends. It is
// false where somebody else has hold of it.
func Try(path string) (release func(), is bool, err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, false, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, false, err
	}
	if bulk.LockFile(f) != nil || !isAt(f, path) {
		return nil, false, f.Close()
	}
	return func() {
		_ = os.Remove(path) // while nobody else can take hold of it; at worst it stays
		_ = bulk.CloseLocked(f)
	}, true, nil
}

// isAt reports whether a file is that of its path still: whoever had hold of it may have removed it in between.
func isAt(f *os.File, path string) bool {
	own, err := f.Stat()
	there, err2 := os.Stat(path)
	return err == nil && err2 == nil && os.SameFile(own, there)
}

// Wait takes hold of a file as soon as nobody else has. The error is that the context ended, or that
// the file cannot be made.
func Wait(ctx context.Context, path string) (release func(), err error) {
	for {
		release, is, err := Try(path)
		if is || err != nil {
			return release, err
		}
		select {
		case <-time.After(again):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// By reports whether anybody has hold of a file.
func By(path string) bool {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return false
	}
	if bulk.LockFile(f) != nil {
		_ = f.Close()
		return true
	}
	_ = bulk.CloseLocked(f)
	return false
}
