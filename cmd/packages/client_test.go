package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What the package for Node does around the module, which another one stands in for: each call
// ends, at once and with the code that it has, and so does a program that did not close.
func TestClientOfNode(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not there")
	}
	work := t.TempDir()
	if err := os.CopyFS(work, os.DirFS("npm")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"core.js", "client.mjs"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(work, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(work, "einvoice.wasm"), []byte("\x00asm\x01\x00\x00\x00"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	run := exec.CommandContext(ctx, node, "client.mjs")
	run.Dir = work
	told, err := run.CombinedOutput()
	if err != nil {
		t.Errorf("the program does not end: %v", err)
	}
	const result = `{"document":"a","milliseconds":60000}`
	want := strings.Join([]string{
		"string: " + result, `bytes: {"document":"bc","milliseconds":60000}`, `buffer: {"document":"abcd","milliseconds":60000}`, `view: {"document":"cd","milliseconds":60000}`,
		strings.Repeat("nothing: REQUEST-INVALID\n", 5) + "time undefined: " + result, "time null: " + result, `time 7: {"document":"a","milliseconds":7}`, `time 0: {"document":"a","milliseconds":0}`,
		`time -99999: {"document":"a","milliseconds":-99999}`, `time 1000000000000: {"document":"a","milliseconds":1000000000000}`, `time x: {"document":"a","milliseconds":"x"}`, `time NaN: {"document":"a","milliseconds":"NaN"}`,
		"throws: INTERNAL", "dies: INTERNAL", "after: " + result, `function: {"document":"","milliseconds":60000}`, strings.Repeat("no JSON: REQUEST-INVALID\n", 5) + "options: " + result, `last: {"document":"last","milliseconds":60000}`, "dead: INTERNAL", "again: " + result,
		"closed meanwhile: CLOSED", "closed behind: CLOSED", "closed: CLOSED", "",
	}, "\n")
	if got := string(told); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// What the package for Python does around the module: a time that is none is left to the module
// to refuse, and a call that takes too long ends no call of another validator.
func TestClientOfPython(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not there")
	}
	work := t.TempDir()
	if err := os.CopyFS(work, os.DirFS("pypi")); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join("testdata", "client.py"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"client.py": data, filepath.Join("einvoice", "einvoice.wasm"): nil} {
		if err := os.WriteFile(filepath.Join(work, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	told, err := exec.CommandContext(ctx, python, filepath.Join(work, "client.py")).CombinedOutput()
	if err != nil {
		t.Error(err)
	}
	const want = `time None: {"milliseconds": 60000}
time 7: {"milliseconds": 7}
time 0: {"milliseconds": 0}
time -9999: {"milliseconds": -9999}
time 1000000000000000: {"milliseconds": 1000000000000000}
time x: {"milliseconds": "x"}
time True: {"milliseconds": true}
late: VALIDATION-TIMEOUT
beside one that is late: {"milliseconds": 60000}
no JSON: REQUEST-INVALID
no JSON: REQUEST-INVALID
no JSON: REQUEST-INVALID
runs: 2
`
	if got := string(told); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
