// Package compare tests that the program for browsers decides as the native one.
package compare

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"einvoice/service"
	"einvoice/service/workbench"
)

var (
	program = flag.String("wasm", "", "the program for browsers; without it nothing is compared")
	suites  = flag.String("suites", "", "folders of documents, with blanks between")
)

// longestAnswer bounds one answer, in bytes.
const longestAnswer = 64 << 20

// TestSameVerdicts asks both programs about every document of the suites: the answers are the
// same, byte for byte, with all findings and places.
func TestSameVerdicts(t *testing.T) {
	if *program == "" {
		t.Skip("no program was named (-wasm), so nothing was compared")
	}
	s, err := service.Open(service.Config{})
	if err != nil {
		t.Fatal(err)
	}
	desk := workbench.New(s, workbench.Config{})
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
	documents, valid := 0, 0
	for _, folder := range strings.Fields(*suites) {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if ext := strings.ToLower(filepath.Ext(path)); err != nil || d.IsDir() || ext != ".xml" && ext != ".pdf" {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			request, err := json.Marshal(map[string]any{"file": data, "name": filepath.Base(path)})
			if err != nil {
				return err
			}
			if _, err := in.Write(append(request, '\n')); err != nil {
				return err
			}
			if !answers.Scan() {
				t.Fatalf("%s: no answer: %v", path, answers.Err())
			}
			native, err := desk.Call(t.Context(), "check", request)
			if err != nil {
				return err
			}
			var want bytes.Buffer
			encoder := json.NewEncoder(&want)
			encoder.SetEscapeHTML(false)
			if err := encoder.Encode(native); err != nil {
				return err
			}
			documents++
			if c, ok := native.(*workbench.Checked); ok && c.Valid {
				valid++
			}
			if got := answers.Text(); got != strings.TrimSpace(want.String()) {
				t.Errorf("%s: the program for browsers says\n%.600s\nthe native one\n%.600s", path, got, want.String())
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d documents, %d of them valid, by %s and WebAssembly alike", documents, valid, runtime.GOARCH)
	if documents == 0 {
		t.Error("there is no document")
	}
	in.Close()
}

func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), name, args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
