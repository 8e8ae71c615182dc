package server_test

import (
	"encoding/json"
	"net/http"
	"slices"
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

// A page of an origin that is set may call every operation that openapi.json describes, with every
// header that it takes, and read every header that it answers.
func TestCORSOfEveryOperation(t *testing.T) {
	const origin = "https://erp.example"
	s := start(t, func(c *server.Config) { c.CORSOrigins = []string{origin} })
	type named struct{ In, Name string }
	var described struct {
		Paths map[string]map[string]struct {
			Parameters []named
			Responses  map[string]struct{ Headers map[string]any }
		}
	}
	if err := json.Unmarshal(s.get(t, "/openapi.json").body, &described); err != nil {
		t.Fatal(err)
	}
	exposed := strings.ToLower(s.do(t, s.request(t, http.MethodGet, "/v1/rulesets", nil, "Origin", origin)).Header.Get("Access-Control-Expose-Headers"))
	operations := 0
	for path, methods := range described.Paths {
		for method, o := range methods {
			operations++
			headers := []string{"accept", "accept-language", "authorization", "content-encoding", "content-type", "traceparent", "x-request-id"}
			for _, p := range o.Parameters {
				if p.In == "header" {
					headers = append(headers, strings.ToLower(p.Name))
				}
			}
			slices.Sort(headers)
			a := s.do(t, s.request(t, http.MethodOptions, path, nil, "Origin", origin, "Access-Control-Request-Method", strings.ToUpper(method), "Access-Control-Request-Headers", strings.Join(headers, ",")))
			if a.Header.Get("Access-Control-Allow-Origin") != origin {
				t.Errorf("a page may not %s %s with %v", method, path, headers)
			}
			for _, r := range o.Responses {
				for name := range r.Headers {
					if !slices.Contains(strings.Split(exposed, ", "), strings.ToLower(name)) {
						t.Errorf("a page may not read %s of %s %s", name, method, path)
					}
				}
			}
		}
	}
	if operations < 40 {
		t.Errorf("%d operations were looked at", operations)
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
