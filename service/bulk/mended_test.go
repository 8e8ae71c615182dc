package bulk_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"einvoice/service/bulk"
)

// A job that listed nothing, as one whose source was misspelt, gives way to another; one that
// has results does not.
func TestNothingListed(t *testing.T) {
	folder := bulk.Folder(filepath.Join(t.TempDir(), "out"))
	order := bulk.Order{Target: folder, Source: "misspelt", Operation: &echo{}}
	job, err := bulk.Open(t.Context(), order)
	if err != nil {
		t.Fatal(err)
	}
	if err := job.Run(t.Context(), bulk.Running{Source: &reader{extra: -1}, Jobs: 1}); codeOf(err) != bulk.CodeEmpty {
		t.Fatalf("got %v", err)
	}
	order.Source = "right"
	source := &reader{n: 300, failsAt: -1, extra: -1}
	if got := runFiles(t, order, source); got != source.want() {
		t.Error("the results are others")
	}
	order.Source = "misspelt"
	if _, err := bulk.Open(t.Context(), order); codeOf(err) != bulk.CodeOther {
		t.Errorf("got %v", err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	order.Target = bulk.Folder(file)
	if _, err := bulk.Open(t.Context(), order); codeOf(err) != bulk.CodeNoJob || !strings.Contains(err.Error(), "is not a folder") {
		t.Errorf("a file as target: %v", err)
	}
}

// A source that cannot be listed, and a list that is none, say what to do.
func TestUnlisted(t *testing.T) {
	for _, source := range []bulk.Source{
		&bulk.Files{Folder: filepath.Join(t.TempDir(), "none"), Work: t.TempDir(), Open: readFile},
		&bulk.Files{List: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(strings.Repeat("x", 1<<17))), nil }, Open: readFile},
	} {
		job, err := bulk.Open(t.Context(), bulk.Order{Target: bulk.Folder(filepath.Join(t.TempDir(), "out")), Source: "in", Operation: &echo{}})
		if err != nil {
			t.Fatal(err)
		}
		if err := job.Run(t.Context(), bulk.Running{Source: source, Jobs: 1}); codeOf(err) != bulk.CodeSource {
			t.Errorf("got %v", err)
		}
	}
}

// Links in a TAR are told, and very long names, of which a message would not have room for one,
// are shortened.
func TestTARMembers(t *testing.T) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	long := strings.Repeat("<", 600_000) + ".xml"
	for _, h := range []*tar.Header{
		{Name: "a.xml", Size: 4, Mode: 0o600}, {Name: "link.xml", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"},
		{Name: "hard.xml", Typeflag: tar.TypeLink, Linkname: "a.xml"}, {Name: "folder.xml/", Typeflag: tar.TypeDir}, {Name: long, Size: 4, Mode: 0o600},
	} {
		err := w.WriteHeader(h)
		if h.Size > 0 {
			_, failed := w.Write([]byte("<a/>"))
			err = errors.Join(err, failed)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	a, err := bulk.OpenTAR(&b, folder, 1000)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	got := runFiles(t, bulk.Order{Target: bulk.Folder(filepath.Join(t.TempDir(), "out")), Source: "-", Operation: &echo{}}, a)
	if strings.Count(got, `"bytes":"<a/>"`) != 2 || strings.Count(got, "is a link or a device in the archive") != 2 || strings.Count(got, "\n") != 4 || len(got) > 30_000 {
		t.Errorf("got %d bytes: %.2000s", len(got), got)
	}
	if n, err := a.Count(t.Context()); n != 4 || err != nil {
		t.Errorf("%d are counted, %v", n, err)
	}
}
