package deploy_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// checker stands in for the program: it refuses a list with a file that says BAD, and keeps
// the list.
const checker = `#!/bin/sh
cp "${2#@}" "$SEEN"
while IFS= read -r name; do grep -q BAD "$name" && exit 1; done <"$SEEN"
exit 0
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
	if names := strings.TrimSpace(readFile(t, seen)); names != "a b.xml" {
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

// The hook hands over every staged file that it says is an invoice, whatever its name: one that
// it passes over would be committed as if it were valid.
func TestPreCommitHookPassesOverNone(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("skipped: git is not there")
	}
	hook, err := filepath.Abs("pre-commit")
	if err != nil {
		t.Fatal(err)
	}
	files := []string{"-d.xml", "@e.xml", ".f.xml", "H.XML", "a.xml", "b.Pdf", "notes.txt", "in/.g/c.xMl", "in/d.ubl", "in/ä ö.ubl", "in/list"}
	ends := func(name string) bool {
		return slices.Contains([]string{".xml", ".pdf"}, strings.ToLower(filepath.Ext(name)))
	}
	for _, test := range []struct {
		patterns []string
		fits     func(name string) bool
	}{
		{nil, ends},
		{[]string{"in/*"}, func(name string) bool { return strings.HasPrefix(name, "in/") }},
		{[]string{"*.ubl", "in/list"}, func(name string) bool { return strings.HasSuffix(name, ".ubl") || name == "in/list" }},
		{[]string{"*.xml"}, func(name string) bool { return strings.HasSuffix(name, ".xml") }},
		{[]string{"other/*"}, func(string) bool { return false }},
	} {
		dir, seen, program := t.TempDir(), filepath.Join(t.TempDir(), "seen"), filepath.Join(t.TempDir(), "einvoice")
		if err := os.WriteFile(program, []byte(checker), 0o700); err != nil {
			t.Fatal(err)
		}
		must := func(name string, args ...string) {
			t.Helper()
			cmd := exec.CommandContext(t.Context(), name, args...)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "EINVOICE="+program, "SEEN="+seen)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%s %v: %v\n%s", name, args, err, out)
			}
		}
		must(git, "init", "-q")
		var want []string
		for _, name := range files {
			if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte("good"), 0o600); err != nil {
				t.Skip("no such name here:", err)
			}
			if test.fits(name) {
				want = append(want, name)
			}
		}
		for _, pattern := range test.patterns {
			must(git, "config", "--add", "einvoice.files", pattern)
		}
		must(git, "add", "-A")
		if err := os.WriteFile(seen, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		must("sh", hook)
		got := strings.Split(strings.TrimRight(readFile(t, seen), "\n"), "\n")
		if slices.Sort(got); want == nil {
			want = []string{""}
		}
		if slices.Sort(want); !slices.Equal(got, want) {
			t.Errorf("%q: the hook looked at %q, not at %q", test.patterns, got, want)
		}
	}
}
