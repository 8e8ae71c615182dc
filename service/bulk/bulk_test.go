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
	"strconv"
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

// echo writes a line for each document. It panics, or ends the process, where it is told to.
type echo struct {
	digest string
	panics string
	exits  string
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

func run(ctx context.Context, folder string, n int, operation bulk.Operation) error {
	source := numbers(n)
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

func results(t *testing.T, folder string) string {
	t.Helper()
	var out bytes.Buffer
	if err := bulk.Results(t.Context(), bulk.Folder(folder), &out); err != nil {
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
	if err := run(t.Context(), folder, 3000, &echo{}); err != nil {
		t.Fatal(err)
	}
	if results(t, folder) != want(3000) {
		t.Error("the results are others")
	}
	s := status(t, folder)
	if !s.Complete() || s.Valid != 2970 || s.Unreadable != 30 || len(s.Sellers) != 10 || s.Sellers[0].Documents != 300 {
		t.Errorf("got %d valid, %d unreadable, sellers %v", s.Valid, s.Unreadable, s.Sellers)
	}
	if err := run(t.Context(), folder, 3000, &echo{panics: key(1)}); err != nil || results(t, folder) != want(3000) {
		t.Errorf("what is done was done again: %v", err)
	}
}

// What is in a folder of results already is never mixed with other results.
func TestOtherJobs(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "out")
	if err := run(t.Context(), folder, 10, &echo{digest: "one"}); err != nil {
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
	if err := run(t.Context(), folder, 600, &echo{panics: key(300)}); err != nil {
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
	go func() { ended <- run(t.Context(), folder, 3000, &echo{slow: time.Millisecond}) }()
	until(t, func() bool {
		s, err := bulk.Status(t.Context(), bulk.Folder(folder))
		return err == nil && s.Documents > 0
	})
	if err := run(t.Context(), folder, 3000, &echo{}); codeOf(err) != bulk.CodeBusy {
		t.Errorf("a second process: %v", err)
	}
	if err := bulk.Cancel(t.Context(), bulk.Folder(folder)); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, bulk.ErrCancelled) {
		t.Fatalf("after cancelling: %v", err)
	}
	if s := status(t, folder); s.Complete() {
		t.Fatal("the job was over before it was cancelled")
	}
	ctx, stop := context.WithCancel(t.Context())
	time.AfterFunc(300*time.Millisecond, stop)
	if err := run(ctx, folder, 3000, &echo{slow: 2 * time.Millisecond}); !errors.Is(err, context.Canceled) {
		t.Fatalf("after the end of the context: %v", err)
	}
	if err := run(t.Context(), folder, 3000, &echo{}); err != nil {
		t.Fatal(err)
	}
	if results(t, folder) != want(3000) {
		t.Error("the results are others")
	}
}

func until(t *testing.T, holds func() bool) {
	t.Helper()
	for range 3000 {
		if holds() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("it did not happen")
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

// childFolder names the folder that a process of TestKilled works on.
const childFolder, childExits = "EINVOICE_BULK_FOLDER", "EINVOICE_BULK_EXITS"

func TestMain(m *testing.M) {
	if folder := os.Getenv(childFolder); folder != "" {
		err := run(context.Background(), folder, 2500, &echo{slow: 300 * time.Microsecond, exits: os.Getenv(childExits)})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func child(t *testing.T, folder, exits string) *exec.Cmd {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0])
	c.Env = append(os.Environ(), childFolder+"="+folder, childExits+"="+exits)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return c
}

// A process that is killed at any moment, and again, loses nothing and does nothing twice.
func TestKilled(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "out")
	r := rand.New(rand.NewPCG(1, 2))
	kills := 0
	for kills < 8 {
		c := child(t, folder, "")
		time.Sleep(time.Duration(50+r.IntN(250)) * time.Millisecond)
		_ = c.Process.Kill() // it may be over
		if c.Wait() == nil {
			break
		}
		kills++
	}
	if err := child(t, folder, "").Wait(); err != nil {
		t.Fatal(err)
	}
	if kills == 0 {
		t.Error("no process was killed")
	}
	if results(t, folder) != want(2500) || status(t, folder).Documents != 2500 {
		t.Errorf("after %d kills the results are others", kills)
	}
}

// A document that ends its process each time is found and given up; the others are done.
func TestPoison(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "out")
	poison, ends := key(700), 0
	for ; ends < 20; ends++ {
		if child(t, folder, poison).Wait() == nil {
			break
		}
	}
	reason := "given up: the process that worked on this document ended 3 times"
	if got := results(t, folder); got != strings.Replace(want(2500), line(poison, poison), failedLine(poison, reason), 1) {
		t.Errorf("after %d ends the results are others", ends)
	}
	if s := status(t, folder); len(s.GivenUp) != 1 || s.GivenUp[0] != (bulk.GivenUp{Key: poison, Reason: reason}) || ends != 5 {
		t.Errorf("given up are %v after %s ends", s.GivenUp, strconv.Itoa(ends))
	}
}
