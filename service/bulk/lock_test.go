package bulk_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"einvoice/service/bulk"
)

// A file that was let go is free at once, also while programs are being started, which have it for a moment.
func TestLockIsFreeAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var starters sync.WaitGroup
	done := make(chan struct{})
	for range 4 {
		starters.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					_ = exec.Command(program, "-test.run=^$").Run()
				}
			}
		})
	}
	for i := range 20_000 {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		if err := bulk.LockFile(f); err != nil {
			t.Errorf("%d: %v", i, err)
			break
		}
		if err := bulk.CloseLocked(f); err != nil {
			t.Fatal(err)
		}
	}
	close(done)
	starters.Wait()
}
