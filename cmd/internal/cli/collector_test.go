package cli

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
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
	// Reading by SetGCPercent would undo what the collector set between two calls.
	percent := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	for deadline := time.Now().Add(time.Minute); ; runtime.Gosched() {
		metrics.Read(percent)
		now := percent[0].Value.Uint64()
		if now == collectAt {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the percentage is %d a minute after a collection, want %d", now, collectAt)
		}
	}
}
