package embedded_test

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"einvoice/model/embedded"
)

// Files come back as they are written, whether their nodes are stored or not; a file that
// is not among them is parsed.
func TestFilesComeBack(t *testing.T) {
	found := 0
	for _, pattern := range embedded.Files {
		files, err := filepath.Glob(filepath.Join("../..", pattern))
		if err != nil || len(files) == 0 {
			t.Errorf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			found++
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var want, have any
			if err := embedded.Decode("another/file.yaml", text, &want); err != nil {
				t.Errorf("%s: %v", file, err)
			}
			name, _ := filepath.Rel("../..", file)
			if err := embedded.Decode(filepath.ToSlash(name), text, &have); err != nil || !reflect.DeepEqual(have, want) {
				t.Errorf("%s comes back otherwise (%v): store it anew with make prepared", file, err)
			}
			if doc, err := embedded.Node(filepath.ToSlash(name), text); err != nil || len(doc.Content) != 1 {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
	if found < 6 {
		t.Errorf("%d files", found)
	}
}
