package server_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"einvoice/server"
	"einvoice/server/webhook"
)

// A small job of one key does not wait for the end of a large one of another that runs.
func TestSmallJobBesideLarge(t *testing.T) {
	s := bulkServer(t, t.TempDir(), nil)
	large := jobIn(t, s.upload(t, "?operation=render&to=pdf", "application/zip", archives(t, 600)["application/zip"]))
	small := s.ended(t, s.upload(t, "?operation=validate", "application/zip", archives(t, 4)["application/zip"]))
	if small.State != "complete" || small.Documents != 4 {
		t.Fatalf("got %+v", small)
	}
	if now := jobIn(t, s.get(t, "/v1/bulk/"+large.ID)); now.State != "working" {
		t.Errorf("the small job ended after the large one: %+v", now)
	}
	s.bulkDo(t, http.MethodDelete, "/v1/bulk/"+large.ID).wants(t, http.StatusAccepted, "")
}

// A program without Parquet says so, and gives the results of a job that makes no files as a ZIP.
func TestResultsWithoutParquet(t *testing.T) {
	plain := bulkServer(t, "", nil)
	job := plain.jobDone(t, "source=in")
	path := "/v1/bulk/" + job.ID + "/results"
	plain.do(t, plain.request(t, http.MethodGet, path, nil, "Accept", "application/vnd.apache.parquet")).wants(t, http.StatusNotAcceptable, "BULK-FORMAT-MISSING")
	a := plain.do(t, plain.request(t, http.MethodGet, path, nil, "Accept", "application/zip")) // of a job that makes no files
	z, err := zip.NewReader(bytes.NewReader(a.body), int64(len(a.body)))
	if err != nil || len(z.File) != 1 || z.File[0].Name != "results.jsonl" {
		t.Errorf("the ZIP of a job without files: %v", err)
	}
}

// Messages that were not taken before the last end are sent while the server is made.
func TestWebhooksAtTheStart(t *testing.T) {
	dir := t.TempDir()
	secret, results := filepath.Join(dir, "secret"), filepath.Join(dir, "out")
	if err := os.WriteFile(secret, []byte("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	nobody := httptest.NewServer(nil)
	nobody.Close() // nothing listens there
	for range 10 {
		before, err := webhook.New(filepath.Join(results, "webhooks"), []string{"127.0.0.1"}, secret, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		for i := range 10 {
			if err := errors.Join(before.Expect(strconv.Itoa(i), nobody.URL), before.Tell(strconv.Itoa(i), "end")); err != nil {
				t.Fatal(err)
			}
		}
		config := server.DefaultConfig()
		config.BulkResults, config.WebhookHosts, config.WebhookSecret = results, []string{"127.0.0.1"}, secret
		s, err := server.New(config, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
	}
}

// The ends of jobs are told where the operator lets them be told, and nowhere else.
func TestBulkWebhook(t *testing.T) {
	told := make(chan []byte, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		if r.Header.Get("webhook-signature") == "" {
			t.Error("not signed")
		}
		told <- data
	}))
	defer receiver.Close()
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret")
	if err := os.WriteFile(secret, []byte("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "in"), 0o700); err != nil {
		t.Fatal(err)
	}
	s := start(t, func(c *server.Config) {
		c.BulkSources, c.BulkResults = filepath.Join(dir, "in"), filepath.Join(dir, "out")
		c.WebhookHosts, c.WebhookSecret = []string{"127.0.0.1"}, secret
	})
	for _, c := range []struct{ kind, end string }{{"application/zip", "bulk.complete"}, {"application/zstd", "bulk.failed"}} {
		body := archives(t, 2)["application/zip"]
		if c.end == "bulk.failed" {
			body = []byte("not at all")
		}
		job := s.ended(t, s.upload(t, "?webhook="+receiver.URL+"/jobs", c.kind, body))
		var end struct {
			Type string
			Data bulkJob
		}
		if err := json.Unmarshal(<-told, &end); err != nil || end.Type != c.end || end.Data != job {
			t.Errorf("told is %+v, the job is %+v", end, job)
		}
		eventually(t, "it is noted", func() bool {
			return strings.Contains(string(s.get(t, "/v1/bulk/"+job.ID).body), `"webhook":{"state":"delivered","attempts":1}`)
		})
	}
	s.upload(t, "?webhook=http://127.0.0.2/", "application/zip", []byte("PK")).wants(t, http.StatusBadRequest, "QUERY-INVALID")
	off := bulkServer(t, "", nil)
	off.bulkDo(t, http.MethodPost, "/v1/bulk?source=in&webhook=https://erp.example/").wants(t, http.StatusBadRequest, "QUERY-INVALID")
}
