package server_test

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"einvoice/server"
	"einvoice/server/keys"
)

// asks sends a request with these Authorization headers.
func (s *testServer) asks(t *testing.T, path string, authorization ...string) *answer {
	t.Helper()
	r := s.request(t, http.MethodGet, path, nil)
	r.Header.Del("Authorization")
	for _, value := range authorization {
		r.Header.Add("Authorization", value)
	}
	return s.do(t, r)
}

func TestKeyNeeded(t *testing.T) {
	s := shared()
	key := s.StartKey()
	for _, path := range []string{"/v1/rules", "/v1/rules/BR-CO-10", "/v1/rulesets"} {
		a := s.asks(t, path)
		a.wants(t, 401, "KEY-MISSING")
		if got := a.Header.Get("WWW-Authenticate"); got != `Bearer realm="einvoice"` {
			t.Errorf("WWW-Authenticate %q", got)
		}
	}
	r := s.request(t, http.MethodPost, "/v1/validate/ubl", bytes.NewReader(sample(t, "ubl-valid.xml")), "Content-Type", "application/xml")
	r.Header.Del("Authorization")
	s.do(t, r).wants(t, 401, "KEY-MISSING")
	for _, path := range []string{"/", "/health/live", "/health/ready", "/metrics", "/openapi.json", "/docs"} {
		s.asks(t, path).wants(t, 200, "")
	}
	for _, value := range []string{"Bearer " + key, "bearer " + key, "BEARER  " + key, "Bearer " + key + " "} {
		s.asks(t, "/v1/rulesets", value).wants(t, 200, "")
	}
	for _, value := range []string{
		key, "Basic " + key, "Bearer", "Bearer ", "Bearer" + key, "Bearer " + key + "x", "Bearer " + key[:len(key)-1],
		"Bearer " + strings.ToLower(key), "Bearer " + key + " " + key, "Bearer " + key + "," + key, "Bearer einv_", "Bearer einv__", "Bearer _", "",
	} {
		a := s.asks(t, "/v1/rulesets", value)
		a.wants(t, 401, "KEY-INVALID")
		if strings.Contains(string(a.body), key) {
			t.Error("the answer repeats the key")
		}
		if got := a.Header.Get("WWW-Authenticate"); !strings.Contains(got, "invalid_token") {
			t.Errorf("WWW-Authenticate %q", got)
		}
	}
	s.asks(t, "/v1/rulesets", "Bearer "+key, "Bearer "+key).wants(t, 401, "KEY-INVALID")
}

// TestKeyGuessing tries many keys with a known id: all are refused alike, and
// none shows in the log.
func TestKeyGuessing(t *testing.T) {
	s := start(t, nil)
	key := s.StartKey()
	id := strings.Split(key, "_")[1]
	var first string
	for i := range 300 {
		guess := "einv_" + id + "_GUESS" + strconv.Itoa(i)
		a := s.asks(t, "/v1/rulesets", "Bearer "+guess)
		if i >= 20 && a.StatusCode == http.StatusTooManyRequests {
			continue // an address that guesses is slowed
		}
		p := a.wants(t, 401, "KEY-INVALID")
		if first == "" {
			first = p.Detail
		}
		if p.Detail != first {
			t.Fatalf("guess %d is answered %q, others %q", i, p.Detail, first)
		}
	}
	s.asks(t, "/v1/rulesets", "Bearer "+key).wants(t, 200, "")
	s.logs(t, `"key":"`+id+`"`)
	if log := s.log.String(); strings.Contains(log, "GUESS") || strings.Contains(log, key) || strings.Contains(log, strings.Split(key, "_")[2]) {
		t.Error("a key is in the log")
	}
}

// TestKeysReload makes and revokes keys under a running server, and breaks the
// file.
func TestKeysReload(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	first, _, err := keys.Add(path, "first", keys.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, func(c *server.Config) { c.KeysFile = path })
	if s.StartKey() != "" {
		t.Error("a key was made although there is a file")
	}
	s.asks(t, "/v1/rulesets", "Bearer "+first).wants(t, 200, "")

	second, key, err := keys.Add(path, "second", keys.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	s.asks(t, "/v1/rulesets", "Bearer "+second).wants(t, 401, "KEY-INVALID")
	s.Reload(t.Context())
	s.asks(t, "/v1/rulesets", "Bearer "+second).wants(t, 200, "")

	if err := keys.Revoke(path, key.ID); err != nil {
		t.Fatal(err)
	}
	s.Reload(t.Context())
	s.asks(t, "/v1/rulesets", "Bearer "+second).wants(t, 401, "KEY-INVALID")
	s.asks(t, "/v1/rulesets", "Bearer "+first).wants(t, 200, "")

	if err := os.WriteFile(path, []byte("nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Reload(t.Context())
	s.asks(t, "/v1/rulesets", "Bearer "+first).wants(t, 200, "")
	if ready := string(s.asks(t, "/health/ready").body); !strings.Contains(ready, "a line begins with") {
		t.Errorf("the readiness does not tell: %s", ready)
	}
	if m := string(s.asks(t, "/metrics").body); !strings.Contains(m, "einvoice_keys_current 0") {
		t.Error("the metric does not tell")
	}
	if strings.Count(s.log.String(), "keys not reloaded") != 1 {
		t.Error("the log does not tell once")
	}
}

func TestKeyFileMissing(t *testing.T) {
	config := server.DefaultConfig()
	config.KeysFile = filepath.Join(t.TempDir(), "none")
	if _, err := server.New(config, nil); err == nil || !strings.Contains(err.Error(), "none") {
		t.Errorf("got %v", err)
	}
}

// TestRate uses up the rate of one key; the other is served.
func TestRate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	first, _, _ := keys.Add(path, "first", keys.Limits{})
	second, _, err := keys.Add(path, "second", keys.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, func(c *server.Config) { c.KeysFile, c.Rate, c.Burst = path, 0.001, 3 })
	for range 3 {
		s.asks(t, "/v1/rulesets", "Bearer "+first).wants(t, 200, "")
	}
	a := s.asks(t, "/v1/rulesets", "Bearer "+first)
	a.wants(t, 429, "RATE-LIMITED")
	wait, err := strconv.Atoi(a.Header.Get("Retry-After"))
	if err != nil || wait < 1 || wait > 1000 {
		t.Fatalf("Retry-After %q", a.Header.Get("Retry-After"))
	}
	s.Reload(t.Context()) // does not give a new rate
	s.asks(t, "/v1/rulesets", "Bearer "+first).wants(t, 429, "RATE-LIMITED")
	s.asks(t, "/v1/rulesets", "Bearer "+second).wants(t, 200, "")

	quick := start(t, func(c *server.Config) { c.KeysFile, c.Rate, c.Burst = path, 0.5, 1 })
	eventually(t, "a key is refused", func() bool {
		return quick.asks(t, "/v1/rulesets", "Bearer "+first).StatusCode == http.StatusTooManyRequests
	})
	eventually(t, "the key is served again", func() bool {
		return quick.asks(t, "/v1/rulesets", "Bearer "+first).StatusCode == http.StatusOK
	})
}

func TestNoAuth(t *testing.T) {
	s := start(t, func(c *server.Config) { c.NoAuth = true })
	s.asks(t, "/v1/rulesets").wants(t, 200, "")
	s.asks(t, "/v1/rulesets", "Bearer whatever").wants(t, 200, "")
}
