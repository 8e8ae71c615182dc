//go:build machines

package nats_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"einvoice/service/audit"
	"einvoice/service/bulk"
	"einvoice/service/watch"
	"einvoice/service/watch/watchtest"

	"github.com/nats-io/nats.go/jetstream"
)

var errEnded = errors.New("the process ends")

// A brokenOut ends the line after a report and before NATS has heard of it.
type brokenOut struct{ watch.Target }

func (brokenOut) Finish(context.Context, *watch.Document, string, []byte, string) error {
	return errEnded
}

func (t brokenOut) Again(all bool) watch.Source { return t.Target.(watch.Retrier).Again(all) }

// A brokenIn ends the line where NATS would hear that a document has its result.
type brokenIn struct{ watch.Source }

func (s brokenIn) Take(ctx context.Context, room func() bool, hand func(*watch.Document)) (took, waits int, err error) {
	return s.Source.Take(ctx, room, func(d *watch.Document) {
		if d != nil {
			d.Origin = unheard{d.Origin}
		}
		hand(d)
	})
}

type unheard struct{ watch.Origin }

func (unheard) Release(context.Context) error { return errEnded }

// A process gives a document up and ends before NATS has heard so. The next one tries it again, and
// NATS gives it once more: it has one result, and does not lie with the dead as well.
func TestTriedAgainBeforeRelease(t *testing.T) {
	for _, out := range []string{"nats:out", t.TempDir()} {
		url, js := streams(t, jetstream.LimitsPolicy)
		if _, err := js.Publish(t.Context(), "in.usual", []byte("slow 1")); err != nil {
			t.Fatal(err)
		}
		ending := lineTo(url, out)
		ending.Once = true
		if _, is := ending.Target.(*watch.Stored); is {
			ending.Sources[0] = brokenIn{ending.Sources[0]}
		} else {
			ending.Target = brokenOut{ending.Target}
		}
		if err := ending.Run(t.Context()); !errors.Is(err, errEnded) {
			t.Fatalf("%s: %v", out, err)
		}
		t.Setenv(watchtest.Cured, "yes")
		next := lineTo(url, out)
		next.Once, next.Retry = true, true
		results := 0
		next.Done = func(watch.Result) { results++ }
		if err := next.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		t.Setenv(watchtest.Cured, "")
		if results != 1 {
			t.Errorf("%s: %d results of a document that was given up", out, results)
		}
		if _, is := next.Target.(*watch.Stored); !is {
			stream, err := js.Stream(t.Context(), "RESULTS")
			if err != nil {
				t.Fatal(err)
			}
			if n := countResults(t, stream); n != 1 {
				t.Errorf("there are %d results", n)
			}
			continue
		}
		places := map[string]int{}
		err := bulk.Folder(out).Each(t.Context(), "", func(name string) error {
			if place, _, _ := strings.Cut(name, "/"); !strings.HasSuffix(name, audit.ReportEnding) {
				places[place]++
			}
			return nil
		})
		if err != nil || places["valid"] != 1 || places[watch.Dead] != 0 {
			t.Errorf("documents are in %v, %v", places, err)
		}
	}
}
