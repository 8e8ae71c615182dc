package server_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

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
		"tenants.yaml":            fmt.Sprintf("tenants:\n  acme: {keys: [%s, %s], overlays: [own], sources: [of-acme], jobs: 1, keepDays: 30}\n  beta: {keys: [%s], sources: [of-beta, gone]}\n  gamma: {keys: [%s]}\n", ids["a1"], ids["a2"], ids["b"], ids["c"]),
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
	if log := s.log.String(); !strings.Contains(log, `"sources":["gone of tenant beta"]`) {
		t.Errorf("the log does not warn of the one source that is not there: %s", log)
	}
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

// tenantsOf starts a service over a folder for two tenants, acme with a bound and days and beta without, and
// gives what asks it as one of them, and what their sources have.
func tenantsOf(t *testing.T, acme string, documents int) (begin func() (*testServer, func()), secrets map[string]string, dir string) {
	t.Helper()
	dir = t.TempDir()
	secrets = map[string]string{}
	ids := map[string]string{}
	for _, name := range []string{"acme", "beta"} {
		secret, key, err := keys.Add(filepath.Join(dir, "keys"), name, keys.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		secrets[name], ids[name] = secret, key.ID
	}
	text := fmt.Sprintf("tenants:\n  acme: {keys: [%s], sources: [all], %s}\n  beta: {keys: [%s], sources: [all]}\n", ids["acme"], acme, ids["beta"])
	if err := os.WriteFile(filepath.Join(dir, "tenants.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "sources", "all"), 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range documents {
		text := append(sample(t, "ubl-valid.xml"), fmt.Sprintf("<!-- %d -->", i)...)
		if err := os.WriteFile(filepath.Join(dir, "sources", "all", fmt.Sprintf("%d.xml", i)), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return func() (*testServer, func()) {
		return serve(t, func(c *server.Config) {
			c.KeysFile, c.Tenants, c.BulkJobs = filepath.Join(dir, "keys"), filepath.Join(dir, "tenants.yaml"), 1
			c.BulkSources, c.BulkResults = filepath.Join(dir, "sources"), filepath.Join(dir, "results")
		})
	}, secrets, dir
}

// askAs asks with the key of a tenant.
func (s *testServer) askAs(t *testing.T, secret, method, path string, body []byte, header ...string) *answer {
	t.Helper()
	return s.do(t, s.request(t, method, path, bytes.NewReader(body), append([]string{"Authorization", "Bearer " + secret}, header...)...))
}

// Jobs of a tenant that ended so many days ago go with their results, also those that failed or were
// cancelled; jobs that go on, and those of tenants without days, stay. A service looks when it starts.
func TestJobsAreKeptForDays(t *testing.T) {
	begin, secrets, dir := tenantsOf(t, "keepDays: 30", 400)
	s, stop := begin()
	state := func(id string) string {
		return jobIn(t, s.askAs(t, secrets["acme"], http.MethodGet, "/v1/bulk/"+id, nil)).State
	}
	submit := func(who, query string) string {
		t.Helper()
		a := s.askAs(t, secrets[who], http.MethodPost, "/v1/bulk?source=all"+query, nil, "Idempotency-Key", who+query)
		a.wants(t, http.StatusAccepted, "")
		return jobIn(t, a).ID
	}
	has := func(who string, want bool, ids ...string) {
		t.Helper()
		for _, id := range ids {
			code, status := "", http.StatusOK
			if !want {
				code, status = "BULK-JOB-UNKNOWN", http.StatusNotFound
			}
			s.askAs(t, secrets[who], http.MethodGet, "/v1/bulk/"+id, nil).wants(t, status, code)
			if _, err := os.Stat(filepath.Join(dir, "results", id)); (err == nil) != want {
				t.Errorf("the folder of %s: %v", id, err)
			}
		}
	}
	ended, others, failed, cancelled := submit("acme", ""), submit("beta", ""), submit("acme", "&deadline=2026-01-01T00:00:00Z"), submit("acme", "&language=de")
	s.askAs(t, secrets["acme"], http.MethodDelete, "/v1/bulk/"+cancelled, nil)
	eventually(t, "they end", func() bool {
		return state(ended) == "complete" && state(failed) == "failed" && state(cancelled) == "cancelled"
	})
	goes := submit("acme", "&language=fr")
	s.RemoveOldJobs(t, time.Now().AddDate(0, 0, 30).Add(-time.Hour))
	has("acme", true, ended, failed, cancelled)
	eventually(t, "they are removed", func() bool { // one that ended may still close its files
		s.RemoveOldJobs(t, time.Now().AddDate(0, 0, 30).Add(time.Minute))
		left := jobsOf(t, s, secrets["acme"])
		return !slices.ContainsFunc([]string{ended, failed, cancelled}, func(id string) bool { return slices.Contains(left, id) })
	})
	has("acme", false, ended, failed, cancelled)
	has("beta", true, others)
	if state(goes) == "" {
		t.Error("a job that goes on is removed")
	}
	if again := submit("acme", ""); again == ended {
		t.Error("the idempotency key of a request names a job that is gone")
	}
	eventually(t, "the last one ends", func() bool { return state(goes) == "complete" })
	stop()
	when := time.Now().AddDate(0, 0, -31)
	if err := os.Chtimes(filepath.Join(dir, "results", goes, "results"), when, when); err != nil {
		t.Fatal(err)
	}
	s, _ = begin()
	eventually(t, "the old one is gone", func() bool { return !slices.Contains(jobsOf(t, s, secrets["acme"]), goes) })
}

func jobsOf(t *testing.T, s *testServer, secret string) (ids []string) {
	t.Helper()
	var out struct{ Jobs []bulkJob }
	if err := json.Unmarshal(s.askAs(t, secret, http.MethodGet, "/v1/bulk", nil).body, &out); err != nil {
		t.Fatal(err)
	}
	for _, job := range out.Jobs {
		ids = append(ids, job.ID)
	}
	return ids
}

// A job of a tenant that has as many as may run or wait is refused with 429, whether it is about a source
// or an archive, of which nothing stays; other tenants go on, and it is taken when a job has ended.
func TestTooManyJobs(t *testing.T) {
	begin, secrets, dir := tenantsOf(t, "jobs: 2", 3000) // enough that none ends meanwhile
	s, _ := begin()
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	w, err := z.Create("1.xml")
	if err == nil {
		_, err = w.Write(sample(t, "ubl-valid.xml"))
	}
	if err = errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	first, second := s.askAs(t, secrets["acme"], http.MethodPost, "/v1/bulk?source=all", nil), s.askAs(t, secrets["acme"], http.MethodPost, "/v1/bulk?source=all", nil)
	first.wants(t, http.StatusAccepted, "")
	second.wants(t, http.StatusAccepted, "")
	for range 3 {
		for _, send := range []func() *answer{
			func() *answer { return s.askAs(t, secrets["acme"], http.MethodPost, "/v1/bulk?source=all", nil) },
			func() *answer {
				return s.askAs(t, secrets["acme"], http.MethodPost, "/v1/bulk", archive.Bytes(), "Content-Type", "application/zip")
			},
			func() *answer {
				return s.askAs(t, secrets["acme"], http.MethodPost, "/v1/bulk", archive.Bytes(), "Content-Type", "application/zip", "Idempotency-Key", "k")
			},
		} {
			a := send()
			if a.wants(t, http.StatusTooManyRequests, "RATE-LIMITED"); a.Header.Get("Retry-After") != "10" {
				t.Errorf("asked to wait %q", a.Header.Get("Retry-After"))
			}
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "results", "uploads", "*")); len(left) > 0 {
		t.Errorf("of what was refused stays %v", left)
	}
	if got := jobsOf(t, s, secrets["acme"]); len(got) != 2 {
		t.Errorf("jobs are %v", got)
	}
	s.askAs(t, secrets["beta"], http.MethodPost, "/v1/bulk?source=all", nil).wants(t, http.StatusAccepted, "")
	s.askAs(t, secrets["acme"], http.MethodDelete, "/v1/bulk/"+jobIn(t, first).ID, nil)
	eventually(t, "the next job is taken, by the key of a request that was refused", func() bool {
		a := s.askAs(t, secrets["acme"], http.MethodPost, "/v1/bulk", archive.Bytes(), "Content-Type", "application/zip", "Idempotency-Key", "k")
		return a.StatusCode == http.StatusAccepted
	})
}

// Jobs that go on after a restart count from its first request on.
func TestTooManyJobsAfterARestart(t *testing.T) {
	begin, secrets, _ := tenantsOf(t, "jobs: 2", 1500)
	s, stop := begin()
	var ids []string
	for range 2 {
		a := s.askAs(t, secrets["acme"], http.MethodPost, "/v1/bulk?source=all", nil)
		a.wants(t, http.StatusAccepted, "")
		ids = append(ids, jobIn(t, a).ID)
	}
	for range 3 {
		stop()
		s, stop = begin()
		a := s.askAs(t, secrets["acme"], http.MethodPost, "/v1/bulk?source=all", nil)
		if a.StatusCode == http.StatusTooManyRequests {
			continue
		}
		if !slices.ContainsFunc(ids, func(id string) bool {
			return jobIn(t, s.askAs(t, secrets["acme"], http.MethodGet, "/v1/bulk/"+id, nil)).State == "complete"
		}) {
			t.Errorf("a third job is answered with %d", a.StatusCode)
		}
		break
	}
	stop()
}

// A tenant whose key is revoked, or is not there at the start, is told of in the log.
func TestKeysOfTenantsThatAreNotThere(t *testing.T) {
	dir := t.TempDir()
	keyFile, tenantsFile := filepath.Join(dir, "keys"), filepath.Join(dir, "tenants.yaml")
	_, key, err := keys.Add(keyFile, "acme", keys.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(tenantsFile, fmt.Appendf(nil, "tenants: {acme: {keys: [%s, gone]}}\n", key.ID), 0o600); err != nil {
		t.Fatal(err)
	}
	s := start(t, func(c *server.Config) { c.KeysFile, c.Tenants = keyFile, tenantsFile })
	if log := s.log.String(); !strings.Contains(log, `"keys":["gone of tenant acme"]`) {
		t.Errorf("the log does not warn at the start: %s", log)
	}
	if err := keys.Revoke(keyFile, key.ID); err != nil {
		t.Fatal(err)
	}
	s.LookForChanges(t.Context()) // of the file of keys alone
	if log := s.log.String(); !strings.Contains(log, key.ID+` of tenant acme`) {
		t.Errorf("the log does not warn of the key that was revoked: %s", log)
	}
}
