package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"einvoice/server/keys"
)

// Each command about keys warns of a file that others can read, and of no other one.
func TestOpenKeyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	_, key, err := keys.Add(path, "a", keys.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	warns := func(args ...string) bool {
		t.Helper()
		root := newRoot(Machines{})
		var out, messages bytes.Buffer
		root.SetArgs(append(args, "--keys", path))
		root.SetOut(&out)
		root.SetErr(&messages)
		if err := root.ExecuteContext(t.Context()); err != nil {
			t.Fatalf("%v: %v", args, err)
		}
		return strings.Contains(messages.String(), "chmod 600")
	}
	if warns("keys", "list") {
		t.Error("a file of mode 0600 is warned of")
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if !keys.IsOpen(path) {
		t.Skip("modes of files do not count here")
	}
	for _, args := range [][]string{{"keys", "new", "b"}, {"keys", "list"}, {"keys", "revoke", key.ID}} {
		if !warns(args...) {
			t.Errorf("%v does not warn", args)
		}
	}
}
