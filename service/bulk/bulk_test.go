package bulk_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"einvoice/model/problem"
	"einvoice/service/bulk"
)

// numbers is a source of documents that hold their number. Document 7 of each thousand is
// larger than a batch.
type numbers int

func (n numbers) Each(ctx context.Context, yield func(bulk.Entry) error) error {
	for i := range int(n) {
		size := int64(10)
		if i%1000 == 7 {
			size = 9 << 20
		}
		if err := yield(bulk.Entry{Key: key(i), Size: size, Hash: "version 1"}); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (n numbers) Read(_ context.Context, e bulk.Entry) ([]byte, int64, error) {
	if strings.HasSuffix(e.Key, "13") {
		return nil, 0, errors.New("there is none")
	}
	return []byte(e.Key), 0, nil
}

func key(i int) string { return fmt.Sprintf("document-%06d", i) }

// stuck is the same documents of a source that is never listed to its end.
type stuck struct{ numbers }

func (s stuck) Each(ctx context.Context, yield func(bulk.Entry) error) error {
	if err := s.numbers.Each(ctx, yield); err != nil {
		return err
	}
	<-ctx.Done()
	return ctx.Err()
}

// echo writes a line for each document. It panics, or ends the process, where it is told to.
type echo struct {
	digest string
	panics string
	exits  string
	begins func(key string) // may be nil
	slow   time.Duration
}

func (e *echo) Name() string   { return "echo" }
func (e *echo) Digest() string { return e.digest }

func (e *echo) Do(_ context.Context, segment []byte, d *bulk.Document) ([]byte, bulk.Outcome, error) {
	key, data, failed := d.Key, d.Data, d.Err
	if failed == nil && key == e.panics {
		panic("as it was told")
	}
	if failed == nil && key == e.exits {
		os.Exit(3)
	}
	if e.begins != nil {
		e.begins(key)
	}
	time.Sleep(e.slow)
	if failed != nil {
		return fmt.Appendf(segment, `{"file":%q,"error":%q}`+"\n", key, failed.Error()), bulk.Outcome{Verdict: bulk.Unreadable}, nil
	}
	return fmt.Appendf(segment, `{"file":%q,"bytes":%q}`+"\n", key, data), bulk.Outcome{Verdict: bulk.Valid, Seller: "S" + key[len(key)-1:], Month: "2026-11"}, nil
}

func line(key, data string) string { return fmt.Sprintf(`{"file":%q,"bytes":%q}`+"\n", key, data) }

func failedLine(key, reason string) string {
	return fmt.Sprintf(`{"file":%q,"error":%q}`+"\n", key, reason)
}

// want are the results of echo over n documents.
func want(n int) string {
	var b strings.Builder
	for i := range n {
		if strings.HasSuffix(key(i), "13") {
			b.WriteString(failedLine(key(i), "there is none"))
			continue
		}
		b.WriteString(line(key(i), key(i)))
	}
	return b.String()
}

func run(ctx context.Context, folder string, source bulk.Source, operation bulk.Operation) error {
	job, err := open(ctx, folder, operation)
	if err != nil {
		return err
	}
	defer job.Close()
	return job.Run(ctx, bulk.Running{Source: source, Jobs: 2})
}

func open(ctx context.Context, folder string, operation bulk.Operation) (*bulk.Job, error) {
	return bulk.Open(ctx, bulk.Order{Target: bulk.Folder(folder), Source: "numbers", Operation: operation})
}

// formats are those of segments beside lines of JSON.
var formats []bulk.Format

func results(t *testing.T, folder string) string {
	t.Helper()
	var out bytes.Buffer
	if err := (&bulk.Results{Target: bulk.Folder(folder), Formats: formats}).WriteAll(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func status(t *testing.T, folder string) *bulk.Summary {
	t.Helper()
	s, err := bulk.Status(t.Context(), bulk.Folder(folder))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func codeOf(err error) string {
	if p, ok := errors.AsType[*problem.Error](err); ok {
		return p.Code
	}
	return fmt.Sprint(err)
}

// Every document has its result, in the order of the source, and is counted.
func TestEveryDocument(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "out")
	if err := run(t.Context(), folder, numbers(3000), &echo{}); err != nil {
		t.Fatal(err)
	}
	if results(t, folder) != want(3000) {
		t.Error("the results are others")
	}
	s := status(t, folder)
	if !s.Complete() || s.Valid != 2970 || s.Unreadable != 30 || len(s.Sellers) != 10 || s.Sellers[0].Documents != 300 {
		t.Errorf("got %d valid, %d unreadable, sellers %v", s.Valid, s.Unreadable, s.Sellers)
	}
	if err := run(t.Context(), folder, numbers(3000), &echo{panics: key(1)}); err != nil || results(t, folder) != want(3000) {
		t.Errorf("what is done was done again: %v", err)
	}
}

// What is in a folder of results already is never mixed with other results.
func TestOtherJobs(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "out")
	if err := run(t.Context(), folder, numbers(10), &echo{digest: "one"}); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t.Context(), folder, &echo{digest: "two"}); codeOf(err) != bulk.CodeOther {
		t.Errorf("other rules: %v", err)
	}
	if _, err := bulk.Open(t.Context(), bulk.Order{Target: bulk.Folder(folder), Source: "letters", Operation: &echo{digest: "one"}}); codeOf(err) != bulk.CodeOther {
		t.Errorf("another source: %v", err)
	}
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "mine.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t.Context(), full, &echo{}); codeOf(err) != bulk.CodeOther {
		t.Errorf("a folder with something else: %v", err)
	}
	if _, err := bulk.Status(t.Context(), bulk.Folder(full)); codeOf(err) != bulk.CodeNoJob {
		t.Errorf("status of no job: %v", err)
	}
}

// A document that the operation fails on does not end the others.
func TestPanics(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "out")
	if err := run(t.Context(), folder, numbers(600), &echo{panics: key(300)}); err != nil {
		t.Fatal(err)
	}
	failed := failedLine(key(300), "the program failed on this document: as it was told")
	if got := results(t, folder); got != strings.Replace(want(600), line(key(300), key(300)), failed, 1) {
		t.Errorf("the results are others; %d bytes", len(got))
	}
}

// A second process does not work on the same folder; ending or cancelling the first leaves
// whole segments, and whoever goes on does the rest.
func TestStopping(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "out")
	ended := make(chan error, 1)
	go func() { ended <- run(t.Context(), folder, stuck{1000}, &echo{}) }()
	until(t, hasDone(t, folder, 1))
	if err := run(t.Context(), folder, numbers(3000), &echo{}); codeOf(err) != bulk.CodeBusy {
		t.Errorf("a second process: %v", err)
	}
	if err := bulk.Cancel(t.Context(), bulk.Folder(folder)); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, bulk.ErrCancelled) {
		t.Fatalf("after cancelling: %v", err)
	}
	ctx, stop := context.WithCancel(t.Context())
	if err := run(ctx, folder, numbers(3000), &echo{begins: func(string) { stop() }}); !errors.Is(err, context.Canceled) {
		t.Fatalf("after the end of the context: %v", err)
	}
	if s := status(t, folder); s.Complete() || s.Documents == 0 {
		t.Errorf("%d documents are done of a job that was stopped", s.Documents)
	}
	if err := run(t.Context(), folder, numbers(3000), &echo{}); err != nil {
		t.Fatal(err)
	}
	if results(t, folder) != want(3000) {
		t.Error("the results are others")
	}
}

// until waits for what has to happen; its end is a guard against a test that hangs.
func until(t *testing.T, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatal("it did not happen")
}

// hasDone reports whether a job that runs has done so many documents.
func hasDone(t *testing.T, folder string, least int) func() bool {
	return func() bool {
		s, err := bulk.Status(t.Context(), bulk.Folder(folder))
		return err == nil && s.Documents >= least
	}
}

// Results that cannot be written end the run with the reason, and lose nothing.
func TestUnwritable(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "out")
	source := numbers(1000)
	job, err := open(t.Context(), folder, &echo{})
	if err != nil {
		t.Fatal(err)
	}
	if err := job.Plan(t.Context(), source, 2); err != nil {
		t.Fatal(err)
	}
	inTheWay := filepath.Join(folder, "results", "0000")
	if err := os.Mkdir(filepath.Dir(inTheWay), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(inTheWay, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := job.Run(t.Context(), bulk.Running{Source: source, Jobs: 2}); codeOf(err) != bulk.CodeWriting {
		t.Fatalf("got %v", err)
	}
	if err := os.Remove(inTheWay); err != nil {
		t.Fatal(err)
	}
	if err := job.Run(t.Context(), bulk.Running{Source: source, Jobs: 2}); err != nil || results(t, folder) != want(1000) {
		t.Errorf("afterwards: %v", err)
	}
}

// The variables of a process of TestKilled: the folder that it works on, the document that ends
// it, one that takes long, and the document from which on nothing goes on any more.
const childFolder, childExits, childSlow, childHangs = "EINVOICE_BULK_FOLDER", "EINVOICE_BULK_EXITS", "EINVOICE_BULK_SLOW", "EINVOICE_BULK_HANGS"

func TestMain(m *testing.M) {
	if folder := os.Getenv(childFolder); folder != "" {
		operation := &echo{slow: 300 * time.Microsecond, exits: os.Getenv(childExits)}
		slow, hangs := os.Getenv(childSlow), os.Getenv(childHangs)
		operation.begins = func(key string) {
			switch {
			case hangs != "" && key >= hangs:
				select {}
			case key == slow:
				time.Sleep(time.Second)
			}
		}
		if err := run(context.Background(), folder, numbers(2500), operation); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// child is a process that works on a folder, with the other variables as they are given.
func child(t *testing.T, folder string, variables ...string) *exec.Cmd {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0])
	c.Env = append(append(os.Environ(), childFolder+"="+folder), variables...)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return c
}

// A process that is killed at any moment, and again, loses nothing and does nothing twice. Each
// gets somewhat further, and none to the end.
func TestKilled(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "out")
	r := rand.New(rand.NewPCG(1, 2))
	for hangs := 300; hangs <= 2400; hangs += 300 {
		c := child(t, folder, childHangs+"="+key(hangs))
		until(t, hasDone(t, folder, hangs-256)) // those of whole batches before
		time.Sleep(time.Duration(r.IntN(100)) * time.Millisecond)
		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if c.Wait() == nil {
			t.Fatal("the process was over before it was killed")
		}
	}
	if err := child(t, folder).Wait(); err != nil {
		t.Fatal(err)
	}
	if results(t, folder) != want(2500) || status(t, folder).Documents != 2500 {
		t.Error("the results are others")
	}
}

// A document that ends its process each time is found and given up; the others are done, also
// one that was in hand each time.
func TestPoison(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "out")
	poison, ends := key(700), 0
	for ; ends < 20; ends++ {
		if child(t, folder, childExits+"="+poison, childSlow+"="+key(776)).Wait() == nil { // the first of the next batch
			break
		}
	}
	reason := "given up: the process that worked on this document ended 3 times"
	if got := results(t, folder); got != strings.Replace(want(2500), line(poison, poison), failedLine(poison, reason), 1) {
		t.Errorf("after %d ends the results are others", ends)
	}
	if s := status(t, folder); len(s.GivenUp) != 1 || s.GivenUp[0] != (bulk.GivenUp{Key: poison, Reason: reason}) || ends != 5 {
		t.Errorf("given up are %v after %d ends", s.GivenUp, ends)
	}
}
