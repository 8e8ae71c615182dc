package bulk_test

import (
	"archive/tar"
	"archive/zip"
	"context"
	"os"
	"path/filepath"
	"testing"

	"einvoice/service/bulk"
)

// What a source has beside documents is counted, in a folder and in archives.
func TestOthersAreCounted(t *testing.T) {
	dir := t.TempDir()
	names := []string{"a.xml", "b.PDF", "c.txt", "deep/d.xml", "deep/e.json", "deep/f"}
	z, err := os.Create(filepath.Join(dir, "all.zip"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(dir, "all.tar"))
	if err != nil {
		t.Fatal(err)
	}
	zipped, tarred := zip.NewWriter(z), tar.NewWriter(f)
	for _, name := range names {
		path := filepath.Join(dir, "folder", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := zipped.Create(name); err != nil {
			t.Fatal(err)
		}
		if err := tarred.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o600}); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range []error{zipped.Close(), z.Close(), tarred.Close(), f.Close()} {
		if err != nil {
			t.Fatal(err)
		}
	}
	type source interface {
		Each(ctx context.Context, yield func(bulk.Entry) error) error
		Count(ctx context.Context) (int, error)
		Others() int
	}
	sources := map[string]source{"folder": &bulk.Files{Folder: filepath.Join(dir, "folder"), Work: t.TempDir()}}
	for _, name := range []string{"all.zip", "all.tar"} {
		a, err := bulk.OpenArchive(filepath.Join(dir, name), t.TempDir(), 1000, bulk.MostUnpacked)
		if err != nil {
			t.Fatal(err)
		}
		sources[name] = a
	}
	for name, s := range sources {
		for range 2 { // a listing begins to count again
			n := 0
			err := s.Each(t.Context(), func(bulk.Entry) error {
				n++
				_, err := s.Count(t.Context()) // as a job does beside its listing
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if n != 3 || s.Others() != 3 {
				t.Errorf("%s: %d documents, %d others", name, n, s.Others())
			}
		}
	}
}
