package server_test

import (
	"net/http"
	"strings"
	"testing"
)

// The page is served to everyone under a strict policy, and not sent again to who has it.
func TestApp(t *testing.T) {
	s := shared()
	a := s.get(t, "/app")
	a.wants(t, http.StatusOK, "")
	policy := a.Header.Get("Content-Security-Policy")
	if strings.Contains(policy, "unsafe-inline") || strings.Contains(policy, "http") || !strings.HasPrefix(policy, "default-src 'none'") {
		t.Errorf("the policy is %q", policy)
	}
	if body := string(a.body); strings.Contains(body, "<style") || strings.Contains(body, "onload") || strings.Contains(body, "//") {
		t.Errorf("the page is %s", body)
	}
	r := s.request(t, http.MethodGet, "/app", nil, "If-None-Match", a.Header.Get("ETag"))
	again, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	again.Body.Close()
	if again.StatusCode != http.StatusNotModified || again.Header.Get("Content-Length") != "" {
		t.Errorf("asked again: %d, length %q", again.StatusCode, again.Header.Get("Content-Length"))
	}
	for _, path := range []string{"/app/nothing.js", "/app/README.md", "/app/..%2fserver.go"} {
		if a := s.get(t, path); a.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d", path, a.StatusCode)
		}
	}
}

// The calls of the page answer as the rest of the interface: what is wrong has a code.
func TestWorkbench(t *testing.T) {
	s := shared()
	post := func(call, body string) *answer {
		return s.do(t, s.request(t, http.MethodPost, "/v1/workbench/"+call, strings.NewReader(body), "Content-Type", "application/json"))
	}
	post("nothing", "{}").wants(t, http.StatusNotFound, "TARGET-UNKNOWN")
	post("check", "{").wants(t, http.StatusBadRequest, "REQUEST-INVALID")
	post("check", `{"txet": ""}`).wants(t, http.StatusBadRequest, "REQUEST-INVALID")
	post("check", `{"text": "<a/>", "at": "tomorrow"}`).wants(t, http.StatusBadRequest, "OPTION-INVALID")
	post("check", `{"text": "<a/>", "profile": "none"}`).wants(t, http.StatusBadRequest, "OPTION-INVALID")
	post("impact", `{"archive": 0}`).wants(t, http.StatusBadRequest, "OPTION-INVALID")
	post("draft", `{"draft": {"../x.yaml": ""}}`).wants(t, http.StatusBadRequest, "OPTION-INVALID")
	post("check", `{"text": "<broken"}`).wants(t, http.StatusOK, "")
	unknown := s.request(t, http.MethodPost, "/v1/workbench/check", strings.NewReader("{}"), "Content-Type", "application/json")
	unknown.Header.Del("Authorization")
	s.do(t, unknown).wants(t, http.StatusUnauthorized, "KEY-MISSING")
}
