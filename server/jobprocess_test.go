package server_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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
	results := func(process func() *exec.Cmd, query string) map[string]string {
		t.Helper()
		folder, all := t.TempDir(), sources(t, documents)
		s := start(t, func(c *server.Config) {
			c.BulkSources, c.BulkResults, c.BulkJobs, c.Process = all, folder, 2, process
			c.RequestTimeout = time.Second // of which a job has six
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
		here, elsewhere := results(nil, query), results(process, query)
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
	found := results(func() *exec.Cmd { return processThat("poisoned") }, "source=in")
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
	config := server.DefaultConfig()
	config.NoAuth, config.BulkResults = true, t.TempDir()
	config.BulkSources = sources(t, map[string]string{"a.xml": string(sample(t, "ubl-valid.xml")), "hangs.xml": poisonedBy(t, poisonHangs)})
	config.ShutdownTimeout = 5 * time.Second
	var begun []*exec.Cmd
	serve := func(process func() *exec.Cmd) (url string, stop func() time.Duration) {
		t.Helper()
		config.Process = process
		s, err := server.New(config, slog.New(slog.NewJSONHandler(io.Discard, nil)))
		if err != nil {
			t.Fatal(err)
		}
		listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		stopped := make(chan error, 1)
		go func() { stopped <- s.Serve(ctx, listener) }()
		return "http://" + listener.Addr().String(), func() time.Duration {
			began := time.Now()
			cancel()
			select {
			case err := <-stopped:
				if err != nil {
					t.Error(err)
				}
			case <-time.After(hang):
				t.Fatal("the service does not stop")
			}
			return time.Since(began)
		}
	}
	url, stop := serve(func() *exec.Cmd {
		cmd := processThat("poisoned")
		begun = append(begun, cmd)
		return cmd
	})
	res, err := http.Post(url+"/v1/bulk?source=in", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	var job bulkJob
	if err := json.NewDecoder(res.Body).Decode(&job); err != nil || job.ID == "" {
		t.Fatalf("%d, %v", res.StatusCode, err)
	}
	res.Body.Close()
	eventually(t, "the job works", func() bool { return len(begun) > 0 })
	time.Sleep(500 * time.Millisecond) // so that it has most likely begun with the one that hangs
	if took := stop(); took > config.ShutdownTimeout {
		t.Errorf("the service took %s to stop", took)
	}
	url, stop = serve(process)
	defer stop()
	eventually(t, "the job is complete", func() bool {
		res, err := http.Get(url + "/v1/bulk/" + job.ID)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		if err := json.NewDecoder(res.Body).Decode(&job); err != nil {
			t.Fatal(err)
		}
		return job.State == "complete"
	})
	if job.Valid != 2 {
		t.Errorf("got %+v", job)
	}
}
