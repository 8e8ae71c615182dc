package bulk_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"einvoice/service/bulk"
)

// A reader is numbers without hashes, which counts how often documents are read, fails after
// some of them, and has one more at a place.
type reader struct {
	n, failsAt, extra int
	beforeFailing     func() // may be nil
	reads             atomic.Int64
}

var errListing = errors.New("the folder is gone")

func (r *reader) Each(_ context.Context, yield func(bulk.Entry) error) error {
	for i := range r.n {
		if i == r.failsAt {
			if r.beforeFailing != nil {
				r.beforeFailing()
			}
			return errListing
		}
		if i == r.extra {
			if err := yield(bulk.Entry{Key: "extra"}); err != nil {
				return err
			}
		}
		if err := yield(bulk.Entry{Key: key(i)}); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) Read(_ context.Context, e bulk.Entry) ([]byte, int64, error) {
	r.reads.Add(1)
	return []byte(e.Key), 1, nil
}

func (r *reader) want() string {
	var b strings.Builder
	for i := range r.n {
		if i == r.extra {
			b.WriteString(line("extra", "extra"))
		}
		b.WriteString(line(key(i), key(i)))
	}
	return b.String()
}

// A document is read once: what is read for its hash is what is judged.
func TestReadOnce(t *testing.T) {
	source := &reader{n: 5000, failsAt: -1, extra: -1}
	got := runFiles(t, bulk.Order{Target: bulk.Folder(filepath.Join(t.TempDir(), "out")), Source: "reader", Operation: &echo{}}, source)
	if reads := source.reads.Load(); got != source.want() || reads != 5000 {
		t.Errorf("%d reads of 5000 documents", reads)
	}
}

// A listing that did not end begins again. What was done of documents that are listed again
// stays, and is not done again; results of other documents are removed, also where the listing
// has fewer.
func TestListedAnew(t *testing.T) {
	for _, c := range []struct{ n, extra, first int }{
		{2000, 1000, 700}, // the first 1000 are the same, of which at least two batches are whole
		{300, -1, 0},
		{1500, -1, 768},
	} {
		folder := filepath.Join(t.TempDir(), "out")
		order := bulk.Order{Target: bulk.Folder(folder), Source: "reader", Operation: &echo{}}
		job, err := bulk.Open(t.Context(), order)
		if err != nil {
			t.Fatal(err)
		}
		broken := &reader{n: 2000, failsAt: 1600, extra: -1, beforeFailing: func() {
			until(t, hasDone(t, folder, 768))
			until(t, func() bool { // and the first batch is among them
				_, err := os.Stat(filepath.Join(folder, "results", "0000", "0000001.jsonl"))
				return err == nil
			})
		}}
		if err := job.Run(t.Context(), bulk.Running{Source: broken, Jobs: 2}); !errors.Is(err, errListing) {
			t.Fatalf("got %v", err)
		}
		done := status(t, folder)
		if done.Complete() || done.All != 0 || done.Documents < 768 || !strings.HasPrefix(broken.want(), results(t, folder)[:1000]) {
			t.Fatalf("%d documents are done of a listing that failed", done.Documents)
		}
		if c.first > 0 { // the documents of the first batch are not done again
			order.Operation = &echo{panics: key(100)}
		}
		source := &reader{n: c.n, failsAt: -1, extra: c.extra}
		got := runFiles(t, order, source)
		if s := status(t, folder); got != source.want() || !s.Complete() {
			t.Errorf("%+v: the results are others, %d of %d documents", c, s.Documents, s.All)
		}
	}
}

// Names with line breaks, and names that are not UTF-8, are names.
func TestNames(t *testing.T) {
	source := twins(t, 2, 2)
	for _, name := range []string{"new\nline.xml", "caf\xe9.xml", `quote".xml`, "tab\t&<.xml"} {
		if err := os.WriteFile(filepath.Join(source.Folder, name), []byte(name), 0o600); err != nil {
			t.Skipf("skipped: a file system without such names: %v", err)
		}
	}
	folder := filepath.Join(t.TempDir(), "out")
	order := bulk.Order{Target: bulk.Folder(folder), Source: "names", Operation: &echo{}}
	job, err := bulk.Open(t.Context(), order)
	if err != nil {
		t.Fatal(err)
	}
	if err := job.Plan(t.Context(), source, 1); err != nil { // so that names are read from the manifest
		t.Fatal(err)
	}
	got := runFiles(t, order, source)
	for _, name := range []string{"new\nline.xml", "caf\xe9.xml", `quote".xml`, "tab\t&<.xml"} {
		if !strings.Contains(got, fmt.Sprintf(`"bytes":%q`, name)) {
			t.Errorf("%q was not read: %s", name, got)
		}
	}
}
