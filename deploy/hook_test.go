package deploy_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// checker stands in for the program: it refuses a folder with a file that says BAD, and
// lists what it was given.
const checker = `#!/bin/sh
find . -type f | sort > "$SEEN"
! grep -rq BAD .
`

// The hook validates what is staged, not what is in the folder, and only the files that
// git was told of.
func TestPreCommitHook(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("skipped: git is not there")
	}
	hook, err := filepath.Abs("pre-commit")
	if err != nil {
		t.Fatal(err)
	}
	dir, seen := t.TempDir(), filepath.Join(t.TempDir(), "seen")
	program := filepath.Join(t.TempDir(), "einvoice")
	if err := os.WriteFile(program, []byte(checker), 0o700); err != nil {
		t.Fatal(err)
	}
	run := func(name string, args ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "EINVOICE="+program, "SEEN="+seen)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	must := func(name string, args ...string) {
		t.Helper()
		if out, err := run(name, args...); err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, out)
		}
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	must(git, "init", "-q")
	write("a b.xml", "good")
	write("notes.txt", "BAD")
	must(git, "add", "-A")
	write("a b.xml", "BAD, but not staged")
	must("sh", hook)
	if names := strings.TrimSpace(readFile(t, seen)); names != "./a b.xml" {
		t.Errorf("the hook looked at %q", names)
	}
	must(git, "add", "-A")
	if out, err := run("sh", hook); err == nil {
		t.Errorf("a bad invoice passes: %s", out)
	}
	write("a b.xml", "good")
	must(git, "add", "-A")
	if program, err = filepath.Rel(dir, program); err != nil { // the hook runs in another folder
		t.Fatal(err)
	}
	must("sh", hook)
	write("a b.xml", "BAD")
	must(git, "add", "-A")
	must(git, "config", "--add", "einvoice.files", "invoices/*.xml")
	must("sh", hook)
}
