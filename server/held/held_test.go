package held_test

import (
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"einvoice/server/held"
)

// Of many that want to have hold of one file, one has at a time, and nothing is left of it.
func TestOneAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "held", "file")
	var now, times atomic.Int64
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			for times.Load() < 500 {
				release, is, err := held.Try(path)
				if err != nil {
					t.Error(err)
					return
				}
				if !is {
					continue
				}
				if now.Add(1) != 1 {
					t.Error("two have hold of it")
				}
				times.Add(1)
				now.Add(-1)
				release()
			}
		})
	}
	all.Wait()
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 0 || held.By(path) {
		t.Errorf("%d files are left: %v", len(entries), err)
	}
}
