package server_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"einvoice/server"
)

func TestKeyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	first, a, err := server.AddKey(path, "billing system")
	if err != nil {
		t.Fatal(err)
	}
	second, b, err := server.AddKey(path, "ürün")
	if err != nil || first == second || a.ID == b.ID {
		t.Fatalf("%v: two keys are alike: %s %s", err, a.ID, b.ID)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{first, second} {
		if strings.Contains(string(data), secret) || strings.Contains(string(data), secret[len(secret)-10:]) {
			t.Error("the file has a key itself")
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got mode %v, %v", info.Mode(), err)
	}
	// A file without an end of line, as editors leave it.
	if err := os.WriteFile(path, []byte(strings.TrimRight(string(data), "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := server.RevokeKey(path, a.ID); err != nil {
		t.Fatal(err)
	}
	keys, err := server.ReadKeys(path)
	if err != nil || len(keys) != 2 || keys[0].Revoked.IsZero() || !keys[1].Revoked.IsZero() || keys[1].Name != "ürün" || keys[0].Name != "billing system" {
		t.Errorf("got %+v, %v", keys, err)
	}
	for id, says := range map[string]string{a.ID: "was revoked", "nobody": "there is no key nobody"} {
		if err := server.RevokeKey(path, id); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("revoking %s again: %v", id, err)
		}
	}
	for _, name := range []string{"", "a\nkey b", "a\x00", strings.Repeat("x", 101)} {
		if _, _, err := server.AddKey(path, name); err == nil {
			t.Errorf("a key of name %q was made", name)
		}
	}
}

// TestKeysAtOnce makes keys side by side: none may be lost.
func TestKeysAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	if _, _, err := server.AddKey(path, "first"); err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for range 20 {
		wait.Go(func() {
			if _, _, err := server.AddKey(path, "one of many"); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if keys, err := server.ReadKeys(path); err != nil || len(keys) != 21 {
		t.Errorf("%d keys, %v", len(keys), err)
	}
}

func TestKeyFileFaults(t *testing.T) {
	hash := "sha256:" + strings.Repeat("0", 64)
	good := "key a " + hash + " 2026-01-01T00:00:00Z name\n"
	for text, says := range map[string]string{
		"nonsense\n":    "line 1: a line begins with",
		"\nkey a b c\n": "line 2: expected",
		good + good:     "line 2: key a is there twice",
		"key a sha256:00 2026-01-01T00:00:00Z n\n": "hash",
		"key a " + hash + " yesterday n\n":         "yesterday",
		"revoked a 2026-01-01T00:00:00Z\n":         "never made",
		good + "revoked a\n":                       "line 2",
	} {
		if _, err := server.ParseKeys(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: got %v, want %q", text, err, says)
		}
	}
	if keys, err := server.ParseKeys(strings.NewReader("# comment\n\n" + good)); err != nil || len(keys) != 1 {
		t.Errorf("got %v, %v", keys, err)
	}
}
