package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"einvoice/server"
	"einvoice/server/keys"
)

// Keys of one tenant share its jobs, and see nothing of those of another; its overlays and bounds hold
// for each of them.
func TestTenants(t *testing.T) {
	dir := t.TempDir()
	keyFile := filepath.Join(dir, "keys")
	secrets, ids := map[string]string{}, map[string]string{}
	for _, name := range []string{"a1", "a2", "b", "c", "operator"} {
		secret, key, err := keys.Add(keyFile, name, keys.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		secrets[name], ids[name] = secret, key.ID
	}
	files := map[string]string{
		"rules/overlays/own.yaml": "overlay: own\ntitle: Own\nowner: Compliance\non: {profiles: [en16931]}\neffective: {from: 2026-01-01}\nlevels:\n  - {rules: [BR-CL-23], level: warning, reason: Units are new., until: 2099-12-31}\n",
		"tenants.yaml":            fmt.Sprintf("tenants:\n  acme: {keys: [%s, %s], overlays: [own], sources: [of-acme], jobs: 1, keepDays: 30}\n  beta: {keys: [%s], sources: [of-beta]}\n  gamma: {keys: [%s]}\n", ids["a1"], ids["a2"], ids["b"], ids["c"]),
		"sources/of-acme/1.xml":   string(sample(t, "ubl-valid.xml")),
		"sources/of-beta/1.xml":   string(sample(t, "ubl-valid.xml")),
	}
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := start(t, func(c *server.Config) {
		c.KeysFile, c.Tenants, c.RulesetsDir = keyFile, filepath.Join(dir, "tenants.yaml"), filepath.Join(dir, "rules")
		c.BulkSources, c.BulkResults = filepath.Join(dir, "sources"), filepath.Join(dir, "results")
	})
	ask := func(who, method, path string) *answer {
		return s.do(t, s.request(t, method, path, nil, "Authorization", "Bearer "+secrets[who]))
	}
	list := func(who string) (ids, sources []string) {
		var out struct {
			Jobs    []bulkJob
			Sources []string
		}
		if err := json.Unmarshal(ask(who, http.MethodGet, "/v1/bulk").body, &out); err != nil {
			t.Fatal(err)
		}
		for _, job := range out.Jobs {
			ids = append(ids, job.ID)
		}
		return ids, out.Sources
	}
	begin := func(who, query string) bulkJob {
		a := ask(who, http.MethodPost, "/v1/bulk?"+query)
		a.wants(t, http.StatusAccepted, "")
		job := jobIn(t, a)
		eventually(t, "the job ends", func() bool {
			job = jobIn(t, ask(who, http.MethodGet, "/v1/bulk/"+job.ID))
			return job.State != "working"
		})
		return job
	}
	ask("a1", http.MethodPost, "/v1/bulk?source=of-beta").wants(t, http.StatusBadRequest, "QUERY-INVALID")
	ask("c", http.MethodPost, "/v1/bulk?source=of-beta").wants(t, http.StatusBadRequest, "QUERY-INVALID") // who names no sources has none
	acme, beta := begin("a1", "source=of-acme&priority=high&deadline=2099-01-01T00:00:00Z"), begin("b", "source=of-beta")
	if acme.State != "complete" || beta.State != "complete" {
		t.Fatalf("%+v %+v", acme, beta)
	}
	for who, want := range map[string][]string{"a1": {acme.ID}, "a2": {acme.ID}, "b": {beta.ID}, "c": nil, "operator": {acme.ID, beta.ID}} {
		ids, sources := list(who)
		slices.Sort(ids)
		slices.Sort(want)
		if !slices.Equal(ids, want) || len(sources) != len(want) {
			t.Errorf("%s sees jobs %v and sources %v", who, ids, sources)
		}
	}
	for _, path := range []string{"", "/results", "/report"} {
		ask("b", http.MethodGet, "/v1/bulk/"+acme.ID+path).wants(t, http.StatusNotFound, "BULK-JOB-UNKNOWN")
		ask("a2", http.MethodGet, "/v1/bulk/"+acme.ID+path).wants(t, http.StatusOK, "")
	}
	ask("b", http.MethodDelete, "/v1/bulk/"+acme.ID).wants(t, http.StatusNotFound, "BULK-JOB-UNKNOWN")
	ask("a1", http.MethodPost, "/v1/bulk?source=of-acme&priority=highest").wants(t, http.StatusBadRequest, "QUERY-INVALID")
	ask("a1", http.MethodPost, "/v1/bulk?source=of-acme&deadline=tomorrow").wants(t, http.StatusBadRequest, "QUERY-INVALID")
	for who, want := range map[string]bool{"a1": true, "b": false} {
		a := s.do(t, s.request(t, http.MethodPost, "/v1/validate/en16931?overlay=", bytes.NewReader(sample(t, "ubl-valid.xml")), "Authorization", "Bearer "+secrets[who], "Content-Type", "application/xml"))
		if a.wants(t, http.StatusOK, ""); bytes.Contains(a.body, []byte(`"name":"own"`)) != want {
			t.Errorf("the overlay of a tenant and %s: %s", who, a.body)
		}
	}
	eventually(t, "a job beyond the bound is refused", func() bool {
		ask("a1", http.MethodPost, "/v1/bulk?source=of-acme")
		return ask("a2", http.MethodPost, "/v1/bulk?source=of-acme").StatusCode == http.StatusTooManyRequests
	})
	if late := begin("b", "source=of-beta&deadline=2026-01-01T00:00:00Z"); late.State != "failed" || !strings.Contains(late.Error, "deadline of the job") {
		t.Errorf("a job after its deadline is %+v", late)
	}
}
