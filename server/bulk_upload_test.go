package server_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"einvoice/server"
	"einvoice/server/encoding"
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
		for name := range strings.SplitSeq(encoding.Known(), ", ") {
			packed := s.do(t, s.request(t, http.MethodGet, "/v1/bulk/"+job.ID+"/results", nil, "Accept-Encoding", name))
			open, _ := encoding.Reader(packed.Header.Get("Content-Encoding"), bytes.NewReader(packed.body))
			r, err := open()
			if err != nil {
				t.Fatal(err)
			}
			if whole, err := io.ReadAll(r); err != nil || !bytes.Equal(whole, a.body) || packed.Header.Get("Content-Encoding") != name || len(packed.body)*5 > len(whole) {
				t.Errorf("%s: %d bytes as %q, %v", name, len(packed.body), packed.Header.Get("Content-Encoding"), err)
			}
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

// archiveForm is a form of parts, a name and its data each, and its media type.
func archiveForm(t *testing.T, parts ...string) (kind string, body []byte) {
	t.Helper()
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		w, err := form.CreateFormFile(parts[i], parts[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(parts[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := form.Close(); err != nil {
		t.Fatal(err)
	}
	return form.FormDataContentType(), b.Bytes()
}

// An archive may also be a part of a form, as other documents are, or of no type that says what
// it is, and either may be compressed as a whole.
func TestWaysOfAnArchive(t *testing.T) {
	results := t.TempDir()
	s := bulkServer(t, results, nil)
	const n = 4
	for kind, archive := range archives(t, n) {
		form, formed := archiveForm(t, "file", string(archive))
		for _, way := range []struct {
			kind string
			body []byte
		}{{"application/octet-stream", archive}, {form, formed}} {
			for _, coding := range []string{"", "gzip", "br", "zstd"} {
				body, headers := way.body, []string(nil)
				if coding != "" {
					if kind != "application/x-tar" {
						continue // no smaller for it
					}
					body, headers = compressed(t, coding, body), []string{"Content-Encoding", coding}
				}
				if job := s.ended(t, s.upload(t, "", way.kind, body, headers...)); job.State != "complete" || job.Documents != n || job.Valid != n/2 {
					t.Errorf("%s as %s, encoding %q: %+v", kind, way.kind, coding, job)
				}
			}
		}
	}
	zipped := string(archives(t, n)["application/zip"])
	empty, none := archiveForm(t)
	if job := s.ended(t, s.upload(t, "?source=in", empty, none)); job.State != "complete" {
		t.Errorf("an empty form and a source: %+v", job)
	}
	empty, none = archiveForm(t, "file", "")
	if job := s.ended(t, s.upload(t, "?source=in", empty, none)); job.State != "complete" {
		t.Errorf("an empty file and a source: %+v", job)
	}
	for name, c := range map[string]struct {
		query, code string
		parts       []string
	}{
		"nothing":             {"", "QUERY-INVALID", nil},
		"a source besides":    {"?source=in", "QUERY-INVALID", []string{"file", zipped}},
		"no archive":          {"", "MEDIA-TYPE-UNSUPPORTED", []string{"file", "<Invoice/>"}},
		"no bytes":            {"", "QUERY-INVALID", []string{"file", ""}},
		"no bytes and more":   {"?source=in", "REQUEST-INVALID", []string{"file", "", "operation", "validate"}},
		"another name":        {"", "REQUEST-INVALID", []string{"archive", zipped}},
		"another part":        {"", "REQUEST-INVALID", []string{"file", zipped, "operation", "convert"}},
		"two archives":        {"", "REQUEST-INVALID", []string{"file", zipped, "file", zipped}},
		"an option before it": {"", "REQUEST-INVALID", []string{"operation", "convert", "file", zipped}},
	} {
		kind, body := archiveForm(t, c.parts...)
		var p server.Problem
		if s.upload(t, c.query, kind, body).decode(t, &p); p.ErrorCode != c.code {
			t.Errorf("%s: %+v", name, p)
		}
	}
	kind, body := archiveForm(t, "file", zipped)
	s.upload(t, "", kind, body[:len(body)-20]).wants(t, http.StatusBadRequest, "MULTIPART-MALFORMED")
	s.upload(t, "", "multipart/form-data", body).wants(t, http.StatusBadRequest, "MULTIPART-MALFORMED")
	s.upload(t, "", kind, body, "Content-Encoding", "snappy").wants(t, http.StatusUnsupportedMediaType, "CONTENT-ENCODING-UNSUPPORTED")
	s.upload(t, "", kind, body, "Content-Encoding", "gzip").wants(t, http.StatusUnsupportedMediaType, "CONTENT-ENCODING-UNSUPPORTED")
	first := jobIn(t, s.upload(t, "", kind, body, "Idempotency-Key", "form"))
	kind, body = archiveForm(t, "file", zipped) // the boundary is another one
	if again := jobIn(t, s.upload(t, "", kind, body, "Idempotency-Key", "form")); again.ID != first.ID || first.ID == "" {
		t.Errorf("%s and %s are two jobs", first.ID, again.ID)
	}
	eventually(t, "nothing is left", func() bool {
		left, _ := filepath.Glob(filepath.Join(results, "uploads", "*"))
		return len(left) == 0
	})
}

// The rules, the day and the language of a job are those that it asks for.
func TestValidationOfAJob(t *testing.T) {
	s := bulkServer(t, "", nil)
	archive := archives(t, 2)["application/zip"]
	for _, query := range []string{"?language=de", "?at=2020-01-01", "?overlay="} {
		job := s.ended(t, s.upload(t, query, "application/zip", archive))
		_, line, _ := strings.Cut(string(s.get(t, "/v1/bulk/"+job.ID+"/results").body), "\n")
		one := s.send(t, "/v1/validate/cii"+query, "application/xml", string(sample(t, "cii-faulty.xml")))
		var of struct {
			Findings json.RawMessage
			Language string
			Report   struct{ Language string }
		}
		if one.decode(t, &of); of.Findings == nil || !strings.Contains(line, `"findings":`+string(of.Findings)) || !strings.Contains(line, `"language":"`+of.Report.Language+`"`) {
			t.Errorf("%s: a request says\n%s\na job\n%s", query, one.body, line)
		}
	}
	for query, code := range map[string]string{"?language=xx": "OPTION-INVALID", "?at=soon": "OPTION-INVALID", "?overlay=nope": "OPTION-INVALID", "?operation=convert&to=cii&overlay=": "QUERY-INVALID"} {
		s.upload(t, query, "application/zip", archive).wants(t, http.StatusBadRequest, code)
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
		if f.Modified.Month() != time.January || f.Modified.Day() != 1 {
			t.Errorf("%s is of %s, and has no date", f.Name, f.Modified)
		}
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

// nothingIn is a ZIP without a document.
func nothingIn(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	if _, err := z.Create("inner.zip"); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// What is not an archive, is too large, or becomes too large, is refused or ends in an error that
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
	before := map[string]bulkJob{}
	for query, body := range map[string][]byte{"": nothingIn(t), "?deadline=2020-01-01T00:00:00Z": good["application/zip"]} {
		job := s.ended(t, s.upload(t, query, "application/zip", body))
		before[job.ID] = job
	}
	for name, body := range map[string][]byte{"application/gzip": bomb.Bytes(), "application/zip": good["application/zip"][:100], "application/zstd": []byte("not at all"), "application/x-tar": good["application/x-tar"][:700]} {
		job := s.ended(t, s.upload(t, "", name, body))
		if job.State != "failed" && job.Unreadable == 0 {
			t.Errorf("%s: %+v", name, job)
		}
		before[job.ID] = job
		if strings.Contains(job.Error, results) || strings.Contains(job.Error, os.TempDir()) {
			t.Errorf("%s: the error names a folder of the server: %s", name, job.Error)
		}
	}
	s.upload(t, "", "application/zip", compressed(t, "zstd", bytes.Repeat([]byte("x"), 10<<20)), "Content-Encoding", "zstd").wants(t, http.StatusRequestEntityTooLarge, "BODY-TOO-LARGE")
	for _, size := range []int{256<<10 + 1, 300 << 10} { // in a form, which may have bytes of its own
		kind, body := archiveForm(t, "file", "PK\x03\x04"+strings.Repeat("x", size-4))
		s.upload(t, "", kind, body).wants(t, http.StatusRequestEntityTooLarge, "BODY-TOO-LARGE")
	}
	eventually(t, "nothing is left", func() bool {
		left, _ := filepath.Glob(filepath.Join(results, "uploads", "*"))
		return len(left) == 0
	})
	// The next server says of each what this one said.
	after, _ := serve(t, func(c *server.Config) { c.NoAuth, c.BulkResults = true, results })
	for id, was := range before {
		eventually(t, "a job says what became of it: "+was.Error, func() bool {
			now := jobIn(t, after.get(t, "/v1/bulk/"+id))
			return now.State == was.State && now.Error == was.Error
		})
	}
	only := start(t, func(c *server.Config) { c.BulkResults = t.TempDir() }) // no sources of its own
	if job := only.ended(t, only.upload(t, "", "application/zip", good["application/zip"])); job.State != "complete" {
		t.Errorf("without a folder of sources: %+v", job)
	}
	only.bulkDo(t, http.MethodPost, "/v1/bulk?source=in").wants(t, http.StatusBadRequest, "QUERY-INVALID")
	only.get(t, "/v1/bulk").wants(t, http.StatusOK, "")
	off := start(t, func(c *server.Config) { c.BulkSources, c.BulkResults, c.BulkUpload = t.TempDir(), t.TempDir(), 0 })
	off.upload(t, "", "application/zip", good["application/zip"]).wants(t, http.StatusBadRequest, "REQUEST-INVALID")
	kind, body := archiveForm(t, "file", "PK\x03\x04")
	off.upload(t, "", kind, body).wants(t, http.StatusBadRequest, "REQUEST-INVALID")
	kind, body = archiveForm(t)
	off.upload(t, "?source=in", kind, body).wants(t, http.StatusBadRequest, "QUERY-INVALID") // there is no such source
}
