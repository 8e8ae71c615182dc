package bulk_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/model/problem"
	"einvoice/model/sampled"
	"einvoice/service/bulk"
	"einvoice/service/inputfile"
)

// A folder is listed in the order of filepath.WalkDir, however little memory there is.
func TestFolderInOrder(t *testing.T) {
	defer bulk.SortedInMemory(24)()
	root := t.TempDir()
	files := sampled.Of(5000, 5)
	for i := range files {
		name := filepath.Join(root, []string{"", "b", "b.xml", "b/c"}[i%4], fmt.Sprintf("%d.XML", i*7919%files))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var want, got []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			want = append(want, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	listed := bulk.Files{Folder: root, Work: work}
	if err := listed.Each(t.Context(), func(e bulk.Entry) error { got = append(got, e.Key); return nil }); err != nil {
		t.Fatal(err)
	}
	if len(want) != files || !slices.Equal(got, want) {
		t.Errorf("%d names, want %d, in another order", len(got), len(want))
	}
	if left, err := os.ReadDir(work); err != nil || len(left) > 0 {
		t.Errorf("what is left in the working folder: %v %v", left, err)
	}
}

func readFile(path string) ([]byte, int64, error) { return inputfile.Read(path, 1<<20) }

// twins is a folder of documents of which many have the same bytes.
func twins(t *testing.T, n, different int) *bulk.Files {
	t.Helper()
	root := t.TempDir()
	for i := range n {
		if err := os.WriteFile(filepath.Join(root, fmt.Sprintf("%05d.xml", i)), []byte(fmt.Sprint("document ", i%different)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return &bulk.Files{Folder: root, Work: t.TempDir(), Open: readFile}
}

func runFiles(t *testing.T, o bulk.Order, source bulk.Source) string {
	t.Helper()
	return runJobs(t, o, source, 2)
}

func runJobs(t *testing.T, o bulk.Order, source bulk.Source, jobs int) string {
	t.Helper()
	job, err := bulk.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer job.Close()
	if err := job.Run(t.Context(), bulk.Running{Source: source, Jobs: jobs}); err != nil {
		t.Fatal(err)
	}
	return results(t, string(o.Target.(bulk.Folder)))
}

// Documents with the same bytes are done once by one worker, and where several have them
// at the same moment, again; each has its result under its own name.
func TestDuplicates(t *testing.T) {
	t.Parallel()
	all, different := sampled.Of(20_000, 5), sampled.Of(3000, 5)
	repeated := all - different
	source := twins(t, all, different)
	var want strings.Builder
	for i := range all {
		want.WriteString(line(filepath.Join(source.Folder, fmt.Sprintf("%05d.xml", i)), fmt.Sprint("document ", i%different)))
	}
	for jobs, taken := range map[int]int{1: repeated, 2: 0} {
		folder := filepath.Join(t.TempDir(), "out")
		if got := runJobs(t, bulk.Order{Target: bulk.Folder(folder), Source: "twins", Operation: &echo{}}, source, jobs); got != want.String() {
			t.Errorf("the results of %d are others", jobs)
		}
		s := status(t, folder)
		if s.Duplicates != repeated || s.Taken < taken || s.Taken > repeated || s.Valid != all {
			t.Errorf("%d at a time: %d duplicates, of which %d were taken; %d valid", jobs, s.Duplicates, s.Taken, s.Valid)
		}
	}
}

// The results of an earlier job are taken for what has the same bytes, whatever its name.
func TestReuse(t *testing.T) {
	source := twins(t, 1000, 1000)
	first := bulk.Folder(filepath.Join(t.TempDir(), "first"))
	runFiles(t, bulk.Order{Target: first, Source: "twins", Operation: &echo{}}, source)
	more := twins(t, 1500, 1500)
	second := filepath.Join(t.TempDir(), "second")
	runFiles(t, bulk.Order{Target: bulk.Folder(second), Source: "more", Operation: &echo{}, Reuse: first}, more)
	if s := status(t, second); s.Taken != 1000 || s.Documents != 1500 {
		t.Errorf("%d of %d were taken", s.Taken, s.Documents)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for what, order := range map[string]bulk.Order{
		"other options":       {Operation: &echo{digest: "other"}, Reuse: first},
		"no job":              {Operation: &echo{}, Reuse: bulk.Folder(t.TempDir())},
		"no folder":           {Operation: &echo{}, Reuse: bulk.Folder(file)},
		"nothing of the name": {Operation: &echo{}, Reuse: bulk.Folder(filepath.Join(file, "none"))},
	} {
		order.Target, order.Source = bulk.Folder(filepath.Join(t.TempDir(), "out")), "more"
		_, err := bulk.Open(t.Context(), order)
		if told, ok := errors.AsType[*problem.Error](err); !ok || !strings.Contains(told.Remedy, "--reuse") || strings.Contains(told.Remedy, "--out") {
			t.Errorf("%s: the error is about another target: %v", what, err)
		}
	}
	_, err := bulk.Open(t.Context(), bulk.Order{Target: bulk.Folder(filepath.Join(t.TempDir(), "third")), Source: "more", Operation: &echo{digest: "other"}, Reuse: first})
	if codeOf(err) != bulk.CodeOther {
		t.Errorf("results of other rules: %v", err)
	}
}

// A document that is changed after it was listed is told, and not judged in place of the
// one of the manifest.
func TestChanged(t *testing.T) {
	source := twins(t, 3, 3)
	folder := filepath.Join(t.TempDir(), "out")
	job, err := bulk.Open(t.Context(), bulk.Order{Target: bulk.Folder(folder), Source: "twins", Operation: &echo{}})
	if err != nil {
		t.Fatal(err)
	}
	if err := job.Plan(t.Context(), source, 1); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(source.Folder, "00001.xml"), []byte("changed"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := job.Run(t.Context(), bulk.Running{Source: source, Jobs: 1}); err != nil {
		t.Fatal(err)
	}
	if got := results(t, folder); strings.Count(got, bulk.CodeChanged) != 1 || strings.Contains(got, "document 1") || !strings.Contains(got, "document 2") {
		t.Errorf("got %s", got)
	}
}

// A daily operation has results on which the day decided, or not, as the document says.
type daily struct{ echo }

func (d *daily) Do(ctx context.Context, segment []byte, of *bulk.Document) ([]byte, bulk.Outcome, error) {
	line, out, err := d.echo.Do(ctx, segment, of)
	switch last := string(of.Data[len(of.Data)-1]); {
	case strings.Contains("012", last):
		out.Day = string(engine.Today())
	case strings.Contains("345", last):
		out.Day = "2026-01-01"
	}
	return line, out, err
}

// A result on which the day decided is not taken on another day: the rules are the same, and what
// they say is not.
func TestReuseOnAnotherDay(t *testing.T) {
	source := twins(t, 100, 100)
	first := bulk.Folder(filepath.Join(t.TempDir(), "first"))
	runFiles(t, bulk.Order{Target: first, Source: "twins", Operation: &daily{}}, source)
	second := filepath.Join(t.TempDir(), "second")
	runFiles(t, bulk.Order{Target: bulk.Folder(second), Source: "twins", Operation: &daily{}, Reuse: first}, source)
	if s := status(t, second); s.Taken != 70 || s.Documents != 100 {
		t.Errorf("%d of %d were taken, of 70", s.Taken, s.Documents)
	}
	job, err := bulk.Open(t.Context(), bulk.Order{Target: bulk.Folder(filepath.Join(t.TempDir(), "third")), Source: "twins", Operation: &daily{}, Reuse: first})
	if err != nil {
		t.Fatal(err)
	}
	defer job.Close()
	if said := job.Says(); !strings.HasSuffix(said, "but for 30 documents about which the day decides") {
		t.Errorf("said of 30 that are done again: %s", said)
	}
}
