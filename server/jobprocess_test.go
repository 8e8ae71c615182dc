package server_test

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"einvoice/server"
)

// sources is a folder of sources with one of documents.
func sources(t *testing.T, documents map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "in"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, data := range documents {
		if err := os.WriteFile(filepath.Join(dir, "in", name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// poisonedBy is a valid invoice with a word in a comment.
func poisonedBy(t *testing.T, word string) string {
	return strings.Replace(string(sample(t, "ubl-valid.xml")), "<cbc:ID>", "<!--"+word+"--><cbc:ID>", 1)
}

// Documents of jobs are done in processes: one that outlives its time twice, and one whose process
// ends, are told with a word, and all others have the results that they have without processes.
func TestJobsInProcesses(t *testing.T) {
	documents := map[string]string{"a.xml": string(sample(t, "ubl-valid.xml")), "b.xml": string(sample(t, "cii-faulty.xml")), "c.xml": "<a/>"}
	results := func(process func() *exec.Cmd, query string, within time.Duration) map[string]string {
		t.Helper()
		folder, all := t.TempDir(), sources(t, documents)
		s := start(t, func(c *server.Config) {
			c.BulkSources, c.BulkResults, c.BulkJobs, c.Process = all, folder, 2, process
			c.RequestTimeout = within // of which a job has six
		})
		job := s.jobDone(t, query)
		if job.State != "complete" {
			t.Fatalf("got %+v", job)
		}
		if s.Buffered() != 0 {
			t.Errorf("%d bytes are kept", s.Buffered())
		}
		found := map[string]string{}
		_ = filepath.WalkDir(filepath.Join(folder, job.ID), func(path string, d os.DirEntry, err error) error {
			name, _ := filepath.Rel(filepath.Join(folder, job.ID), path)
			if err == nil && !d.IsDir() && (strings.HasPrefix(name, "results") && strings.HasSuffix(name, "1.jsonl") || strings.HasPrefix(name, "files")) {
				data, err := os.ReadFile(path)
				if err != nil {
					t.Error(err)
				}
				found[name] = strings.ReplaceAll(string(data), all, "")
			}
			return nil
		})
		report := s.get(t, "/v1/bulk/"+job.ID+"/report")
		var told struct {
			GivenUp []struct{ Key, Reason string }
		}
		if err := json.Unmarshal(report.body, &told); err != nil {
			t.Fatal(err)
		}
		for _, g := range told.GivenUp {
			found["given up "+filepath.Base(g.Key)] = g.Reason
		}
		return found
	}
	for _, query := range []string{"source=in", "source=in&operation=render&to=svg", "source=in&operation=convert&to=ubl"} {
		here, elsewhere := results(nil, query, time.Second), results(process, query, time.Second)
		if len(here) == 0 || len(here) != len(elsewhere) {
			t.Errorf("%s: %d files here, %d elsewhere", query, len(here), len(elsewhere))
		}
		for name, data := range here {
			if elsewhere[name] != data {
				t.Errorf("%s: %s is\n%.300s\nhere, and elsewhere\n%.300s", query, name, data, elsewhere[name])
			}
		}
	}
	documents["hangs.xml"], documents["ends.xml"] = poisonedBy(t, poisonHangs), poisonedBy(t, poisonEnds)
	found := results(func() *exec.Cmd { return processThat("poisoned") }, "source=in", slowdown*300*time.Millisecond) // what hangs is waited for, twice
	if reason := found["given up hangs.xml"]; !strings.Contains(reason, "2 times") {
		t.Errorf("given up are %v", found)
	}
	lines := ""
	for name, data := range found {
		if strings.HasPrefix(name, "results") {
			lines += data
		}
	}
	if n := strings.Count(lines, "\n"); n != len(documents) || !strings.Contains(lines, "the program failed on this document") {
		t.Errorf("the results are %s", lines)
	}
}

// A job whose document hangs keeps no service from stopping, and goes on after the next start.
func TestStopsWhileAJobHangs(t *testing.T) {
	results, in := t.TempDir(), sources(t, map[string]string{"a.xml": string(sample(t, "ubl-valid.xml")), "hangs.xml": poisonedBy(t, poisonHangs)})
	var begun atomic.Int32
	with := func(process func() *exec.Cmd) (s *testServer, stop func()) {
		return serve(t, func(c *server.Config) {
			c.NoAuth, c.BulkResults, c.BulkSources, c.ShutdownTimeout, c.Process = true, results, in, 5*time.Second, process
		})
	}
	s, stop := with(func() *exec.Cmd {
		begun.Add(1)
		return processThat("poisoned")
	})
	var job bulkJob
	s.do(t, s.request(t, http.MethodPost, "/v1/bulk?source=in", nil)).decode(t, &job)
	eventually(t, "the job works", func() bool { return begun.Load() > 0 })
	time.Sleep(500 * time.Millisecond) // so that it has most likely begun with the one that hangs
	stop()
	s, _ = with(process)
	eventually(t, "the job is complete", func() bool {
		s.get(t, "/v1/bulk/"+job.ID).decode(t, &job)
		return job.State == "complete"
	})
	if job.Valid != 2 {
		t.Errorf("got %+v", job)
	}
}
