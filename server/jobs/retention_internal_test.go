package jobs

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"einvoice/service/bulk"
)

type nothing struct{}

func (nothing) Name() string   { return "nothing" }
func (nothing) Digest() string { return "nothing" }
func (nothing) Do(_ context.Context, segment []byte, _ *bulk.Document) ([]byte, bulk.Outcome, error) {
	return segment, bulk.Outcome{}, nil
}

// A job that says of itself that it was cancelled may still have a document in hand. Its folder
// goes only when nothing writes into it any more: it would be there again, and without an end.
func TestOldJobsThatStillWrite(t *testing.T) {
	b := New(Settings{Results: t.TempDir(), AtOnce: 1, Jobs: 1, Keep: func(string) int { return 30 }}, nil, nil, slog.New(slog.DiscardHandler))
	const id = "aaaaaaaaaaaaaaaaaaaaaaaaaa"
	job, err := bulk.Open(t.Context(), bulk.Order{Target: b.Target(id), Source: "some", Operation: nothing{}, Batch: 1})
	if err != nil {
		t.Fatal(err)
	}
	job.Close()
	here := &running{cancel: func() {}}
	b.here[id] = here
	if err := b.Cancel(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	remove := func() bool {
		t.Helper()
		if err := b.RemoveOld(t.Context(), time.Now().AddDate(0, 0, 31)); err != nil {
			t.Fatal(err)
		}
		_, err := os.Stat(filepath.Join(b.Results, id))
		return os.IsNotExist(err)
	}
	if remove() {
		t.Error("a job that has documents in hand is removed")
	}
	here.over, here.left = true, true
	if !remove() {
		t.Error("a cancelled job that is old and over is not removed")
	}
}

// A removal that was cut off leaves no job that would go on: it is ended by the next one.
func TestJobIsRemovedInOneStep(t *testing.T) {
	b := New(Settings{Results: t.TempDir(), AtOnce: 1, Jobs: 1, Keep: func(string) int { return 30 }}, nil, nil, slog.New(slog.DiscardHandler))
	half := filepath.Join(b.Results, "aaaaaaaaaaaaaaaaaaaaaaaaaa"+removed)
	if err := os.MkdirAll(half, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(half, "job.json"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if ids, err := b.IDs(); err != nil || len(ids) != 0 {
		t.Errorf("jobs are %v, %v", ids, err)
	}
	if err := b.RemoveOld(t.Context(), time.Now()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(half); !os.IsNotExist(err) {
		t.Errorf("the half that was left is still there: %v", err)
	}
}
