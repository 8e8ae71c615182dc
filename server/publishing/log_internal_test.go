package publishing

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLogMissing takes one version out of a chain: it is told once, where it was.
func TestLogMissing(t *testing.T) {
	dir, s := t.TempDir(), &Shelf{}
	if err := os.Mkdir(filepath.Join(dir, versionsFolder), 0o750); err != nil {
		t.Fatal(err)
	}
	for version := 1; version <= 5; version++ {
		previous, err := lastDigest(dir)
		if err != nil {
			t.Fatal(err)
		}
		record, err := s.record(&Publication{Version: version, Who: "Ann", Why: "to try it", Previous: previous})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(recordFile(dir, version), record, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(recordFile(dir, 3)); err != nil {
		t.Fatal(err)
	}
	entries, err := Log(dir, nil)
	if err != nil || len(entries) != 4 {
		t.Fatal(len(entries), err)
	}
	for _, e := range entries {
		missing := strings.Contains(strings.Join(e.Faults, "; "), "is missing")
		if missing != (e.Version == 4) {
			t.Errorf("version %d: %q", e.Version, e.Faults)
		}
	}
}
