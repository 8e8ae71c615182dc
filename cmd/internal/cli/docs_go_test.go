package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocsGo builds the programs of docs/go.md as they are written.
func TestDocsGo(t *testing.T) {
	page, err := os.ReadFile("../../../docs/go.md")
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(page), "```go\n")[1:]
	if len(parts) != 2 {
		t.Fatalf("the page has %d programs", len(parts))
	}
	for _, part := range parts {
		program, _, _ := strings.Cut(part, "```")
		dir, err := os.MkdirTemp(".", "testdata-page-")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.RemoveAll(dir) })
		if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(program), 0o644); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("go", "vet", "./"+dir).CombinedOutput(); err != nil {
			t.Errorf("%v: %s\n%s", err, out, program)
		}
	}
}
