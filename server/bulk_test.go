package server_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"einvoice/engine"
	"einvoice/server"
	"einvoice/service/bulk"
	"einvoice/service/catalogue"
	"einvoice/service/workbench"
)

// bulkServer serves jobs over a folder with two invoices and what is beside it, and archives.
func bulkServer(t *testing.T, results string, archives map[string][]byte) *testServer {
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
	for name, data := range archives {
		if err := os.WriteFile(filepath.Join(dir, "sources", name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if results == "" {
		results = filepath.Join(dir, "results")
	}
	return start(t, func(c *server.Config) { c.BulkSources, c.BulkResults = filepath.Join(dir, "sources"), results })
}

// Jobs judge by the overlays of the setting, as single validations do that choose none.
func TestBulkJobHasUsualOverlays(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"rules/overlays/trial.yaml": published, "sources/in/a.xml": string(workbench.Sample),
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := start(t, func(c *server.Config) {
		c.RulesetsDir, c.Overlays, c.BulkSources, c.BulkResults = filepath.Join(dir, "rules"), []string{"trial"}, filepath.Join(dir, "sources"), filepath.Join(dir, "results")
	})
	job := jobIn(t, s.bulkDo(t, http.MethodPost, "/v1/bulk?source=in"))
	eventually(t, "the job ends", func() bool {
		job = jobIn(t, s.get(t, "/v1/bulk/"+job.ID))
		return job.State != "working"
	})
	if report := s.get(t, "/v1/bulk/"+job.ID+"/report"); !strings.Contains(string(report.body), `"BR-CL-23":{"level":"warning"`) {
		t.Errorf("%+v: %s", job, report.body)
	}
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
	s := bulkServer(t, results, nil)
	job := s.jobDone(t, "source=in")
	if job.State != "complete" || job.All != 3 || job.Valid != 1 || job.Invalid != 1 || job.Unreadable != 1 {
		t.Fatalf("got %+v", job)
	}
	lines, err := os.ReadFile(filepath.Join(results, job.ID, "results", "0000", "0000001.jsonl"))
	if err != nil || strings.Count(string(lines), "\n") != 3 || strings.Contains(string(lines), "FORMAT-UNKNOWN") {
		t.Errorf("a link out of the source was followed, or there are other results: %v %s", err, lines)
	}
	if strings.Count(string(lines), `{"file":"`) != 3 || strings.Contains(string(lines), `"file":"/`) {
		t.Errorf("results name files otherwise than from the source on: %s", lines)
	}
	report := s.get(t, "/v1/bulk/"+job.ID+"/report")
	report.wants(t, http.StatusOK, "")
	if strings.Contains(string(report.body), "/sources/in") {
		t.Errorf("the report has a path of the server: %s", report.body)
	}
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

// jobDone begins a job and waits for its end.
func (s *testServer) jobDone(t *testing.T, query string) bulkJob {
	t.Helper()
	a := s.bulkDo(t, http.MethodPost, "/v1/bulk?"+query)
	a.wants(t, http.StatusAccepted, "")
	job := jobIn(t, a)
	if a.Header.Get("Location") != "/v1/bulk/"+job.ID {
		t.Errorf("Location is %s", a.Header.Get("Location"))
	}
	eventually(t, "the job ends", func() bool {
		job = jobIn(t, s.get(t, "/v1/bulk/"+job.ID))
		return job.State != "working"
	})
	return job
}

// Every operation is done over HTTP, with its options.
func TestBulkOperations(t *testing.T) {
	results := t.TempDir()
	s := bulkServer(t, results, nil)
	for _, c := range []struct {
		query                      string
		valid, invalid, unreadable int
		line                       string // in the results
	}{
		{"operation=impact&old=en16931&new=xrechnung", 0, 2, 1, `"before":"en16931/1.3.16","after":"xrechnung/3.0","validBefore":true,"validAfter":false,"gone":[],"new":[{"rule":"BR-DE-`},
		{"operation=impact&old=en16931&between=2026-01-01,2027-01-01", 2, 0, 1, `"changes":[]`},
		{"operation=convert&to=cii&strict=true", 2, 0, 1, `"made":"files/`},
		{"operation=transform&to=zugferd&profile=basic&language=de&look=din5008&date=2026-11-02", 1, 1, 1, `-valid.pdf"`},
		{"operation=transform&to=xrechnung&buyerReference=04011000-1234512345-06", 1, 1, 1, `"valid":true`},
		{"operation=extract&to=json", 2, 0, 1, `-valid.json"`},
		{"operation=parse&details=true", 0, 0, 3, `"error":{"code":"`},
		{"operation=render&to=svg&language=fr&look=general", 2, 0, 1, `-faulty.svg"`},
	} {
		job := s.jobDone(t, "source=in&"+c.query)
		lines, err := os.ReadFile(filepath.Join(results, job.ID, "results", "0000", "0000001.jsonl"))
		if err != nil || job.State != "complete" || job.Valid != c.valid || job.Invalid != c.invalid || job.Unreadable != c.unreadable || !strings.Contains(string(lines), c.line) {
			t.Errorf("%s: %+v %v\n%s", c.query, job, err, lines)
		}
	}
}

// Archives of all kinds are sources; one that cannot be read is told as the job's error.
func TestBulkArchives(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "cmd", "einvoice", "samples", "ubl-valid.xml"))
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	gz := gzip.NewWriter(&packed)
	w := tar.NewWriter(gz)
	if err := w.WriteHeader(&tar.Header{Name: "../a.xml", Mode: 0o600, Size: int64(len(data))}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Close(), gz.Close()); err != nil {
		t.Fatal(err)
	}
	s := bulkServer(t, "", map[string][]byte{"a.tar.gz": packed.Bytes(), "b.tar.gz": []byte("no archive")})
	if job := s.jobDone(t, "source=a.tar.gz"); job.State != "complete" || job.Valid != 1 {
		t.Errorf("got %+v", job)
	}
	if job := s.jobDone(t, "source=b.tar.gz"); job.State != "failed" || !strings.Contains(job.Error, "cannot be read") {
		t.Errorf("got %+v", job)
	}
}

// Requests that name no source, job or operation, or too much, are refused.
func TestBulkRefusals(t *testing.T) {
	s := bulkServer(t, "", nil)
	for _, test := range []struct{ method, path, code string }{
		{http.MethodPost, "/v1/bulk", "QUERY-INVALID"},
		{http.MethodPost, "/v1/bulk?source=..", "QUERY-INVALID"},
		{http.MethodPost, "/v1/bulk?source=in%2F..%2Fin", "QUERY-INVALID"},
		{http.MethodPost, "/v1/bulk?source=in&source=in", "QUERY-INVALID"},
		{http.MethodPost, "/v1/bulk?source=in&operation=create", "QUERY-INVALID"},
		{http.MethodPost, "/v1/bulk?source=in&operation=parse&to=pdf", "QUERY-INVALID"},
		{http.MethodPost, "/v1/bulk?source=in&operation=parse&details=yes", "OPTION-INVALID"},
		{http.MethodPost, "/v1/bulk?source=in&operation=transform", "QUERY-INVALID"},
		{http.MethodPost, "/v1/bulk?source=in&operation=transform&to=zugferd&profile=none", "QUERY-INVALID"},
		{http.MethodPost, "/v1/bulk?source=in&operation=transform&to=zugferd&date=tomorrow", "OPTION-INVALID"},
		{http.MethodPost, "/v1/bulk?source=in&operation=render&to=pdf&language=xx", "QUERY-INVALID"},
		{http.MethodPost, "/v1/bulk?source=in&operation=render&to=pdf&look=none", "QUERY-INVALID"},
		{http.MethodPost, "/v1/bulk?source=in&operation=impact", "QUERY-INVALID"},
		{http.MethodPost, "/v1/bulk?source=in&operation=impact&old=en16931", "QUERY-INVALID"},
		{http.MethodPost, "/v1/bulk?source=in&operation=impact&old=en16931&new=none", "QUERY-INVALID"},
		{http.MethodPost, "/v1/bulk?source=in&operation=impact&old=en16931&new=xrechnung&between=2026-01-01,2027-01-01", "QUERY-INVALID"},
		{http.MethodPost, "/v1/bulk?source=in&operation=impact&old=en16931&between=2026-01-01", "QUERY-INVALID"},
		{http.MethodPost, "/v1/bulk?source=in&operation=impact&old=en16931&between=2026-01-01,soon", "QUERY-INVALID"},
		{http.MethodPost, "/v1/bulk?source=in&operation=transform&to=xrechnung&buyerReference=" + strings.Repeat("a", 1001), "QUERY-INVALID"},
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

// Whatever is wrong with the options of a job is told in sentences, and in one language.
func TestBulkRefusalsInOneLanguage(t *testing.T) {
	s := bulkServer(t, "", nil)
	var queries []string
	for _, operation := range bulk.Operations() {
		for _, to := range append([]string{"", "docx"}, catalogue.ToCreate()...) {
			for _, more := range []string{"", "&profile=none", "&profile=minimum", "&profile=peppol-bis-billing-3", "&language=xx", "&look=none", "&batch=none", "&batch=en16931", "&overlay=none"} {
				queries = append(queries, operation+"&to="+to+more, operation+more)
			}
		}
	}
	english := regexp.MustCompile(`\b(and|or|use|name|one of|there|the|makes)\b`)
	for _, query := range queries {
		for _, language := range []string{"en", "de", "fr"} {
			a := s.bulkDo(t, http.MethodPost, "/v1/bulk?source=none&operation="+query, "Accept-Language", language)
			var told struct{ Detail string }
			a.decode(t, &told)
			bare := regexp.MustCompile(`"[^"]*"`).ReplaceAllString(told.Detail, "")
			if strings.Contains(bare, "; .") || strings.Contains(bare, "..") || regexp.MustCompile(`\[[A-Z-]+\]`).MatchString(bare) || language != "en" && english.MatchString(bare) {
				t.Errorf("%s in %s: %s", query, language, told.Detail)
			}
			if first, _ := utf8.DecodeRuneInString(told.Detail); unicode.IsLower(first) && !slices.Contains(catalogue.ToCreate(), strings.Fields(told.Detail)[0]) {
				t.Errorf("%s in %s begins like the middle of a sentence: %s", query, language, told.Detail)
			}
		}
	}
}

func (s *testServer) bulkDo(t *testing.T, method, path string, header ...string) *answer {
	t.Helper()
	return s.do(t, s.request(t, method, path, nil, header...))
}

// A job holds its documents against each other, and an impact compares overlays on them: with the
// usual ones, and with those that a request names.
func TestBulkTogetherAndOverlays(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	document := string(sample(t, "ubl-valid.xml"))
	write("sources/in/a.xml", document)
	write("sources/in/b.xml", strings.Replace(document, ">119.00<", ">120.00<", 1))
	write("rules/overlays/acme.yaml", companyOverlay)
	write("rules/overlays/batch.yaml", "overlay: batch\ntitle: Doubles\nowner: Payments\non: {rulesets: [batch]}\nlevels:\n  - {rules: [BATCH-01], level: warning, reason: Someone looks., until: 2099-12-31}\n")
	s := start(t, func(c *server.Config) {
		c.RulesetsDir, c.Overlays, c.BulkSources, c.BulkResults = filepath.Join(dir, "rules"), []string{"batch"}, filepath.Join(dir, "sources"), filepath.Join(dir, "results")
	})
	job := s.jobDone(t, "source=in&batch=batch")
	found := s.get(t, "/v1/bulk/"+job.ID+"/results?together=true")
	found.wants(t, http.StatusOK, "")
	for _, part := range []string{`{"file":"a.xml"`, `{"file":"b.xml"`, `"rule":"BATCH-01"`, `"level":"warning"`, `"overlay":"batch"`, `"owner":"Payments"`, `"rule":"BATCH-02"`} {
		if !strings.Contains(string(found.body), part) {
			t.Errorf("what was found lacks %s: %s", part, found.body)
		}
	}
	plain := s.jobDone(t, "source=in")
	s.get(t, "/v1/bulk/"+plain.ID+"/results?together=true").wants(t, http.StatusNotFound, "BULK-PART-MISSING")
	for _, query := range []string{"together=false", "together=true&part=1"} {
		s.get(t, "/v1/bulk/"+job.ID+"/results?"+query).wants(t, http.StatusBadRequest, "QUERY-INVALID")
	}
	impact := s.jobDone(t, "source=in&operation=impact&overlay=acme")
	lines := s.get(t, "/v1/bulk/"+impact.ID+"/results")
	for _, part := range []string{`"before":"overlays batch (Payments)"`, `"after":"overlays acme`, `"rule":"ACME-1"`, `"validAfter":false`} {
		if strings.Count(string(lines.body), part) < 2 {
			t.Errorf("the impact lacks %s: %s", part, lines.body)
		}
	}
	for _, query := range []string{"source=in&batch=en16931", "source=in&batch=none", "source=in&operation=impact&overlay=none", "source=in&operation=impact&overlay=acme&old=en16931", "source=in&operation=convert&to=cii&batch=batch"} {
		s.bulkDo(t, http.MethodPost, "/v1/bulk?"+query).wants(t, http.StatusBadRequest, "QUERY-INVALID")
	}
}

// Tables are published with the rules that ask them, decide over HTTP, and are told when they
// are no longer fresh.
func TestTablesOverHTTP(t *testing.T) {
	s, _, key := publisher(t, "rules", "validate")
	rules := "overlay: vendors\ntitle: Vendors\nowner: Purchasing\non: {profiles: [en16931]}\nrules:\n" +
		"  - {id: VENDOR-1, level: fatal, context: /invoice, assert: 'has(lookup(\"vendors\", this.seller.vatIdentifier).iban)', btCodes: [BT-31], fields: [seller.vatIdentifier], message: Unknown vendor., text: t, " +
		"examples: [{passes: {seller.vatIdentifier: DE1}}, {fires: {seller.vatIdentifier: XX}}]}\n"
	table := func(fresh string) string {
		return "table: vendors\ntitle: Our vendors\nowner: Purchasing\nkey: vat\ncolumns: {vat: text, iban: text}\nfreshUntil: " + fresh + "\nexamples: [{vat: DE1, iban: A}]\n"
	}
	publish := func(base int, fresh, rows string) *answer {
		d := map[string]any{"who": "Ada", "why": "New vendors", "from": string(engine.Today()), "base": base, "files": map[string]string{"overlays/vendors.yaml": rules, "tables/vendors.yaml": table(fresh), "tables/vendors.csv": rows}}
		return s.rules(t, "publish", key, d)
	}
	validate := func() string {
		r := s.request(t, http.MethodPost, "/v1/validate/ubl?overlay=vendors", strings.NewReader(string(sample(t, "ubl-valid.xml"))), "Content-Type", "application/xml")
		r.Header.Set("Authorization", "Bearer "+key)
		return string(s.do(t, r).body)
	}
	publish(0, "2099-12-31", "vat,iban\nDE1,A\n").wants(t, http.StatusOK, "")
	if body := validate(); !strings.Contains(body, "VENDOR-1") || strings.Contains(body, "TABLE-NOT-FRESH") {
		t.Errorf("an unknown vendor: %s", body)
	}
	vat := "DE123456789"
	if body := string(sample(t, "ubl-valid.xml")); !strings.Contains(body, vat) {
		t.Fatalf("the sample has another seller: %.3000s", body)
	}
	publish(1, "2020-12-31", "vat,iban\nDE1,A\n"+vat+",B\n").wants(t, http.StatusOK, "")
	if body := validate(); strings.Contains(body, "VENDOR-1") || !strings.Contains(body, "TABLE-NOT-FRESH") || !strings.Contains(body, "Purchasing") {
		t.Errorf("a known vendor in an old table: %s", body)
	}
	if a := publish(2, "2099-12-31", "vat\nDE1\n"); a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(string(a.body), "tables/vendors.csv:1") {
		t.Errorf("a table without its column: %d %s", a.StatusCode, a.body)
	}
	if body := validate(); strings.Contains(body, "VENDOR-1") {
		t.Errorf("what was refused came into force: %s", body)
	}
}
