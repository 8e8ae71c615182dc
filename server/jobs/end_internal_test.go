package jobs

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"
)

// A job that does not stop is not waited for longer than the rest.
func TestJobsThatDoNotStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stopped := false
		b := &Jobs{stop: func() { stopped = true }, log: slog.New(slog.DiscardHandler)}
		b.running.Add(1)
		limit, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		if b.End(limit); !stopped || time.Since(began) != time.Second {
			t.Errorf("stopped %v, after %s", stopped, time.Since(began))
		}
		b.running.Done() // a job that ends is not waited for at all
		if b.End(t.Context()); time.Since(began) != time.Second {
			t.Errorf("after %s", time.Since(began))
		}
	})
}
