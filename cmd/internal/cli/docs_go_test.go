package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
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
	if len(parts) < 2 {
		t.Fatalf("the page has %d programs", len(parts))
	}
	build := append([]string{"build"}, buildFlags()...)
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
		build = append(build, "./"+dir)
	}
	if out, err := exec.Command("go", build...).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// buildFlags are those that this test was built with: what the build cache has need not be
// compiled again.
func buildFlags() []string {
	info, _ := debug.ReadBuildInfo()
	var flags []string
	for _, s := range info.Settings {
		if s.Key == "-tags" || s.Key == "-trimpath" {
			flags = append(flags, s.Key+"="+s.Value)
		}
	}
	return flags
}

// TestDocsGoPackages sees that each package of the table in docs/go.md has an example that runs.
func TestDocsGoPackages(t *testing.T) {
	page, err := os.ReadFile("../../../docs/go.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "| package | what |\n")
	table, _, _ = strings.Cut(table, "\n\n")
	seen := 0
	for _, row := range strings.Split(table, "\n") {
		names, _, _ := strings.Cut(strings.TrimPrefix(row, "|"), "|")
		for _, name := range regexp.MustCompile("`([a-z/]+)`").FindAllStringSubmatch(names, -1) {
			folder := name[1]
			if !strings.Contains(folder, "/") && folder != "model" {
				folder = "service/" + folder
			}
			seen++
			files, _ := filepath.Glob("../../../" + folder + "/*_test.go")
			runs := false
			for _, file := range files {
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				runs = runs || regexp.MustCompile(`(?s)\nfunc Example.*// Output:`).Match(data)
			}
			if !runs {
				t.Errorf("%s has no example that runs", folder)
			}
		}
	}
	if seen < 14 {
		t.Errorf("the table has %d packages", seen)
	}
}
