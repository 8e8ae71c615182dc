package collector

import (
	"os"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestPercentAfterTheFirstCollection(t *testing.T) {
	if os.Getenv("GOGC") != "" {
		t.Skip("skipped: GOGC is set, so the package leaves the collector alone")
	}
	runtime.GC()
	for deadline := time.Now().Add(time.Minute); ; runtime.Gosched() {
		now := debug.SetGCPercent(atFirst)
		debug.SetGCPercent(now)
		if now == percent {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the percentage is %d a minute after a collection, want %d", now, percent)
		}
	}
}
