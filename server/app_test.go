package server_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"einvoice/server/encoding"
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

// The bundle comes as it is kept, compressed once, and to a client that takes no brotli decompressed,
// with another tag.
func TestAppBundle(t *testing.T) {
	s := shared()
	tags := map[string]string{}
	for accept, coding := range map[string]string{"br, gzip": "br", "identity": "", "gzip": "gzip"} {
		a, err := http.DefaultClient.Do(s.request(t, http.MethodGet, "/app/app.js", nil, "Accept-Encoding", accept))
		if err != nil {
			t.Fatal(err)
		}
		defer a.Body.Close()
		if a.StatusCode != http.StatusOK || a.Header.Get("Content-Encoding") != coding {
			t.Errorf("%s: %d, encoded as %q", accept, a.StatusCode, a.Header.Get("Content-Encoding"))
		}
		tags[coding] = a.Header.Get("ETag")
		read, _ := encoding.Reader(coding, a.Body)
		r, err := read()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil || !bytes.Contains(text, []byte("function")) || len(text) < 20_000 {
			t.Errorf("%s: %d bytes, %v", accept, len(text), err)
		}
	}
	if tags["br"] == tags[""] || tags["br"] == "" {
		t.Errorf("the tags are %v", tags)
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
	post("impact", `{"archive": ""}`).wants(t, http.StatusBadRequest, "OPTION-INVALID")
	post("draft", `{"draft": {"../x.yaml": ""}}`).wants(t, http.StatusBadRequest, "OPTION-INVALID")
	post("check", `{"text": "<broken"}`).wants(t, http.StatusOK, "")
	unknown := s.request(t, http.MethodPost, "/v1/workbench/check", strings.NewReader("{}"), "Content-Type", "application/json")
	unknown.Header.Del("Authorization")
	s.do(t, unknown).wants(t, http.StatusUnauthorized, "KEY-MISSING")
}
