package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// A program that differs in one byte takes no results of the other one, and does not go on
// with its job.
func TestBulkOfAnotherBuild(t *testing.T) {
	dir := t.TempDir()
	data, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(dir, "einvoice")
	if err := os.WriteFile(other, append(data, 0), 0o755); err != nil {
		t.Fatal(err)
	}
	bulk := func(program, operation string, args ...string) (said []byte, ok bool) {
		cmd := exec.CommandContext(t.Context(), program, append([]string{"bulk", "run", operation, "--in", filepath.Join(samples, "ubl-valid.xml")}, args...)...)
		cmd.Args[0] = "einvoice" // testscript runs the program under this name
		said, err := cmd.CombinedOutput()
		return said, err == nil
	}
	first, second := filepath.Join(dir, "first"), filepath.Join(dir, "second")
	for range 2 { // the same program goes on
		if said, ok := bulk(os.Args[0], "validate", "--out", first); !ok {
			t.Fatalf("%s", said)
		}
	}
	for _, args := range [][]string{{"--out", first}, {"--out", second, "--reuse", first}} {
		if said, ok := bulk(other, "validate", args...); ok || !bytes.Contains(said, []byte("BULK-OTHER-JOB")) {
			t.Errorf("%v: %s", args, said)
		}
	}
	// An impact takes what the changed rules cannot touch, of a job of the same program.
	impact := []string{"--old", "en16931", "--new", "en16931", "--out"}
	third, fourth := filepath.Join(dir, "third"), filepath.Join(dir, "fourth")
	if said, ok := bulk(os.Args[0], "impact", append(impact, third)...); !ok {
		t.Fatalf("%s", said)
	}
	if said, ok := bulk(other, "impact", append(impact, fourth, "--reuse", third)...); !ok || !bytes.Contains(said, []byte("all documents are judged again")) {
		t.Errorf("the impact says %s", said)
	}
}
