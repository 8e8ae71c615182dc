package inputfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A link out of a folder is refused in plain words, however it leads out.
func TestLinksOutOfFolder(t *testing.T) {
	outside, folder := t.TempDir(), t.TempDir()
	file := filepath.Join(outside, "a.xml")
	if err := os.WriteFile(file, []byte("<a/>"), 0o600); err != nil {
		t.Fatal(err)
	}
	relative, err := filepath.Rel(folder, file)
	if err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"whole.xml": file, "relative.xml": relative, "twice.xml": "relative.xml", "under/a.xml": file, "gone.xml": file + ".gone", "way": outside} {
		link := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, link); err != nil {
			t.Skip(err)
		}
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, name := range []string{"whole.xml", "relative.xml", "twice.xml", "under/a.xml", "gone.xml", "way/a.xml"} {
		if _, _, err := ReadInside(root, name, 100); err == nil || !strings.Contains(err.Error(), name+" is a link that leads out of the folder") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
