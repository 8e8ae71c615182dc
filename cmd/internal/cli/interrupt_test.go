//go:build unix

package cli

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The first signal asks the program to stop, and the second ends it, whatever it does.
func TestSecondInterrupt(t *testing.T) {
	program := filepath.Join(t.TempDir(), "einvoice")
	if err := os.Symlink(os.Args[0], program); err != nil { // the binary of the tests is the program under this name
		t.Fatal(err)
	}
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		command := exec.CommandContext(t.Context(), program, "serve", "--no-auth", "--listen", "127.0.0.1:0", "--drain-delay", "2m")
		said, err := command.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(said)
		await(t, lines, "serving")
		_ = command.Process.Signal(signal)
		await(t, lines, "stopping")
		began := time.Now()
		ended := make(chan error, 1)
		go func() { ended <- command.Wait() }()
		for waiting := true; waiting; { // the first of these may come before the program lets go of signals
			_ = command.Process.Signal(signal)
			select {
			case err = <-ended:
				waiting = false
			case <-time.After(200 * time.Millisecond):
			}
		}
		if exit := command.ProcessState.Sys().(syscall.WaitStatus); !exit.Signaled() || exit.Signal() != signal || time.Since(began) > 10*time.Second { //nolint:forcetypeassert // of unix
			t.Errorf("%v twice: %v after %s", signal, err, time.Since(began))
		}
	}
}

// await reads lines until one has a text.
func await(t *testing.T, lines *bufio.Scanner, text string) {
	t.Helper()
	for lines.Scan() {
		if strings.Contains(lines.Text(), text) {
			return
		}
	}
	t.Fatalf("the program did not say %q: %v", text, lines.Err())
}
