package bulk

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"
)

// Two builds that differ have different names, and a build has one.
func TestBuiltOf(t *testing.T) {
	of := func(revision, modified, compiler, executable string) *debug.BuildInfo {
		return &debug.BuildInfo{GoVersion: compiler, Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: revision}, {Key: "vcs.modified", Value: modified}}}
	}
	dir := t.TempDir()
	seen := map[string]int{}
	for i, b := range []struct{ revision, modified, compiler, executable string }{
		{"a", "false", "go1", "x"}, {"b", "false", "go1", "x"}, {"a", "false", "go2", "x"},
		{"a", "true", "go1", "x"}, {"a", "true", "go1", "y"}, // changed since: their bytes tell them apart
		{"", "", "go1", "z"}, {"", "", "go1", "w"},
	} {
		path := filepath.Join(dir, "program")
		if err := os.WriteFile(path, []byte(b.executable), 0o755); err != nil {
			t.Fatal(err)
		}
		name, err := builtOf(of(b.revision, b.modified, b.compiler, b.executable), path)
		again, _ := builtOf(of(b.revision, b.modified, b.compiler, b.executable), path)
		if first, known := seen[name]; known || err != nil || again != name {
			t.Errorf("the builds %d and %d are both %q, %v", first, i, name, err)
		}
		seen[name] = i
	}
	if _, err := builtOf(&debug.BuildInfo{}, filepath.Join(dir, "none")); err == nil {
		t.Error("a program without revision and bytes has a name")
	}
}
