package server_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"einvoice/server"
)

// A server without keys answers programs of this machine and its own pages, and nobody else: not
// under a name that leads here by DNS, and not what a page of another origin has a browser
// send.
func TestOriginsWithoutKeys(t *testing.T) {
	servers := map[string]*testServer{}
	for _, c := range []struct {
		name, method, path, host string
		header                   []string
		hosts, origins           []string
		forbidden                bool
	}{
		{name: "a program", method: http.MethodPost, path: "/v1/validate/ubl", host: "127.0.0.1:8080"},
		{name: "IPv6", method: http.MethodGet, path: "/v1/rulesets", host: "[::1]:8080"},
		{name: "the name of this machine", method: http.MethodGet, path: "/v1/rulesets", host: "LocalHost."},
		{name: "a name that leads here", method: http.MethodGet, path: "/v1/rulesets", host: "evil.example:8080", forbidden: true},
		{name: "the page under such a name", method: http.MethodGet, path: "/app", host: "evil.example", forbidden: true},
		{name: "metrics under such a name", method: http.MethodGet, path: "/metrics", host: "evil.example", forbidden: true},
		{name: "a past invoice under such a name", method: http.MethodPost, path: "/v1/workbench/archived", host: "evil.example", forbidden: true},
		{name: "a name that ends like this machine's", method: http.MethodGet, path: "/v1/rulesets", host: "notlocalhost", forbidden: true},
		{name: "a proxy's name", method: http.MethodGet, path: "/v1/rulesets", host: "invoices.example", hosts: []string{"invoices.example"}},
		{name: "its own page", method: http.MethodPost, path: "/v1/validate/ubl", host: "127.0.0.1:8080", header: []string{"Origin", "http://127.0.0.1:8080", "Sec-Fetch-Site", "same-origin"}},
		{name: "another page begins a job", method: http.MethodPost, path: "/v1/bulk", host: "127.0.0.1:8080", header: []string{"Origin", "https://evil.example"}, forbidden: true},
		{name: "a page of another port", method: http.MethodPost, path: "/v1/bulk", host: "127.0.0.1:8080", header: []string{"Origin", "http://127.0.0.1:9999", "Sec-Fetch-Site", "same-site"}, forbidden: true},
		{name: "a page without an origin", method: http.MethodPost, path: "/v1/rules/publish", host: "127.0.0.1:8080", header: []string{"Origin", "null", "Sec-Fetch-Site", "cross-site"}, forbidden: true},
		{name: "another page ends a job", method: http.MethodDelete, path: "/v1/bulk/a", host: "127.0.0.1:8080", header: []string{"Sec-Fetch-Site", "cross-site"}, forbidden: true},
		{name: "a page that is let in", method: http.MethodPost, path: "/v1/validate/ubl", host: "127.0.0.1:8080", header: []string{"Origin", "https://erp.example", "Sec-Fetch-Site", "cross-site"}, origins: []string{"https://erp.example"}},
		{name: "a page beside one that is let in", method: http.MethodPost, path: "/v1/validate/ubl", host: "127.0.0.1:8080", header: []string{"Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site"}, origins: []string{"https://erp.example"}, forbidden: true},
	} {
		if of := fmt.Sprint(c.hosts, c.origins); servers[of] == nil {
			servers[of] = start(t, func(config *server.Config) {
				config.NoAuth, config.Hosts, config.CORSOrigins = true, c.hosts, c.origins
			})
		}
		t.Run(c.name, func(t *testing.T) {
			s := servers[fmt.Sprint(c.hosts, c.origins)]
			r := s.request(t, c.method, c.path, strings.NewReader(""), c.header...)
			r.Host = c.host
			a := s.do(t, r)
			if (a.StatusCode == http.StatusForbidden && strings.Contains(string(a.body), "ORIGIN-FORBIDDEN")) != c.forbidden {
				t.Errorf("%d %.300s", a.StatusCode, a.body)
			}
		})
	}
}

// With keys, the key decides: a page of another origin has none.
func TestOriginsWithKeys(t *testing.T) {
	r := shared().request(t, http.MethodGet, "/v1/rulesets", nil, "Origin", "https://evil.example")
	r.Host = "service.example"
	if a := shared().do(t, r); a.StatusCode != http.StatusOK {
		t.Errorf("%d %.300s", a.StatusCode, a.body)
	}
}
