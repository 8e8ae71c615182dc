package server_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"einvoice/server"
)

// archives are the same documents in each kind of archive.
func archives(t *testing.T, n int) map[string][]byte {
	t.Helper()
	var zipped, plain bytes.Buffer
	z, tarred := zip.NewWriter(&zipped), tar.NewWriter(&plain)
	for i := range n {
		data := sample(t, []string{"ubl-valid.xml", "cii-faulty.xml"}[i%2])
		data = append(data, fmt.Appendf(nil, "<!-- %d -->", i)...) // none is the same
		name := fmt.Sprintf("invoices/%04d.xml", i)
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := tarred.WriteHeader(&tar.Header{Name: name, Size: int64(len(data)), Mode: 0o600}); err != nil {
			t.Fatal(err)
		}
		if _, err := tarred.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := tarred.Close(); err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{
		"application/zip": zipped.Bytes(), "application/x-tar": plain.Bytes(),
		"application/gzip": compressed(t, "gzip", plain.Bytes()), "application/zstd": compressed(t, "zstd", plain.Bytes()),
	}
}

func (s *testServer) upload(t *testing.T, query, kind string, body []byte, headers ...string) *answer {
	t.Helper()
	return s.do(t, s.request(t, http.MethodPost, "/v1/bulk"+query, bytes.NewReader(body), append([]string{"Content-Type", kind}, headers...)...))
}

func (s *testServer) ended(t *testing.T, a *answer) bulkJob {
	t.Helper()
	a.wants(t, http.StatusAccepted, "")
	job := jobIn(t, a)
	eventually(t, "the job ends", func() bool {
		job = jobIn(t, s.get(t, "/v1/bulk/"+job.ID))
		return job.State != "working"
	})
	return job
}

// An archive is a batch for whoever has no access to the server's disk: sent, judged, and its
// results fetched, whole and by part, as lines and with the files that were made.
func TestArchiveOfARequest(t *testing.T) {
	results := t.TempDir()
	s := bulkServer(t, results, nil)
	const n = 300
	var first []byte
	for kind, archive := range archives(t, n) {
		job := s.ended(t, s.upload(t, "?operation=validate", kind, archive))
		if job.State != "complete" || job.Documents != n || job.Valid != n/2 || job.Invalid != n/2 {
			t.Fatalf("%s: %+v", kind, job)
		}
		a := s.get(t, "/v1/bulk/"+job.ID+"/results")
		a.wants(t, http.StatusOK, "")
		if a.Header.Get("Bulk-State") != "complete" || bytes.Count(a.body, []byte("\n")) != n || !bytes.Contains(a.body, []byte(`invoices/0007.xml`)) {
			t.Fatalf("%s: %v, %d lines, %.200s", kind, a.Header, bytes.Count(a.body, []byte("\n")), a.body)
		}
		if first == nil {
			first = a.body
		}
		if !bytes.Equal(first, a.body) {
			t.Errorf("%s has other results than other archives", kind)
		}
		var parts []byte
		for path := "/v1/bulk/" + job.ID + "/results?part=1"; path != ""; {
			part := s.get(t, path)
			part.wants(t, http.StatusOK, "")
			parts = append(parts, part.body...)
			target, _, _ := strings.Cut(strings.TrimPrefix(part.Header.Get("Link"), "<"), ">")
			path = target
		}
		if !bytes.Equal(parts, a.body) {
			t.Errorf("%s: the parts are not the whole", kind)
		}
		s.get(t, "/v1/bulk/"+job.ID+"/results?part=999").wants(t, http.StatusNotFound, "BULK-PART-MISSING")
		s.get(t, "/v1/bulk/"+job.ID+"/results?part=x").wants(t, http.StatusBadRequest, "QUERY-INVALID")
		eventually(t, "the archive is removed", func() bool {
			left, _ := filepath.Glob(filepath.Join(results, "uploads", "*"))
			return len(left) == 0
		})
	}
}

// Files that a job made come in a ZIP.
func TestResultsAsZIP(t *testing.T) {
	s := bulkServer(t, "", nil)
	job := s.ended(t, s.upload(t, "?operation=convert&to=cii", "application/zip", archives(t, 4)["application/zip"]))
	a := s.do(t, s.request(t, http.MethodGet, "/v1/bulk/"+job.ID+"/results", nil, "Accept", "application/zip"))
	z, err := zip.NewReader(bytes.NewReader(a.body), int64(len(a.body)))
	if err != nil || a.Header.Get("Content-Type") != "application/zip" {
		t.Fatal(err)
	}
	files := 0
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil || len(data) == 0 {
			t.Errorf("%s: %v", f.Name, err)
		}
		if strings.HasPrefix(f.Name, "files/") && bytes.Contains(data, []byte("CrossIndustryInvoice")) {
			files++
		}
	}
	if files != job.Valid || files == 0 || z.File[0].Name != "results.jsonl" {
		t.Errorf("%d files of %+v", files, job)
	}
}

// The same request with the same key begins one job, also where its answer was lost.
func TestIdempotencyKey(t *testing.T) {
	s := bulkServer(t, "", nil)
	archive := archives(t, 2)["application/zip"]
	first := jobIn(t, s.upload(t, "?operation=validate", "application/zip", archive, "Idempotency-Key", "a"))
	if again := jobIn(t, s.upload(t, "?operation=validate", "application/zip", archive, "Idempotency-Key", "a")); again.ID != first.ID || first.ID == "" {
		t.Errorf("%s and %s are two jobs", first.ID, again.ID)
	}
	if other := jobIn(t, s.upload(t, "?operation=validate", "application/zip", archive, "Idempotency-Key", "b")); other.ID == first.ID {
		t.Error("another key is the same job")
	}
	other := bytes.Clone(archive) // of the same length
	other[len(other)-1] ^= 1
	s.upload(t, "?operation=validate", "application/zip", other, "Idempotency-Key", "a").wants(t, http.StatusUnprocessableEntity, "IDEMPOTENCY-KEY-REUSED")
	s.upload(t, "?operation=parse", "application/zip", archive, "Idempotency-Key", "a").wants(t, http.StatusUnprocessableEntity, "IDEMPOTENCY-KEY-REUSED")
	s.upload(t, "", "application/zip", archive, "Idempotency-Key", strings.Repeat("a", 256)).wants(t, http.StatusBadRequest, "REQUEST-INVALID")
	begun := jobIn(t, s.bulkDo(t, http.MethodPost, "/v1/bulk?source=in", "Idempotency-Key", "c"))
	if again := jobIn(t, s.bulkDo(t, http.MethodPost, "/v1/bulk?source=in", "Idempotency-Key", "c")); again.ID != begun.ID {
		t.Error("a job over a source was begun twice")
	}
	eventually(t, "all jobs end", func() bool { return !strings.Contains(string(s.get(t, "/v1/bulk").body), `"working"`) })
}

// What is no archive, is too large, or becomes too large, is refused or ends in an error that
// names no folder of the server, and leaves nothing behind.
func TestHostileArchives(t *testing.T) {
	results := t.TempDir()
	s := start(t, func(c *server.Config) {
		c.BulkSources, c.BulkResults, c.BulkUpload = t.TempDir(), results, 256<<10
	})
	s.upload(t, "", "application/pdf", []byte("%PDF")).wants(t, http.StatusUnsupportedMediaType, "MEDIA-TYPE-UNSUPPORTED")
	s.upload(t, "", "application/zip", bytes.Repeat([]byte("x"), 256<<10+1)).wants(t, http.StatusRequestEntityTooLarge, "BODY-TOO-LARGE")
	s.upload(t, "?source=in", "application/zip", []byte("PK")).wants(t, http.StatusBadRequest, "QUERY-INVALID")
	s.upload(t, "?operation=nothing", "application/zip", []byte("PK")).wants(t, http.StatusBadRequest, "QUERY-INVALID")
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	tarred := tar.NewWriter(z)
	if err := tarred.WriteHeader(&tar.Header{Name: "a.xml", Size: 70 << 20, Mode: 0o600}); err != nil {
		t.Fatal(err)
	}
	if _, err := tarred.Write(make([]byte, 70<<20)); err != nil {
		t.Fatal(err)
	}
	if err := tarred.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	good := archives(t, 2)
	for name, body := range map[string][]byte{"application/gzip": bomb.Bytes(), "application/zip": good["application/zip"][:100], "application/zstd": []byte("not at all"), "application/x-tar": good["application/x-tar"][:700]} {
		job := s.ended(t, s.upload(t, "", name, body))
		if job.State != "failed" && job.Unreadable == 0 {
			t.Errorf("%s: %+v", name, job)
		}
		if strings.Contains(job.Error, results) || strings.Contains(job.Error, os.TempDir()) {
			t.Errorf("%s: the error names a folder of the server: %s", name, job.Error)
		}
	}
	eventually(t, "nothing is left", func() bool {
		left, _ := filepath.Glob(filepath.Join(results, "uploads", "*"))
		return len(left) == 0
	})
	off := start(t, func(c *server.Config) { c.BulkSources, c.BulkResults, c.BulkUpload = t.TempDir(), t.TempDir(), 0 })
	off.upload(t, "", "application/zip", good["application/zip"]).wants(t, http.StatusBadRequest, "REQUEST-INVALID")
}
