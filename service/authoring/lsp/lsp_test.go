package lsp_test

import (
	"encoding/json"
	"flag"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"einvoice/rulesets"
	"einvoice/service/authoring"
	"einvoice/service/authoring/lsp"
	"einvoice/service/authoring/lsp/lsptest"
)

const orders = `ruleset: company
version: 1
layer: cius
constants:
  prefix: PO-
rules:
  - id: CO-1
    level: fatal
    context: /invoice
    assert: filled(this.purchaseOrderReferenc) && this.purchaseOrderReference.startsWith("${prefix}") && "EUR".isInCodeList("iso-4217")
    btCodes: [BT-13]
    message: "Write ü {this.purchaseOrderReference}."
    text: There is a number.
    examples:
      - {passes: {purchaseOrderReference: PO-1}}
      - {fires: base}
`

type place struct {
	line, character int // from 0
}

// find is the place of a text in another, behind so many of its characters.
func find(t *testing.T, text, part string, behind int) place {
	t.Helper()
	i := strings.Index(text, part)
	if i < 0 {
		t.Fatalf("%q is not there", part)
	}
	before := text[:i]
	return place{strings.Count(before, "\n"), i - strings.LastIndexByte(before, '\n') - 1 + behind}
}

func at(uri string, p place) map[string]any {
	return map[string]any{"textDocument": map[string]any{"uri": uri}, "position": map[string]any{"line": p.line, "character": p.character}}
}

func open(uri, text string) map[string]any {
	return map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "yaml", "version": 1, "text": text}}
}

func change(uri, text string) map[string]any {
	return map[string]any{"textDocument": map[string]any{"uri": uri, "version": 2}, "contentChanges": []any{map[string]any{"text": text}}}
}

// about accepts the diagnostics of a document with so many of them.
func about(uri string, n int) func(json.RawMessage) bool {
	return func(params json.RawMessage) bool {
		var p struct {
			URI         string
			Diagnostics []json.RawMessage
		}
		return json.Unmarshal(params, &p) == nil && p.URI == uri && len(p.Diagnostics) == n
	}
}

func fileURI(name string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(name)}).String()
}

// Hovers, completions, mistakes and corrections are in the language of the editor.
func TestLocale(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	toServer, in := io.Pipe()
	out, fromServer := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- lsp.Serve(t.Context(), toServer, fromServer, rulesets.FS) }()
	c := lsptest.New(t, in, out)
	c.Ask("initialize", map[string]any{"locale": "de-DE", "capabilities": map[string]any{}})
	c.Notify("initialized", map[string]any{})
	text := strings.Replace(orders, "Referenc)", "Reference)", 1)
	uri := fileURI(filepath.Join(t.TempDir(), "company", "1", "orders.yaml"))
	c.Notify("textDocument/didOpen", open(uri, text))
	for _, asked := range []struct{ method, at, wanted string }{
		{"textDocument/hover", "BT-13", "Bestellnummer"},
		{"textDocument/hover", "BT-13", "Die Nummer der Bestellung des Erwerbers."},
		{"textDocument/hover", "this.purchaseOrderReference)", "Bestellnummer"},
		{"textDocument/completion", "BT-13", "Umsatzsteueraufschlüsselung"},
	} {
		if answer := string(c.Ask(asked.method, at(uri, find(t, text, asked.at, 5)))); !strings.Contains(answer, asked.wanted) {
			t.Errorf("%s at %s does not answer %s: %.500s", asked.method, asked.at, asked.wanted, answer)
		}
	}
	wrong := fileURI(filepath.Join(t.TempDir(), "company", "1", "orders.yaml"))
	c.Notify("textDocument/didOpen", open(wrong, orders))
	if told := string(c.Wait("textDocument/publishDiagnostics", about(wrong, 1))); !strings.Contains(told, "meinen Sie purchaseOrderReference?") {
		t.Errorf("the mistake is %s", told)
	}
	place := at(wrong, find(t, orders, "Referenc)", 1))
	if answer := string(c.Ask("textDocument/codeAction", map[string]any{"textDocument": place["textDocument"], "range": map[string]any{"start": place["position"], "end": place["position"]}, "context": map[string]any{}})); !strings.Contains(answer, "Schreiben Sie purchaseOrderReference") {
		t.Errorf("the correction is %s", answer)
	}
	c.Notify("exit", nil)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestServer(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir()) // copies of built-in files go there
	t.Setenv("HOME", t.TempDir())
	toServer, in := io.Pipe()
	out, fromServer := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- lsp.Serve(t.Context(), toServer, fromServer, rulesets.FS) }()
	c := lsptest.New(t, in, out)

	dir := t.TempDir()
	uri := fileURI(filepath.Join(dir, "company", "1", "orders.yaml"))
	if answer := string(c.Ask("initialize", map[string]any{"capabilities": map[string]any{}})); !strings.Contains(answer, `"completionProvider"`) {
		t.Errorf("initialize: %s", answer)
	}
	c.Notify("initialized", map[string]any{})
	c.Notify("textDocument/didOpen", open(uri, orders))
	diagnostics := string(c.Wait("textDocument/publishDiagnostics", about(uri, 1)))
	if !strings.Contains(diagnostics, "did you mean purchaseOrderReference?") || !strings.Contains(diagnostics, `"start":{"line":9,"character":24}`) {
		t.Errorf("diagnostics: %s", diagnostics)
	}

	answers := func(method string, params any, wanted ...string) {
		t.Helper()
		answer := string(c.Ask(method, params))
		for _, part := range wanted {
			if !strings.Contains(answer, part) {
				t.Errorf("%s does not answer %s: %.1500s", method, part, answer)
			}
		}
	}
	mistake := find(t, orders, "this.purchaseOrderReferenc)", 8)
	answers("textDocument/codeAction", map[string]any{
		"textDocument": map[string]any{"uri": uri},
		"range":        map[string]any{"start": map[string]any{"line": mistake.line, "character": 0}, "end": map[string]any{"line": mistake.line, "character": 80}},
	}, `"title":"Write purchaseOrderReference"`, `"newText":"purchaseOrderReference"`, `"title":"Run the examples of CO-1"`)

	mended := strings.Replace(orders, "Referenc)", "Reference)", 1)
	c.Notify("textDocument/didChange", change(uri, mended))
	c.Wait("textDocument/publishDiagnostics", about(uri, 0))

	answers("textDocument/hover", at(uri, find(t, mended, "BT-13", 2)), "Purchase order reference", "The number of the buyer's order", "cac:OrderReference/cbc:ID", "ram:BuyerOrderReferencedDocument")
	answers("textDocument/hover", at(uri, find(t, mended, "this.purchaseOrderReference)", 9)), "Purchase order reference")
	answers("textDocument/hover", at(uri, find(t, mended, "filled(", 2)), "more than white space")
	answers("textDocument/hover", at(uri, find(t, mended, "btCodes", 2)), "Terms that a finding names")
	answers("textDocument/hover", at(uri, find(t, mended, "iso-4217", 2)), "codes")
	answers("textDocument/completion", at(uri, find(t, mended, "    level: fatal", 11)), `"label":"fatal"`, `"label":"information"`)
	answers("textDocument/completion", at(uri, find(t, mended, "    level:", 6)), `"label":"neverFires"`, `"label":"assert"`)
	answers("textDocument/completion", at(uri, find(t, mended, "filled(this.p", 12)), `"label":"purchaseOrderReference"`, `"detail":"BT-13 Purchase order reference"`)
	answers("textDocument/completion", at(uri, find(t, mended, "filled(", 1)), `"label":"roundHalfUp"`)
	answers("textDocument/completion", at(uri, find(t, mended, `isInCodeList("`, 14)), `"label":"eas"`)
	answers("textDocument/completion", at(uri, find(t, mended, "[BT-13", 4)), `"label":"BT-106"`)
	answers("textDocument/definition", at(uri, find(t, mended, "${prefix}", 4)), `"line":4`)
	list := string(c.Ask("textDocument/definition", at(uri, find(t, mended, "iso-4217", 2))))
	if copied := regexp.MustCompile(`"file://([^"]*/codelists/iso-4217\.yaml)"`).FindStringSubmatch(list); copied == nil {
		t.Errorf("a built-in list is not to be found: %s", list)
	} else if data, err := os.ReadFile(filepath.FromSlash(copied[1])); err != nil || !strings.Contains(string(data), "list: iso-4217") {
		t.Errorf("the copy of a built-in list: %v %.80s", err, data)
	} else { // nobody edits it: it has hover and no mistakes
		c.Notify("textDocument/didOpen", open(fileURI(copied[1]), string(data)))
		answers("textDocument/hover", at(fileURI(copied[1]), find(t, string(data), "title:", 2)), "What the codes are")
	}
	answers("textDocument/codeLens", map[string]any{"textDocument": map[string]any{"uri": uri}}, `"einvoice.runExamples"`)
	answers("workspace/executeCommand", map[string]any{"command": "einvoice.runExamples", "arguments": []any{uri, 7, 16}}, `"fires":true`, `"fires":false`)
	c.Wait("window/showMessage", func(p json.RawMessage) bool { return strings.Contains(string(p), "2 passed, 0 failed") })

	wrong := strings.Replace(mended, "{fires: base}", "{passes: base}", 1)
	c.Notify("textDocument/didChange", change(uri, wrong))
	answers("workspace/executeCommand", map[string]any{"command": "einvoice.runExamples", "arguments": []any{uri, 7, 16}}, `"error":`)
	c.Wait("window/showMessage", func(p json.RawMessage) bool { return strings.Contains(string(p), "1 passed, 1 failed") })

	misspelt := strings.Replace(mended, "    level:", "    levle:", 1)
	c.Notify("textDocument/didChange", change(uri, misspelt))
	c.Wait("textDocument/publishDiagnostics", about(uri, 1))
	line := find(t, misspelt, "levle", 0).line
	answers("textDocument/codeAction", map[string]any{
		"textDocument": map[string]any{"uri": uri},
		"range":        map[string]any{"start": map[string]any{"line": line, "character": 0}, "end": map[string]any{"line": line, "character": 1}},
	}, `"title":"Write level"`, `"newText":"level"`)

	answers("textDocument/nothing", map[string]any{}, `"code":-32601`)
	answers("textDocument/hover", []any{1}, `"code":-32602`)
	// Other YAML is none of ours.
	c.Notify("textDocument/didOpen", open(fileURI(filepath.Join(dir, "ci", "x", "compose.yaml")), "services: {}\n"))
	answers("textDocument/hover", at(fileURI(filepath.Join(dir, "compose.txt")), place{0, 0}), `"result":null`)
	answers("shutdown", nil, `"result":null`)
	c.Notify("exit", nil)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// A client that breaks the protocol gets an error, and the server does not fall over.
func TestHostileClient(t *testing.T) {
	for _, text := range []string{
		"Content-Length: 99999999999\r\n\r\n{}", "Content-Length: -1\r\n\r\n", "nothing\r\n\r\n", "Content-Length: 5\r\n\r\n{}",
	} {
		if err := lsp.Serve(t.Context(), strings.NewReader(text), io.Discard, rulesets.FS); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
	var out strings.Builder
	if err := lsp.Serve(t.Context(), strings.NewReader("Content-Length: 3\r\n\r\n{{{Content-Length: 40\r\n\r\n"+`{"jsonrpc":"2.0","id":1,"method":"nope"}`), &out, rulesets.FS); err != nil {
		t.Error(err)
	}
	if !strings.Contains(out.String(), "-32700") || !strings.Contains(out.String(), "-32601") {
		t.Errorf("the answers are %q", out.String())
	}
}

var yamlServer = flag.String("yaml-language-server", "", "path of yaml-language-server, which then tests the schemas")

// The schemas are understood by yaml-language-server: it finds a mistake and nothing in a
// file without one.
func TestYAMLLanguageServer(t *testing.T) {
	if *yamlServer == "" {
		t.Skip("skipped: make schema-test runs this with yaml-language-server, which is not part of Go")
	}
	dir := t.TempDir()
	for _, kind := range authoring.Kinds() {
		data, err := json.Marshal(authoring.Schema(kind))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(dir, authoring.SchemaFolder), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, authoring.SchemaFolder, kind+".json"), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), *yamlServer, "--stdio")
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
	defer func() { _ = cmd.Process.Kill() }()
	c := lsptest.New(t, in, out)
	c.Ask("initialize", map[string]any{"rootUri": fileURI(dir), "capabilities": map[string]any{}})
	c.Notify("initialized", map[string]any{})
	for _, n := range []struct {
		name, text string
		mistakes   int
	}{
		{"company/1/a.yaml", orders, 0},
		{"company/1/b.yaml", strings.Replace(orders, "level: fatal", "level: fatl", 1), 1},
		{"company/1/c.yaml", strings.Replace(orders, "btCodes:", "btcodes:", 1), 2}, // one is missing, one unknown
		{"profiles/d.yaml", "profiles:\n  - {id: x}\n", 1},
		{"languages/nl/company/1/a.yaml", "texts:\n  CO-1: {massage: x}\n", 1},
	} {
		uri := fileURI(filepath.Join(dir, filepath.FromSlash(n.name)))
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, n.name)), 0o755); err != nil {
			t.Fatal(err)
		}
		c.Notify("textDocument/didOpen", open(uri, authoring.SchemaLine(n.name)+"\n"+n.text))
		c.Wait("textDocument/publishDiagnostics", about(uri, n.mistakes))
	}
}
