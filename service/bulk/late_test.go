package bulk_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"einvoice/service/bulk"
)

// A slowEcho is an echo that takes long for some documents, and does not hear of its end for
// others.
type slowEcho struct {
	echo
	long, deaf map[string]bool
	release    chan struct{}
	done       atomic.Int64 // how often a document was begun that takes long
}

func (e *slowEcho) Do(ctx context.Context, segment []byte, d *bulk.Document) ([]byte, bulk.Outcome, error) {
	switch {
	case d.Err != nil:
	case e.deaf[d.Key]:
		e.done.Add(1)
		<-e.release
	case e.long[d.Key]:
		e.done.Add(1)
		<-ctx.Done()
	}
	return e.echo.Do(ctx, segment, d)
}

// Documents that outlive their time are given up with a word, each by itself, whether they hear
// of it or not; all others have their results, and nothing is done again afterwards.
func TestLate(t *testing.T) {
	t.Parallel()
	folder, release := filepath.Join(t.TempDir(), "out"), make(chan struct{})
	defer close(release)
	operation := &slowEcho{long: map[string]bool{}, deaf: map[string]bool{}, release: release}
	const documents = 200
	picked := func() string { // one that can be read: those that end in 13 cannot, and are not begun
		for {
			if k := key(rand.IntN(documents)); !strings.HasSuffix(k, "13") {
				return k
			}
		}
	}
	for range 3 {
		operation.long[picked()] = true
	}
	for range 2 {
		if k := picked(); !operation.long[k] {
			operation.deaf[k] = true
		}
	}
	run := func() {
		t.Helper()
		job, err := open(t.Context(), folder, operation)
		if err != nil {
			t.Fatal(err)
		}
		defer job.Close()
		if err := job.Run(t.Context(), bulk.Running{Source: numbers(documents), Jobs: 2, Time: 200 * time.Millisecond}); err != nil {
			t.Fatal(err)
		}
	}
	run()
	made, begun := results(t, folder), operation.done.Load()
	// One that hears of its end is begun twice, unless this machine was so busy that it was heard late.
	least, most := int64(len(operation.long)+len(operation.deaf)), int64(2*len(operation.long)+len(operation.deaf))
	if begun < least || begun > most {
		t.Errorf("documents that take long were begun %d times, not %d to %d", begun, least, most)
	}
	if n := strings.Count(made, "\n"); n != documents {
		t.Errorf("there are %d results", n)
	}
	givenUp := status(t, folder).GivenUp
	for _, g := range givenUp {
		if !operation.long[g.Key] && !operation.deaf[g.Key] || operation.deaf[g.Key] && strings.HasSuffix(g.Reason, "2 times") {
			t.Errorf("%s: %s", g.Key, g.Reason)
		}
	}
	if len(givenUp) != len(operation.long)+len(operation.deaf) {
		t.Errorf("given up are %v of %v and %v", givenUp, operation.long, operation.deaf)
	}
	run()
	if operation.done.Load() != begun || results(t, folder) != made {
		t.Error("what was given up was done again")
	}
}

// What was given up in a batch that was stopped is not done again when the job goes on.
func TestGivenUpStays(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "out")
	const documents = 6
	begun := map[string]int{}
	run := func(last func() error) error {
		t.Helper()
		job, err := open(t.Context(), folder, &echo{})
		if err != nil {
			t.Fatal(err)
		}
		defer job.Close()
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		return job.Run(ctx, bulk.Running{
			Source: numbers(documents), Jobs: 1,
			Elsewhere: func(ctx context.Context, d *bulk.Document, _ time.Duration) ([]byte, bulk.Outcome, error) {
				begun[d.Key]++
				switch d.Key {
				case key(2):
					return nil, bulk.Outcome{}, bulk.ErrLate
				case key(documents - 1):
					if err := last(); err != nil {
						stop()
						<-ctx.Done()
						return nil, bulk.Outcome{}, ctx.Err()
					}
				}
				return (&echo{}).Do(ctx, nil, d)
			},
		})
	}
	if err := run(func() error { return context.Canceled }); !errors.Is(err, context.Canceled) {
		t.Fatalf("the run that was stopped: %v", err)
	}
	if err := run(func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	if begun[key(2)] != 2 || begun[key(3)] != 2 {
		t.Errorf("begun were %v", begun)
	}
	if g := status(t, folder).GivenUp; len(g) != 1 || g[0].Key != key(2) {
		t.Errorf("given up are %v", g)
	}
}

// An onTheClock notices its end by the clock, before its context hears of it.
type onTheClock struct{ echo }

func (e *onTheClock) Do(ctx context.Context, segment []byte, d *bulk.Document) ([]byte, bulk.Outcome, error) {
	failed := *d
	if d.Err == nil {
		end, _ := ctx.Deadline()
		for time.Now().Before(end) { //nolint:revive // as work does
		}
		failed.Err = context.DeadlineExceeded
	}
	return e.echo.Do(ctx, segment, &failed)
}

// Work that notices its end before its context does is late, and not unreadable.
func TestLateOnTheClock(t *testing.T) {
	t.Parallel()
	by := bulk.Performance{Operation: &onTheClock{}, Time: 100 * time.Microsecond}
	for range 500 {
		line, _, givenUp, err := by.Do(t.Context(), bulk.Document{Key: key(1)})
		if err != nil || givenUp == "" {
			t.Fatalf("not given up: %s %v", line, err)
		}
	}
}
