package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A document that an example names and that is not there is told once, also where the examples are run.
func TestMissingBaseIsToldOnce(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "co", "1"), 0o700); err != nil {
		t.Fatal(err)
	}
	const rules = "ruleset: co\nversion: 1\nlayer: cius\nrules:\n  - {id: CO-1, level: fatal, context: /invoice, assert: \"has(this.buyerReference)\", btCodes: [BT-10], message: Write it., text: There is one.,\n" +
		"     examples: [{base: nofile, fires: {buyerReference: null}}, {passes: {buyerReference: a}}]}\n"
	if err := os.WriteFile(filepath.Join(dir, "co", "1", "a.yaml"), []byte(rules), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, more := range [][]string{nil, {"--strict"}} {
		var out bytes.Buffer
		root := newRoot(Machines{})
		root.SetOut(&out)
		root.SetArgs(append([]string{"rules", "check", dir}, more...))
		if err := root.ExecuteContext(t.Context()); err == nil || strings.Count(out.String(), "nofile") != 1 || !strings.Contains(out.String(), "1 mistake\n") {
			t.Errorf("%v: %v: %s", more, err, out.String())
		}
	}
}
