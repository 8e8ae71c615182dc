//go:build unix

package changed_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"einvoice/server/changed"
	"einvoice/server/keys"
	"einvoice/server/tenants"
	"einvoice/server/webhook"
)

// No file of settings is waited for: what is a pipe or a folder is refused by its kind and path.
func TestPipesOfSettings(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	reads := map[string]func(path string) error{
		"file":            func(path string) error { _, err := changed.Read("file", path); return err },
		"key file":        func(path string) error { _, err := keys.Read(path); return err },
		"file of tenants": func(path string) error { _, err := tenants.Read(path); return err },
		"file of secrets": func(path string) error { _, err := webhook.New(t.TempDir(), nil, path, slog.Default()); return err },
	}
	for what, read := range reads {
		for _, path := range []string{pipe, t.TempDir(), os.DevNull} {
			if err := read(path); err == nil || !strings.Contains(err.Error(), what+" "+path+" is not a file") {
				t.Errorf("%s: %v", what, err)
			}
		}
	}
}
