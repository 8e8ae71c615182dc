package lsp_test

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"einvoice/rulesets"
	"einvoice/service/authoring/lsp"
	"einvoice/service/authoring/lsp/lsptest"
)

// Whatever is typed into a file of rules that is open, the server has its text: mistakes are in
// it, and places are those of this text and not of one before. Each line is cut off, written
// differently, or put behind another one in turn.
func TestTextsAsTyped(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	toServer, in := io.Pipe()
	out, fromServer := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- lsp.Serve(t.Context(), toServer, fromServer, rulesets.FS) }()
	c := lsptest.New(t, in, out)
	c.Ask("initialize", map[string]any{"capabilities": map[string]any{}})
	c.Notify("initialized", map[string]any{})
	folder := t.TempDir()
	text := strings.Replace(orders, "Referenc)", "Reference)", 1)
	uri := fileURI(filepath.Join(folder, "company", "1", "orders.yaml"))
	c.Notify("textDocument/didOpen", open(uri, text))
	c.Wait("textDocument/publishDiagnostics", about(uri, 0))

	for i, typed := range []string{
		"rules: [", "- x", "a: b: c", "%", "\t", "# ruleset: company\n" + strings.TrimPrefix(text, "ruleset: company\n"),
		strings.TrimPrefix(text, "ruleset: company\n"), "r" + text, " " + text, strings.ReplaceAll(text, "ruleset:", "rulesets:"),
	} {
		c.Notify("textDocument/didChange", change(uri, typed))
		c.Wait("textDocument/publishDiagnostics", func(params json.RawMessage) bool {
			var p struct {
				URI         string
				Diagnostics []json.RawMessage
			}
			return json.Unmarshal(params, &p) == nil && p.URI == uri && len(p.Diagnostics) > 0
		})
		c.Notify("textDocument/didChange", change(uri, text))
		c.Wait("textDocument/publishDiagnostics", about(uri, 0))

		// A term behind more and more lines is found where it is now.
		behind := strings.Repeat("# x\n", i+1) + "rulez: company\n" + strings.TrimPrefix(text, "ruleset: company\n")
		c.Notify("textDocument/didChange", change(uri, behind))
		p := find(t, behind, "BT-13", 1)
		if answer := string(c.Ask("textDocument/hover", at(uri, p))); !strings.Contains(answer, fmt.Sprintf(`"line":%d`, p.line)) || !strings.Contains(answer, "BT-13") {
			t.Errorf("the term in line %d is not found: %.300s", p.line, answer)
		}
		c.Notify("textDocument/didChange", change(uri, text))
	}

	// Other YAML beside it stays what it is, if it was ever empty too.
	other := fileURI(filepath.Join(folder, "company", "1", "other.yaml"))
	c.Notify("textDocument/didOpen", open(other, ""))
	c.Notify("textDocument/didChange", change(other, "kind: Deployment\n"))
	c.Notify("textDocument/didChange", change(uri, strings.Replace(text, "fatal", "fetal", 1)))
	c.Wait("textDocument/publishDiagnostics", func(params json.RawMessage) bool {
		if strings.Contains(string(params), "other.yaml") && !about(other, 0)(params) && strings.Contains(string(params), "kind") {
			t.Errorf("other YAML is checked: %s", params)
		}
		return about(uri, 1)(params)
	})
	c.Notify("exit", nil)
	if err := <-done; err != nil {
		t.Error(err)
	}
}
