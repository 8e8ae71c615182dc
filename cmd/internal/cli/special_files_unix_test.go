//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// What is not a file is named and never waited for.
func TestSpecialInputs(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe.xml")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip("skipped: no pipes here: " + err.Error())
	}
	folder := filepath.Join(dir, "folder.xml")
	if err := os.Symlink(t.TempDir(), folder); err != nil {
		t.Fatal(err)
	}
	found, err := inputs([]string{dir})
	if err != nil || len(found) != 2 {
		t.Fatalf("found %v, %v", found, err)
	}
	for name, want := range map[string]string{pipe: "is a pipe", folder: "is a folder", "/dev/zero": "is a device"} {
		if data, err := readInput(name, nil, 1<<20); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %d bytes, %v", name, len(data), err)
		}
	}
	if _, err := inputs([]string{"@" + pipe}); err == nil || !strings.Contains(err.Error(), "(a list: @-)") {
		t.Errorf("a pipe as a list: %v", err)
	}
	if _, err := openFolder(filepath.Dir(pipe)); err == nil || !strings.Contains(err.Error(), "is not a file") {
		t.Errorf("a pipe among rulesets: %v", err)
	}
}

// A full disk under standard output is not a success.
func TestFullOutput(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("skipped: " + err.Error())
	}
	defer full.Close()
	stderr, err := os.CreateTemp(t.TempDir(), "stderr")
	if err != nil {
		t.Fatal(err)
	}
	defer stderr.Close()
	if status := (Machines{}).run([]string{"terms"}, os.Stdin, full, stderr); status != exitUnreadable {
		t.Errorf("ended with %d", status)
	}
	if said, err := os.ReadFile(stderr.Name()); err != nil || !strings.Contains(string(said), "/dev/full") {
		t.Errorf("said %q, %v", said, err)
	}
}
