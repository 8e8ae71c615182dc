package cli

import (
	"bytes"
	"errors"
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
	bin := t.TempDir()
	build := append([]string{"build", "-o", bin}, buildFlags()...)
	last := "" // the program with rules of its own
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
		last = filepath.Join(bin, filepath.Base(dir))
	}
	if out, err := exec.Command("go", build...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	work := t.TempDir()
	invoice, err := os.ReadFile("../../einvoice/samples/ubl-valid.xml")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"invoice.xml":                 string(invoice),
		"my-rules/overlays/acme.yaml": "overlay: acme\ntitle: Ours\nowner: ACME\non: {profiles: [en16931]}\nlevels:\n  - {rules: [BR-CL-99], level: warning, reason: A list is late., until: 2099-12-31}\n",
	} {
		file := filepath.Join(work, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	run := func() string {
		command := exec.Command(last)
		command.Dir = work
		out, _ := command.CombinedOutput() // what it prints shows whether it failed
		return string(out)
	}
	if out, want := run(), "overlays/acme.yaml:6:5: "; !strings.Contains(out, want) {
		t.Errorf("the program says nothing of a mistake at %s: %s", want, out)
	}
	file := filepath.Join(work, "my-rules", "overlays", "acme.yaml")
	text, _ := os.ReadFile(file)
	if err := os.WriteFile(file, bytes.Replace(text, []byte("BR-CL-99"), []byte("BR-CL-23"), 1), 0o644); err != nil {
		t.Fatal(err)
	}
	if out := run(); out != "acme true\n" {
		t.Errorf("the program does not apply the overlay: %s", out)
	}
}

// buildFlags are those that this test was built with: what the build cache has need not be
// compiled again.
func buildFlags() []string {
	info, _ := debug.ReadBuildInfo()
	var flags []string
	for _, s := range info.Settings {
		if s.Key == "-tags" || s.Key == "-trimpath" || s.Key == "-gcflags" {
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
