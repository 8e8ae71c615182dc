package cli

import (
	"encoding/json"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"einvoice/service/authoring/lsp/lsptest"
)

// The program serves an editor over its standard input and output: a mistake in a file on
// disk is found when it is opened, and the process ends when it is told to.
func TestLSPOverStdio(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "company", "1", "orders.yaml")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	text := "ruleset: company\nversion: 1\nlayer: federal\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "lsp")
	cmd.Args[0] = "einvoice" // testscript runs the program under this name
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := lsptest.New(t, in, out)
	c.Ask("initialize", map[string]any{"capabilities": map[string]any{}})
	uri := (&url.URL{Scheme: "file", Path: filepath.ToSlash(file)}).String()
	c.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "yaml", "version": 1, "text": text}})
	c.Wait("textDocument/publishDiagnostics", func(p json.RawMessage) bool {
		return strings.Contains(string(p), uri) && strings.Contains(string(p), `unknown layer \"federal\"`)
	})
	c.Ask("shutdown", nil)
	c.Notify("exit", nil)
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}
