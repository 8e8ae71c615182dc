package server_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"einvoice/server"
)

// bulkServer serves jobs over a folder with two invoices and what is beside it.
func bulkServer(t *testing.T, results string) *testServer {
	t.Helper()
	dir := t.TempDir()
	for name, sample := range map[string]string{"in/valid.xml": "ubl-valid.xml", "in/faulty.xml": "cii-faulty.xml"} {
		data, err := os.ReadFile(filepath.Join("..", "cmd", "einvoice", "samples", sample))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "sources", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	secret := filepath.Join(dir, "secret.xml")
	if err := os.WriteFile(secret, []byte("<secret/>"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(dir, "sources", "in", "link.xml")); err != nil {
		t.Fatal(err)
	}
	if results == "" {
		results = filepath.Join(dir, "results")
	}
	return start(t, func(c *server.Config) { c.BulkSources, c.BulkResults = filepath.Join(dir, "sources"), results })
}

type bulkJob struct {
	ID, State, Error                           string
	All, Documents, Valid, Invalid, Unreadable int
}

func jobIn(t *testing.T, a *answer) (job bulkJob) {
	t.Helper()
	if err := json.Unmarshal(a.body, &job); err != nil {
		t.Fatalf("%v: %s", err, a.body)
	}
	return job
}

// A job is begun, watched, reported, and its results are in the folder of its id.
func TestBulkJob(t *testing.T) {
	results := t.TempDir()
	s := bulkServer(t, results)
	a := s.bulkDo(t, http.MethodPost, "/v1/bulk?source=in")
	a.wants(t, http.StatusAccepted, "")
	job := jobIn(t, a)
	if a.Header.Get("Location") != "/v1/bulk/"+job.ID {
		t.Errorf("Location is %s", a.Header.Get("Location"))
	}
	for n := 0; job.State == "working" && n < 3000; n++ {
		time.Sleep(10 * time.Millisecond)
		job = jobIn(t, s.get(t, "/v1/bulk/"+job.ID))
	}
	if job.State != "complete" || job.All != 3 || job.Valid != 1 || job.Invalid != 1 || job.Unreadable != 1 {
		t.Fatalf("got %+v", job)
	}
	lines, err := os.ReadFile(filepath.Join(results, job.ID, "results", "0000", "0000001.jsonl"))
	if err != nil || strings.Count(string(lines), "\n") != 3 || strings.Contains(string(lines), "FORMAT-UNKNOWN") {
		t.Errorf("a link out of the source was followed, or there are other results: %v %s", err, lines)
	}
	report := s.get(t, "/v1/bulk/"+job.ID+"/report")
	report.wants(t, http.StatusOK, "")
	if !strings.Contains(string(report.body), `"BR-21":{"level":"fatal"`) {
		t.Errorf("got %s", report.body)
	}
	page := s.bulkDo(t, http.MethodGet, "/v1/bulk/"+job.ID+"/report", "Accept", "text/html")
	if page.Header.Get("Content-Type") != "text/html; charset=utf-8" || !strings.Contains(string(page.body), "BR-21") {
		t.Errorf("got %.200s", page.body)
	}
	var list struct {
		Jobs    []bulkJob
		Omitted int
		Sources []string
	}
	listed := s.get(t, "/v1/bulk")
	if err := json.Unmarshal(listed.body, &list); err != nil {
		t.Fatal(err)
	}
	if len(list.Jobs) != 1 || list.Jobs[0] != job || list.Omitted != 0 || len(list.Sources) != 1 || list.Sources[0] != "in" {
		t.Errorf("listed is %s", listed.body)
	}
	cancelled := s.bulkDo(t, http.MethodDelete, "/v1/bulk/"+job.ID)
	cancelled.wants(t, http.StatusAccepted, "")
	if job := jobIn(t, cancelled); job.State != "complete" {
		t.Errorf("a complete job was cancelled: %+v", job)
	}
}

// Requests that name no source, job or operation, or too much, are refused.
func TestBulkRefusals(t *testing.T) {
	s := bulkServer(t, "")
	for _, test := range []struct{ method, path, code string }{
		{http.MethodPost, "/v1/bulk", "QUERY-INVALID"},
		{http.MethodPost, "/v1/bulk?source=..", "QUERY-INVALID"},
		{http.MethodPost, "/v1/bulk?source=in%2F..%2Fin", "QUERY-INVALID"},
		{http.MethodPost, "/v1/bulk?source=in&source=in", "QUERY-INVALID"},
		{http.MethodPost, "/v1/bulk?source=in&operation=parse", "QUERY-INVALID"},
		{http.MethodPost, "/v1/bulk?source=in&operation=convert&to=pdf", "QUERY-INVALID"},
		{http.MethodPost, "/v1/bulk?source=in&to=cii", "QUERY-INVALID"},
		{http.MethodPost, "/v1/bulk?source=in&profile=none", "QUERY-INVALID"},
		{http.MethodPost, "/v1/bulk?source=in&operation=convert&to=cii&profile=en16931", "QUERY-INVALID"},
		{http.MethodPost, "/v1/bulk?source=in&jobs=9", "QUERY-INVALID"},
		{http.MethodGet, "/v1/bulk?source=in", "QUERY-INVALID"},
		{http.MethodGet, "/v1/bulk/none", "BULK-JOB-UNKNOWN"},
		{http.MethodGet, "/v1/bulk/..%2F..", "ROUTE-UNKNOWN"},
		{http.MethodDelete, "/v1/bulk/" + strings.Repeat("a", 26), "BULK-JOB-UNKNOWN"},
	} {
		a := s.bulkDo(t, test.method, test.path)
		if !strings.Contains(string(a.body), `"errorCode":"`+test.code+`"`) {
			t.Errorf("%s %s: %s", test.method, test.path, a.body)
		}
	}
	off := shared().bulkDo(t, http.MethodPost, "/v1/bulk?source=in")
	off.wants(t, http.StatusNotFound, "BULK-NOT-SERVED")
}

func (s *testServer) bulkDo(t *testing.T, method, path string, header ...string) *answer {
	t.Helper()
	return s.do(t, s.request(t, method, path, nil, header...))
}
