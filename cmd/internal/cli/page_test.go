package cli

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestEditingPage carries out docs/editing-rules.md in its order, as a reader does: it writes
// each yaml block, gives each line of the sh blocks to a shell, and looks for each line of a
// text block in what the last command printed.
func TestEditingPage(t *testing.T) {
	page, err := os.ReadFile("../../../docs/editing-rules.md")
	if err != nil {
		t.Fatal(err)
	}
	script := scriptOf(string(page))
	if strings.Count(script, "einvoice") < 8 || strings.Count(script, "stdout ") < 8 {
		t.Fatalf("the page has too little to run:\n%s", script)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "page.txtar"), []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	sample, err := filepath.Abs("../../einvoice/samples/ubl-valid.xml")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: dir,
		Setup: func(env *testscript.Env) error {
			data, err := os.ReadFile(sample)
			if err != nil {
				return err
			}
			shareCache(env)
			return os.WriteFile(filepath.Join(env.WorkDir, "invoice.xml"), data, 0o644)
		},
	})
}

var block = regexp.MustCompile("(?ms)^```(sh|text|yaml)([^\n]*)\n(.*?)^```")

func scriptOf(page string) string {
	var script, files strings.Builder
	for n, b := range block.FindAllStringSubmatch(page, -1) {
		kind, note, body := b[1], strings.TrimSpace(b[2]), strings.TrimSuffix(b[3], "\n")
		switch kind {
		case "yaml":
			fmt.Fprintf(&script, "mkdir %s\ncp block-%d %s\n", path.Dir(note), n, note)
			fmt.Fprintf(&files, "-- block-%d --\n%s\n", n, body)
		case "sh":
			lines := strings.Split(body, "\n")
			for i, line := range lines {
				if note == "status=1" && i == len(lines)-1 {
					script.WriteString("! ")
				}
				script.WriteString("exec sh -c '" + strings.ReplaceAll(line, "'", "''") + "'\n")
			}
		default:
			for _, line := range strings.Split(body, "\n") {
				script.WriteString("stdout '" + strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSpace(line)), "'", "''") + "'\n")
			}
		}
	}
	return script.String() + files.String()
}
