package server_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// A client that has an answer is not sent it again, until it changes.
func TestEntityTags(t *testing.T) {
	s := shared()
	for _, path := range []string{"/v1/rules", "/v1/rules?ruleset=en16931&limit=5", "/v1/rules/BR-01", "/v1/rulesets"} {
		tag := s.get(t, path).Header.Get("ETag")
		if tag == "" {
			t.Fatalf("%s has no ETag", path)
		}
		for _, known := range []string{tag, "*", `"other", ` + tag, strings.TrimPrefix(tag, "W/")} {
			a := s.do(t, s.request(t, http.MethodGet, path, nil, "If-None-Match", known))
			if a.StatusCode != http.StatusNotModified || len(a.body) > 0 || a.Header.Get("ETag") != tag {
				t.Errorf("%s with %s: %d, %d bytes", path, known, a.StatusCode, len(a.body))
			}
		}
		if a := s.do(t, s.request(t, http.MethodGet, path, nil, "If-None-Match", `"other"`)); a.StatusCode != http.StatusOK {
			t.Errorf("%s with another tag: %d", path, a.StatusCode)
		}
		if a := s.do(t, s.request(t, http.MethodGet, path, nil, "If-None-Match", tag, "Accept-Language", "de")); path != "/v1/rulesets" && a.StatusCode != http.StatusOK {
			t.Errorf("%s in another language: %d", path, a.StatusCode)
		}
	}
}

// Pages, followed by their links, are the whole list.
func TestPages(t *testing.T) {
	type list struct {
		Rules []struct{ ID string } `json:"rules"`
	}
	s := shared()
	var all list
	s.get(t, "/v1/rules").decode(t, &all)
	for _, limit := range []int{1000, 333, 97} {
		path, n := fmt.Sprintf("/v1/rules?limit=%d", limit), 0
		for path != "" {
			a := s.get(t, path)
			var part list
			a.decode(t, &part)
			for i := range part.Rules {
				if n+i >= len(all.Rules) || part.Rules[i] != all.Rules[n+i] {
					t.Fatalf("%s: %v is not rule %d", path, part.Rules[i], n+i)
				}
			}
			n += len(part.Rules)
			path = ""
			for _, link := range a.Header.Values("Link") {
				if target, ok := strings.CutSuffix(link, `>; rel="next"`); ok {
					path = strings.TrimPrefix(target, "<")
				}
			}
		}
		if n != len(all.Rules) {
			t.Errorf("pages of %d have %d of %d rules", limit, n, len(all.Rules))
		}
	}
	for _, query := range []string{"limit=0", "limit=1001", "limit=x", "limit=1&limit=2", "offset=1", "limit=5&offset=-1", "limit=5&offset=99999999", "limit="} {
		s.get(t, "/v1/rules?"+query).wants(t, http.StatusBadRequest, "QUERY-INVALID")
	}
	s.get(t, "/v1/rules/BR-01?limit=1").wants(t, http.StatusBadRequest, "QUERY-INVALID")
}
