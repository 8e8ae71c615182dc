//go:build machines

package s3_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"einvoice/model/problem"
	"einvoice/service/bulk"
	"einvoice/service/bulk/s3"

	"golang.org/x/sync/errgroup"
)

// echo writes what it read.
type echo struct{}

func (echo) Name() string   { return "echo" }
func (echo) Digest() string { return "" }
func (echo) Do(_ context.Context, segment []byte, d *bulk.Document) ([]byte, bulk.Outcome, error) {
	if d.Err != nil {
		return fmt.Appendf(segment, `{"file":%q,"error":%q}`+"\n", d.Key, d.Err.Error()), bulk.Outcome{Verdict: bulk.Unreadable}, nil
	}
	return fmt.Appendf(segment, `{"file":%q,"bytes":%q}`+"\n", d.Key, d.Data), bulk.Outcome{Verdict: bulk.Valid, Month: "2026-11"}, nil
}

func code(err error) string {
	if p, ok := errors.AsType[*problem.Error](err); ok {
		return p.Code
	}
	return fmt.Sprint(err)
}

func run(ctx context.Context, t *testing.T, in, out string) (*s3.Target, error) {
	t.Helper()
	source, err := s3.OpenSource(in, 1000)
	if err != nil {
		return nil, err
	}
	target, err := s3.OpenTarget(out, t.TempDir())
	if err != nil {
		return nil, err
	}
	job, err := bulk.Open(ctx, bulk.Order{Target: target, Source: in, Operation: echo{}, Batch: 10})
	if err != nil {
		return nil, err
	}
	return target, job.Run(ctx, bulk.Running{Source: source, Jobs: 4})
}

func results(t *testing.T, target *s3.Target) string {
	t.Helper()
	var b bytes.Buffer
	if err := (&bulk.Results{Target: target}).WriteAll(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// fill puts documents into the fake and gives the results that they must have.
func fill(f *fake, n int) string {
	var want strings.Builder
	for i := range n {
		key, data := fmt.Sprintf("in/%05d.xml", i), []byte(fmt.Sprint("document ", i))
		f.set(key, data)
		fmt.Fprintf(&want, `{"file":%q,"bytes":%q}`+"\n", key, data)
	}
	f.set("in/notes.txt", []byte("no invoice"))
	return want.String()
}

// A job from S3 to S3 whose server answers 500, 503, slowly, half, or not at all has the
// same results as one without trouble.
func TestTrouble(t *testing.T) {
	for _, trouble := range []float64{0, 0.08} {
		f := newFake(t, 0)
		want := fill(f, 350)
		f.trouble = trouble
		target, err := run(t.Context(), t, "s3://bucket/in", "s3://bucket/out")
		if err != nil {
			t.Fatalf("with trouble %v: %v", trouble, err)
		}
		f.trouble = 0
		if results(t, target) != want {
			t.Errorf("with trouble %v the results are others", trouble)
		}
		s, err := bulk.Status(t.Context(), target)
		if err != nil || !s.Complete() || s.Valid != 350 {
			t.Errorf("with trouble %v: %+v, %v", trouble, s, err)
		}
		if trouble > 0 && len(f.failed) != 5 {
			t.Errorf("only some kinds of trouble happened: %v", f.failed)
		}
		if lock, _ := f.get("out/.bulk/lock"); len(lock) > 0 {
			t.Error("the lock is not given back")
		}
	}
}

// Each kind of trouble alone, of the documents and of the results: those of a run without
// trouble come out. A slow answer takes longer than is waited for. No object has so much trouble
// that its requests are given up.
func TestEachTrouble(t *testing.T) {
	defer s3.Patience(500 * time.Millisecond)()
	for _, kind := range troubles {
		for _, below := range []string{"in/", "out/"} {
			t.Run(kind+" "+below, func(t *testing.T) {
				f := newFake(t, 0)
				want := fill(f, 100)
				f.trouble, f.kinds, f.below, f.slow, f.most = 0.15, []string{kind}, below, time.Second, 2
				if kind == "slow" {
					f.trouble = 0.05
				}
				target, err := run(t.Context(), t, "s3://bucket/in", "s3://bucket/out")
				if err != nil {
					t.Fatal(err)
				}
				f.trouble = 0
				if results(t, target) != want {
					t.Error("the results are others")
				}
				if f.failed[kind] < 2 {
					t.Errorf("it happened %d times", f.failed[kind])
				}
			})
		}
	}
}

// A server that lets nobody in any more ends the run, and gives no document a result that it has not
// earned; a run that is called again does the rest.
func TestUnavailable(t *testing.T) {
	f := newFake(t, 0)
	want := fill(f, 40)
	ctx, cancel := context.WithTimeout(t.Context(), 9*time.Minute)
	defer cancel()
	source, err := s3.OpenSource("s3://bucket/in", 1000)
	if err != nil {
		t.Fatal(err)
	}
	target := bulk.Folder(t.TempDir() + "/out")
	job, err := bulk.Open(ctx, bulk.Order{Target: target, Source: "in", Operation: echo{}, Batch: 10})
	if err != nil {
		t.Fatal(err)
	}
	if err := job.Plan(ctx, source, 2); err != nil {
		t.Fatal(err)
	}
	f.deny(true)
	if err := job.Run(ctx, bulk.Running{Source: source, Jobs: 2}); code(err) != bulk.CodeUnavailable {
		t.Fatalf("got %v", err)
	}
	f.deny(false)
	if err := job.Run(ctx, bulk.Running{Source: source, Jobs: 2}); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := (&bulk.Results{Target: target}).WriteAll(ctx, &b); err != nil || b.String() != want {
		t.Errorf("the results are others: %v", err)
	}
}

// Where nobody may read and no credentials were found, the error says so.
func TestNoCredentials(t *testing.T) {
	f := newFake(t, 0)
	for _, name := range []string{"AWS_ACCESS_KEY_ID", "AWS_ACCESS_KEY", "AWS_SECRET_ACCESS_KEY", "AWS_SECRET_KEY"} {
		t.Setenv(name, "")
	}
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", t.TempDir()+"/none")
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	f.deny(true)
	source, err := s3.OpenSource("s3://bucket/in", 1000)
	if err != nil {
		t.Fatal(err)
	}
	job, err := bulk.Open(t.Context(), bulk.Order{Target: bulk.Folder(t.TempDir() + "/out"), Source: "in", Operation: echo{}, Batch: 10})
	if err != nil {
		t.Fatal(err)
	}
	err = job.Plan(t.Context(), source, 2)
	if e, ok := errors.AsType[*problem.Error](err); !ok || !strings.Contains(e.Remedy, "no credentials were found") {
		t.Errorf("got %+v", err)
	}
}

// An object that is deleted or written again after it was listed is told.
func TestChangedObjects(t *testing.T) {
	f := newFake(t, 0)
	fill(f, 3)
	f.set("in/00004.xml", bytes.Repeat([]byte("x"), 2000))
	source, err := s3.OpenSource("s3://bucket/in/", 1000)
	if err != nil {
		t.Fatal(err)
	}
	var entries []bulk.Entry
	if err := source.Each(t.Context(), func(e bulk.Entry) error { entries = append(entries, e); return nil }); err != nil || len(entries) != 4 {
		t.Fatalf("%v %v", entries, err)
	}
	f.set("in/00001.xml", []byte("another"))
	f.remove("in/00002.xml")
	for i, want := range []string{"<nil>", bulk.CodeChanged, "there is no object in/00002.xml any more", "XML-LIMIT"} {
		if _, _, err := source.Read(t.Context(), entries[i]); code(err) != want {
			t.Errorf("%s: %v, want %s", entries[i].Key, err, want)
		}
	}
}

// Two coordinators do not work on one target; the lock of one that was killed is taken over.
func TestLock(t *testing.T) {
	newFake(t, 0)
	const often = 10 * time.Millisecond
	open := func(every time.Duration, times int) *s3.Target {
		target, err := s3.OpenTarget("s3://bucket/out", t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		return target.Renews(every, times)
	}
	locked, unlock, err := open(often, 0).Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	// The second one looks until it sees that the lock is written again.
	if _, _, err := open(often, 30_000).Lock(t.Context()); code(err) != bulk.CodeBusy {
		t.Errorf("a second one: %v", err)
	}
	if locked.Err() != nil {
		t.Error("the first one lost its lock")
	}
	unlock()
	dead, kill := context.WithCancel(t.Context())
	if _, _, err = open(time.Hour, 0).Lock(dead); err != nil {
		t.Fatalf("after unlocking: %v", err)
	}
	kill() // its lock stays, and nobody renews it
	_, unlock, err = open(often, 3).Lock(t.Context())
	if err != nil {
		t.Fatalf("after a kill: %v", err)
	}
	unlock()
}

// What names no place in S3 says so.
func TestNames(t *testing.T) {
	newFake(t, 0)
	if _, err := s3.OpenSource("s3:///x", 1); code(err) != s3.CodeName {
		t.Errorf("no bucket: %v", err)
	}
	t.Setenv("AWS_ENDPOINT_URL", "nowhere")
	if _, err := s3.OpenTarget("s3://bucket/x", t.TempDir()); code(err) != s3.CodeName {
		t.Errorf("no server: %v", err)
	}
}

// The results of an earlier job are taken for objects with the same bytes, which are known
// once they are read.
func TestReuse(t *testing.T) {
	f := newFake(t, 0)
	want := fill(f, 30)
	earlier, err := run(t.Context(), t, "s3://bucket/in", "s3://bucket/out")
	if err != nil {
		t.Fatal(err)
	}
	source, err := s3.OpenSource("s3://bucket/in", 1000)
	if err != nil {
		t.Fatal(err)
	}
	again, err := s3.OpenTarget("s3://bucket/again", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	job, err := bulk.Open(t.Context(), bulk.Order{Target: again, Source: "in", Operation: echo{}, Reuse: earlier})
	if err != nil {
		t.Fatal(err)
	}
	defer job.Close()
	if err := job.Plan(t.Context(), source, 1); err != nil {
		t.Fatal(err)
	}
	if err := job.Run(t.Context(), bulk.Running{Source: source, Jobs: 1}); err != nil {
		t.Fatal(err)
	}
	s, err := bulk.Status(t.Context(), again)
	if err != nil || s.Taken != 30 || results(t, again) != want {
		t.Errorf("%d were taken, %v", s.Taken, err)
	}
}

// Listings of several pages have every key once, in order, also keys with letters that addresses write
// otherwise; what is listed can be read.
func TestManyKeys(t *testing.T) {
	f := newFake(t, 0)
	letters := []rune("aZ09-_.~ +%&=?#'()[]@:;,!$*äß€中🙂\"<>\\^`{|}")
	chance := rand.New(rand.NewPCG(36, 6))
	want := map[string]string{}
	for i := range 2300 {
		name := make([]rune, chance.IntN(12))
		for at := range name {
			name[at] = letters[chance.IntN(len(letters))]
		}
		key := fmt.Sprintf("in/%d/%d%s.xml", i%3, i, string(name))
		want[key] = fmt.Sprint("document ", i)
	}
	var group errgroup.Group
	group.SetLimit(8)
	for key, text := range want {
		group.Go(func() error { f.set(key, []byte(text)); return nil })
	}
	_ = group.Wait()
	source, err := s3.OpenSource("s3://bucket/in/", 1000)
	if err != nil {
		t.Fatal(err)
	}
	last := ""
	err = source.Each(t.Context(), func(e bulk.Entry) error {
		if e.Key <= last {
			t.Errorf("%q comes after %q", e.Key, last)
		}
		last = e.Key
		if data, _, err := source.Read(t.Context(), e); err != nil || string(data) != want[e.Key] {
			t.Errorf("%q: %q, %v", e.Key, data, err)
		}
		delete(want, e.Key)
		return nil
	})
	if err != nil || len(want) > 0 {
		t.Errorf("%d keys are not listed: %v", len(want), err)
	}
}
