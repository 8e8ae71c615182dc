package cli

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"einvoice/service/bulk"
)

// A run without a terminal says after seconds that it works, then twice a minute, and how it ended;
// one that is over at once says nothing.
func TestLoggedProgress(t *testing.T) {
	for seconds, want := range map[int]int{1: 0, 4: 2, 40: 3, 100: 5} {
		var said bytes.Buffer
		clock := time.Now()
		tell, finish := loggedProgress(slog.New(slog.NewTextHandler(&said, nil)), func() time.Time { return clock })
		for second := range seconds {
			clock = clock.Add(time.Second)
			tell(bulk.Progress{Done: second + 1, All: seconds})
		}
		finish()
		if got := strings.Count(said.String(), "\n"); got != want {
			t.Errorf("%d s: %d lines, want %d:\n%s", seconds, got, want, said.String())
		}
		if want > 0 && !strings.Contains(said.String(), "msg=ended done="+map[int]string{4: "4", 40: "40", 100: "100"}[seconds]) {
			t.Errorf("%d s: the end is not told:\n%s", seconds, said.String())
		}
	}
}
