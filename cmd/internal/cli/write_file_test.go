package cli

import (
	"os"
	"path/filepath"
	"testing"
)

// A file is replaced as a whole, keeps its permissions, and a link to it stays a link.
// What cannot be written leaves the old file and nothing else.
func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "a.xml"), filepath.Join(dir, "b.xml")
	if err := os.WriteFile(file, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Skipf("skipped: no symbolic links here: %v", err)
	}
	if err := writeFile(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if data, _ := os.ReadFile(file); err != nil || string(data) != "new" || info.Mode().Perm() != 0o600 {
		t.Errorf("%q, %v, %v", data, info.Mode(), err)
	}
	if target, err := os.Readlink(link); err != nil || target != file {
		t.Errorf("the link leads to %q, %v", target, err)
	}
	if err := writeFile(filepath.Join(dir, "none", "c.xml"), nil); err == nil {
		t.Error("a file in a folder that is not there was written")
	}
	if err := writeFile(dir, []byte("x")); err == nil {
		t.Error("a folder was written")
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 2 {
		t.Errorf("the folder has %v", entries)
	}
}
