package cli

import (
	"os"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestPercentAfterTheFirstCollection(t *testing.T) {
	if os.Getenv("GOGC") != "" {
		t.Skip("skipped: GOGC is set, so the program leaves the collector alone")
	}
	before := debug.SetGCPercent(100)
	defer debug.SetGCPercent(before)
	collectSeldom()
	runtime.GC()
	for deadline := time.Now().Add(time.Minute); ; runtime.Gosched() {
		now := debug.SetGCPercent(collectAtFirst)
		debug.SetGCPercent(now)
		if now == collectAt {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the percentage is %d a minute after a collection, want %d", now, collectAt)
		}
	}
}
