package server_test

import (
	"net/http"
	"strings"
	"testing"

	"einvoice/server"
)

// Pages of the origins that are set may call the service; those of others may not.
func TestCORS(t *testing.T) {
	s := start(t, func(c *server.Config) { c.CORSOrigins = []string{"https://erp.example"} })
	for _, c := range []struct {
		method, origin string
		header         []string
		allowed        bool
	}{
		{http.MethodGet, "https://erp.example", nil, true},
		{http.MethodGet, "https://other.example", nil, false},
		{http.MethodOptions, "https://erp.example", []string{"Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "authorization,content-type"}, true},
		{http.MethodOptions, "https://other.example", []string{"Access-Control-Request-Method", "POST"}, false},
	} {
		a := s.do(t, s.request(t, c.method, "/v1/rulesets", nil, append(c.header, "Origin", c.origin)...))
		if got := a.Header.Get("Access-Control-Allow-Origin"); (got == c.origin) != c.allowed || got != "" && !c.allowed {
			t.Errorf("%s of %s: Access-Control-Allow-Origin is %q", c.method, c.origin, got)
		}
		if c.method == http.MethodOptions && c.allowed && (a.StatusCode != http.StatusNoContent || a.Header.Get("Access-Control-Allow-Methods") != "POST") {
			t.Errorf("preflight: %d, methods %q", a.StatusCode, a.Header.Get("Access-Control-Allow-Methods"))
		}
		if a.Header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s of %s: credentials are allowed", c.method, c.origin)
		}
	}
}

func TestCORSOriginsAreChecked(t *testing.T) {
	for _, origin := range []string{"erp.example", "https://erp.example/app", "null"} {
		config := server.DefaultConfig()
		config.CORSOrigins = []string{origin}
		if err := config.Check(); err == nil || !strings.Contains(err.Error(), "cors-origins") {
			t.Errorf("%s: %v", origin, err)
		}
	}
}

// A slash too many at the end is answered with the path that is meant.
func TestTrailingSlash(t *testing.T) {
	a := shared().do(t, shared().request(t, http.MethodPost, "/v1/validate/ubl/", strings.NewReader("<a/>")))
	if a.StatusCode != http.StatusNotFound || !strings.Contains(string(a.body), "/v1/validate/ubl") {
		t.Errorf("%d %s", a.StatusCode, a.body)
	}
}

// Bytes of no said type are read as what they are.
func TestOctetStream(t *testing.T) {
	shared().raw(t, "en16931", "application/octet-stream", strings.NewReader("<a/>")).wants(t, http.StatusUnprocessableEntity, "FORMAT-UNKNOWN")
}
