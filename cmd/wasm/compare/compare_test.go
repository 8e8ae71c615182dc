// Package compare tests that the program for browsers decides as the native one.
package compare

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"einvoice/service/operation"
	"einvoice/service/workbench"
)

var (
	program = flag.String("wasm", "", "the program for browsers; without it nothing is compared")
	suites  = flag.String("suites", "", "folders of documents, with blanks between")
)

// longestAnswer bounds one answer, in bytes.
const longestAnswer = 64 << 20

// viewedEvery says of how many documents the page is compared as well.
const viewedEvery = 8

// TestSameVerdicts asks both programs about every document of the suites, and some of their
// pages: the answers are the same, byte for byte, with all findings and places.
func TestSameVerdicts(t *testing.T) {
	if *program == "" {
		t.Skip("no program was named (-wasm), so nothing was compared")
	}
	s, err := operation.Open(operation.Config{})
	if err != nil {
		t.Fatal(err)
	}
	b := start(t, workbench.New(s, workbench.Config{}))
	documents, valid, pages := 0, 0, 0
	for _, folder := range strings.Fields(*suites) {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if ext := strings.ToLower(filepath.Ext(path)); err != nil || d.IsDir() || ext != ".xml" && ext != ".pdf" {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			documents++
			request := map[string]any{"file": data, "name": filepath.Base(path)}
			if c, ok := b.compare(t, "check", path, request).(*workbench.Checked); ok && c.Valid {
				valid++
			}
			if documents%viewedEvery == 0 {
				request["language"] = []string{"de", "en", "fr"}[pages%3]
				if v, ok := b.compare(t, "view", path, request).(*workbench.View); ok && v.HTML != "" {
					pages++
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d documents, %d of them valid, and %d pages, by %s and WebAssembly alike", documents, valid, pages, runtime.GOARCH)
	if documents == 0 {
		t.Error("there is no document")
	}
}

// both are the program for browsers, run by node, and the native one.
type both struct {
	desk    *workbench.Desk
	in      io.Writer
	answers *bufio.Scanner
}

func start(t *testing.T, desk *workbench.Desk) *both {
	t.Helper()
	root := strings.TrimSpace(output(t, "go", "env", "GOROOT"))
	command := exec.CommandContext(t.Context(), "node", "--stack-size=8000", "run.mjs", *program, filepath.Join(root, "lib", "wasm", "wasm_exec.js"))
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	answers := bufio.NewScanner(out)
	answers.Buffer(nil, longestAnswer)
	return &both{desk, in, answers}
}

// compare asks both, and gives the answer of the native one.
func (b *both) compare(t *testing.T, call, path string, request any) any {
	t.Helper()
	body, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fprintf(b.in, "%s\t%s\n", call, body); err != nil {
		t.Fatal(err)
	}
	if !b.answers.Scan() {
		t.Fatalf("%s: no answer: %v", path, b.answers.Err())
	}
	native, err := b.desk.Call(t.Context(), call, body)
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	encoder := json.NewEncoder(&want)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(native); err != nil {
		t.Fatal(err)
	}
	if got := b.answers.Text(); got != strings.TrimSpace(want.String()) {
		t.Errorf("%s: %s: the program for browsers says\n%.600s\nthe native one\n%.600s", path, call, got, want.String())
	}
	return native
}

func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), name, args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
