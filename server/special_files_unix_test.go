//go:build unix

package server_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"einvoice/server"
	"einvoice/server/keys"
)

// A pipe among the rulesets, a link to a folder, a pipe in place of the keys: each is named,
// none is waited for, and what was in force stays.
func TestSpecialFiles(t *testing.T) {
	e := newEdits(t)
	e.rule("fatal", "true", "m")
	keyFile := filepath.Join(t.TempDir(), "keys")
	key, _, err := keys.Add(keyFile, "first", keys.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	s, _ := serve(t, func(c *server.Config) {
		c.RulesetsDir, c.KeysFile, c.ReloadInterval = e.dir, keyFile, 20*time.Millisecond
	})
	var ready struct {
		Reload, Keys struct {
			OK    bool
			Error string
		}
		AgeSeconds float64
	}
	says := func(want string, text func() string) {
		t.Helper()
		eventually(t, "readiness says "+want, func() bool {
			s.get(t, "/health/ready").decode(t, &ready)
			return strings.Contains(text(), want)
		})
		if ready.AgeSeconds > 15 {
			t.Errorf("the watcher has not looked for %g s", ready.AgeSeconds)
		}
		s.asks(t, "/v1/rulesets", "Bearer "+key).wants(t, 200, "")
	}
	pipe := filepath.Join(e.dir, "company", "1", "pipe.yaml")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip("skipped: no pipes here: " + err.Error())
	}
	says("company/1/pipe.yaml is not a file", func() string { return ready.Reload.Error })
	if err := os.Remove(pipe); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(t.TempDir(), filepath.Join(e.dir, "company", "1", "folder.yaml")); err != nil {
		t.Fatal(err)
	}
	says("company/1/folder.yaml is not a file", func() string { return ready.Reload.Error })
	if err := os.Remove(keyFile); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(keyFile, 0o600); err != nil {
		t.Fatal(err)
	}
	says("is not a file", func() string { return ready.Keys.Error })
}
