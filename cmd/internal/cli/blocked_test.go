package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Whatever stands in the way in a target, what to do is something that the command can be asked
// for: only bulk has a command to resume.
func TestBlockedTargets(t *testing.T) {
	sample, err := os.ReadFile("../../einvoice/samples/ubl-valid.xml")
	if err != nil {
		t.Fatal(err)
	}
	blocked := 0
	for _, name := range []string{"log.jsonl", ".watch", ".watch/lock", ".watch/begun", ".bulk", ".bulk/lock", "valid", "invalid", "dead", "documents", "reports"} {
		for _, isFolder := range []bool{false, true} {
			for _, command := range []string{"watch", "archive"} {
				dir := t.TempDir()
				in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
				at := filepath.Join(out, name)
				err := os.MkdirAll(in, 0o700)
				if err == nil {
					err = os.WriteFile(filepath.Join(in, "a.xml"), sample, 0o600)
				}
				if err == nil {
					err = os.MkdirAll(filepath.Dir(at), 0o700)
				}
				switch {
				case err != nil:
				case isFolder:
					err = os.MkdirAll(filepath.Join(at, "x"), 0o700)
				default:
					err = os.WriteFile(at, nil, 0o600)
				}
				if err != nil {
					t.Fatal(err)
				}
				args := []string{"archive", "add", out, in}
				if command == "watch" {
					args = []string{"watch", "--in", in, "--out", out, "--once", "--settle", "0"}
				}
				said := output(t, args)
				if !strings.Contains(said, "einvoice: ") {
					continue
				}
				blocked++
				if strings.Contains(said, "resume") {
					t.Errorf("%s, where %s stands in the way, is told to resume: %s", command, name, said)
				}
			}
		}
	}
	if blocked < 5 {
		t.Errorf("only %d targets were blocked", blocked)
	}
}
