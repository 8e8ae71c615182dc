package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"einvoice/server/publishing"
)

// TestLogOfFilesAsBefore prints nothing of files that a version left as they were: a file that
// came and went again between two versions is not added by what takes both back.
func TestLogOfFilesAsBefore(t *testing.T) {
	a, b, again := "a", "b", "a"
	entry := publishing.LogEntry{Publication: publishing.Publication{Version: 6, Undoes: 1, Files: []publishing.Change{
		{Name: "gone.yaml"}, {Name: "same.yaml", Before: &a, After: &again},
		{Name: "new.yaml", After: &a}, {Name: "old.yaml", Before: &a}, {Name: "other.yaml", Before: &a, After: &b},
	}}}
	var out bytes.Buffer
	cmd := &cobra.Command{}
	cmd.SetOut(&out)
	printLog(cmd, []publishing.LogEntry{entry}, 0)
	for line, wanted := range map[string]bool{"gone.yaml": false, "same.yaml": false, "added new.yaml": true, "removed old.yaml": true, "changed other.yaml": true} {
		if strings.Contains(out.String(), line) != wanted {
			t.Errorf("%s: want %v in\n%s", line, wanted, out.String())
		}
	}
}
