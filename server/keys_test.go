package server_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"einvoice/server"
	"einvoice/server/keys"
)

func TestKeyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	first, a, err := keys.Add(path, "billing system", keys.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	second, b, err := keys.Add(path, "ürün", keys.Limits{})
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
	if err := keys.Revoke(path, a.ID); err != nil {
		t.Fatal(err)
	}
	all, err := keys.Read(path)
	if err != nil || len(all) != 2 || all[0].Revoked.IsZero() || !all[1].Revoked.IsZero() || all[1].Name != "ürün" || all[0].Name != "billing system" {
		t.Errorf("got %+v, %v", all, err)
	}
	for id, says := range map[string]string{a.ID: "was revoked", "nobody": "there is no key nobody"} {
		if err := keys.Revoke(path, id); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("revoking %s again: %v", id, err)
		}
	}
	for _, name := range []string{"", "a\nkey b", "a\x00", strings.Repeat("x", 101)} {
		if _, _, err := keys.Add(path, name, keys.Limits{}); err == nil {
			t.Errorf("a key of name %q was made", name)
		}
	}
}

// TestKeysAtOnce makes keys side by side: none may be lost.
func TestKeysAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	if _, _, err := keys.Add(path, "first", keys.Limits{}); err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for range 20 {
		wait.Go(func() {
			if _, _, err := keys.Add(path, "one of many", keys.Limits{}); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if all, err := keys.Read(path); err != nil || len(all) != 21 {
		t.Errorf("%d keys, %v", len(all), err)
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
		if _, err := keys.Parse(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: got %v, want %q", text, err, says)
		}
	}
	if all, err := keys.Parse(strings.NewReader("# comment\n\n" + good)); err != nil || len(all) != 1 {
		t.Errorf("got %v, %v", all, err)
	}
}

// TestKeyLimits makes keys that expire and that are for some operations alone.
func TestKeyLimits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	tomorrow := time.Now().Add(24 * time.Hour)
	limited, _, err := keys.Add(path, "auditors", keys.Limits{Expires: tomorrow, Operations: []string{"validate", "rules"}})
	if err != nil {
		t.Fatal(err)
	}
	expired, k, err := keys.Add(path, "of yesterday", keys.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("expires " + k.ID + " 2020-01-01T00:00:00Z\n"); err != nil || f.Close() != nil {
		t.Fatal(err)
	}
	all, err := keys.Read(path)
	if err != nil || !all[0].Expires.Equal(tomorrow.UTC().Truncate(time.Second)) || strings.Join(all[0].Operations, " ") != "validate rules" || !all[1].HasExpired(time.Now()) {
		t.Fatalf("got %+v, %v", all, err)
	}
	s := start(t, func(c *server.Config) { c.KeysFile = path })
	ask := func(key, method, path string, body []byte) *answer {
		return s.do(t, s.request(t, method, path, bytes.NewReader(body), "Authorization", "Bearer "+key, "Content-Type", "application/xml", "X-Forwarded-For", "1.2.3.4, 203.0.113.7"))
	}
	ask(limited, http.MethodPost, "/v1/validate/ubl", sample(t, "ubl-valid.xml")).wants(t, http.StatusOK, "")
	ask(limited, http.MethodGet, "/v1/rules/BR-01", nil).wants(t, http.StatusOK, "")
	p := ask(limited, http.MethodPost, "/v1/convert/ubl/to/cii", sample(t, "ubl-valid.xml")).wants(t, http.StatusForbidden, "KEY-FORBIDDEN")
	if !strings.Contains(p.Detail, "validate, rules") {
		t.Errorf("got %q", p.Detail)
	}
	p = ask(expired, http.MethodGet, "/v1/rules/BR-01", nil).wants(t, http.StatusUnauthorized, "KEY-INVALID")
	if !strings.Contains(p.Detail, "expired 2020-01-01") {
		t.Errorf("got %q", p.Detail)
	}
	s.logs(t, `"address":"127.0.0.1"`)
	s.logs(t, `"forwardedFor":"203.0.113.7"`)
	s.logs(t, fmt.Sprintf(`"received":%d,`, len(sample(t, "ubl-valid.xml"))))
	metrics := string(s.get(t, "/metrics").body)
	for _, line := range []string{`einvoice_key_requests_total{key="auditors",status="200"} 2`, `einvoice_key_requests_total{key="auditors",status="403"} 1`, `einvoice_key_requests_total{key="of yesterday",status="401"} 1`, "einvoice_build_info{"} {
		if !strings.Contains(metrics, line) {
			t.Errorf("the metrics have no %s", line)
		}
	}
	for _, limits := range []keys.Limits{{Expires: time.Now().Add(-time.Hour)}, {Operations: []string{"everything"}}} {
		if _, _, err := keys.Add(path, "x", limits); err == nil {
			t.Errorf("a key with %+v was made", limits)
		}
	}
}

// Each operation of the interface is one that keys can be limited to.
func TestKeyOperations(t *testing.T) {
	for path := range document().Paths.Map() {
		rest, ok := strings.CutPrefix(path, "/v1/")
		operation, _, _ := strings.Cut(rest, "/")
		if ok && !slices.Contains(keys.Operations, operation) {
			t.Errorf("%s is not an operation of keys", operation)
		}
	}
}

// A key file that others can read or write is warned of at the start.
func TestOpenKeyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	if _, _, err := keys.Add(path, "a", keys.Limits{}); err != nil {
		t.Fatal(err)
	}
	if s := start(t, func(c *server.Config) { c.KeysFile = path }); strings.Contains(s.log.String(), "chmod") {
		t.Error("a file of mode 0600 is warned of")
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if !keys.IsOpen(path) {
		t.Skip("modes of files do not count here")
	}
	start(t, func(c *server.Config) { c.KeysFile = path }).logs(t, "chmod 600")
}
