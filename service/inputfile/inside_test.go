package inputfile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"einvoice/service/inputfile"
)

// What stands in a folder in the place of a document, and cannot be read, is told with its name and without the
// words of the system, as it is where a path is read.
func TestReadInsideSaysPlainly(t *testing.T) {
	dir := t.TempDir()
	for name, make := range map[string]func(path string) error{
		"folder.xml":  func(path string) error { return os.Mkdir(path, 0o700) },
		"nowhere.xml": func(path string) error { return os.Symlink("not there", path) },
		"out.xml":     func(path string) error { return os.Symlink("../../x", path) },
		"itself.xml":  func(path string) error { return os.Symlink("itself.xml", path) },
		"gone.xml":    func(string) error { return nil },
		"a.xml/b.xml": func(path string) error { return os.WriteFile(filepath.Dir(path), nil, 0o600) },
		"closed.xml": func(path string) error {
			return os.WriteFile(path, []byte("x"), 0o000) // which whoever may read everything reads
		},
	} {
		if err := make(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			t.Fatal(err)
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = inputfile.ReadInside(root, filepath.FromSlash(name), 100)
		if err == nil && name == "closed.xml" {
			continue
		}
		if err == nil || !strings.Contains(err.Error(), filepath.Base(name)) && name != "a.xml/b.xml" {
			t.Errorf("%s: %v", name, err)
		}
		for _, word := range []string{"openat", "statat", "permission denied", "no such file", "not a directory"} {
			if err != nil && strings.Contains(err.Error(), word) {
				t.Errorf("%s is told in words of the system: %v", name, err)
			}
		}
		if err := root.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
