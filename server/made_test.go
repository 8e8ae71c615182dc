package server_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"einvoice/server"
)

// TestMadeForms: JSON for who prefers it, XML for everyone else.
func TestMadeForms(t *testing.T) {
	body := smallest(t)
	for accept, want := range map[string]string{
		"": "application/xml", "*/*": "application/xml", "application/xml": "application/xml", "text/html": "application/xml", "application/*": "application/xml",
		"application/json": "application/json", "application/xml;q=0.5, application/json": "application/json", "application/json;q=0.5, */*": "application/xml",
	} {
		a := shared().create(t, "xrechnung", body, "Accept", accept)
		a.wants(t, http.StatusOK, "")
		if got := a.Header.Get("Content-Type"); got != want {
			t.Errorf("Accept %q got %s", accept, got)
		}
		if file := a.Header.Get("Content-Disposition"); (file != "") != (want == "application/xml") {
			t.Errorf("Accept %q got a file name %q", accept, file)
		}
	}
}

// TestMadeWithinLimits: the endpoints that make documents share the bounds of
// those that validate.
func TestMadeWithinLimits(t *testing.T) {
	document := string(sample(t, "ubl-valid.xml"))
	sends := map[string]func(*testServer) *answer{
		"create":    func(s *testServer) *answer { return s.create(t, "xrechnung", smallest(t)) },
		"extract":   func(s *testServer) *answer { return s.send(t, "/v1/extract/json", "application/xml", document) },
		"convert":   func(s *testServer) *answer { return s.send(t, toCII, "application/xml", document) },
		"transform": func(s *testServer) *answer { return s.send(t, "/v1/transform/to/ubl", "application/xml", document) },
	}
	busy := start(t, func(c *server.Config) { c.MaxValidations, c.QueueWait = 2, 20*time.Millisecond })
	full := start(t, func(c *server.Config) { c.MaxRequests, c.MaxValidations = 1, 1 })
	hasty := start(t, func(c *server.Config) { c.RequestTimeout = time.Nanosecond })
	for name, send := range sends {
		t.Run(name, func(t *testing.T) {
			free := busy.Occupy()
			a := send(busy)
			free()
			a.wants(t, http.StatusServiceUnavailable, "OVERLOADED")
			if a.Header.Get("Retry-After") == "" {
				t.Error("no Retry-After")
			}
			send(busy).wants(t, http.StatusOK, "")

			c := full.slowly(t, 1000, "<a>")
			eventually(t, "the slow one is served", func() bool { return full.Buffered() > 0 })
			send(full).wants(t, http.StatusServiceUnavailable, "OVERLOADED")
			_ = c.Close()
			eventually(t, "the server serves again", func() bool { return send(full).StatusCode == http.StatusOK })

			send(hasty).wants(t, http.StatusServiceUnavailable, "VALIDATION-TIMEOUT")
			for _, s := range []*testServer{busy, full, hasty} {
				eventually(t, "memory is given back", func() bool { return s.Buffered() == 0 })
			}
		})
	}
	limited := start(t, func(c *server.Config) { c.Rate, c.Burst = 0.01, len(sends) })
	for _, send := range sends {
		send(limited).wants(t, http.StatusOK, "")
	}
	for _, send := range sends {
		send(limited).wants(t, http.StatusTooManyRequests, "RATE-LIMITED")
	}
}

// TestMadeIsCounted checks that metrics count what was made, and that the log is silent
// about it.
func TestMadeIsCounted(t *testing.T) {
	s := start(t, nil)
	s.create(t, "xrechnung", smallest(t))
	s.create(t, "xrechnung", smallest(t, `, "buyerReference": "04011000-12345-03"`, ""))
	s.send(t, toCII+"?strict=true", "application/xml", string(withLoss(t)))
	s.send(t, toCII, "application/xml", string(withLoss(t)))
	s.send(t, "/v1/transform/to/xrechnung", "application/xml", string(sample(t, "ubl-valid.xml")))
	text := string(s.get(t, "/metrics").body)
	for _, want := range []string{
		`einvoice_documents_total{format="xrechnung",operation="create",outcome="made"} 1`,
		`einvoice_documents_total{format="xrechnung",operation="create",outcome="refused"} 1`,
		`einvoice_documents_total{format="cii",operation="convert",outcome="made"} 1`,
		`einvoice_documents_total{format="cii",operation="convert",outcome="refused"} 1`,
		`einvoice_documents_total{format="xrechnung",operation="transform",outcome="refused"} 1`,
		`einvoice_ruleset_validations_total{ruleset="xrechnung",version="3.0"} 3`,
		`einvoice_rule_fired_total{level="fatal",rule="BR-DE-15"} 2`,
		`einvoice_http_requests_total{method="POST",route="/v1/create/:format",status="200"} 1`,
		`einvoice_http_requests_total{method="POST",route="/v1/convert/ubl/to/cii",status="422"} 1`,
		`einvoice_http_problems_total{error_code="CONVERSION-LOSSY"} 1`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the metrics do not have %s", want)
		}
	}
	for _, want := range []string{`"outcome":"made"`, `"outcome":"invalid"`, `"outcome":"refused"`, `"route":"/v1/transform/to/:format"`} {
		s.logs(t, want)
	}
	log := s.log.String()
	for _, secret := range []string{"2026-0117", "Lindner", "DE0212", "12:00:00"} {
		if strings.Contains(log, secret) {
			t.Errorf("the log has %q", secret)
		}
	}
}

// TestMadeAtOnce: the same request gets the same bytes, whoever else is served and
// however often the rulesets are loaded meanwhile.
func TestMadeAtOnce(t *testing.T) {
	s := start(t, nil)
	document := string(sample(t, "ubl-valid.xml"))
	sends := []func() *answer{
		func() *answer { return s.create(t, "xrechnung", smallest(t)) },
		func() *answer { return s.send(t, toCII, "application/xml", document) },
		func() *answer { return s.send(t, "/v1/transform/to/cii", "application/xml", document) },
	}
	want := make([]string, len(sends))
	for i, send := range sends {
		want[i] = string(send().body)
	}
	var group sync.WaitGroup
	for worker := range 6 {
		group.Go(func() {
			for n := range 10 {
				i := (worker + n) % len(sends)
				if a := sends[i](); a.StatusCode != http.StatusOK || string(a.body) != want[i] {
					t.Errorf("request %d got %d %.300s", i, a.StatusCode, a.body)
				}
			}
		})
	}
	for range 3 {
		s.Reload(t.Context())
	}
	group.Wait()
}

// FuzzMaking sends bodies of any kind to the endpoints that make documents: each
// gets a designed answer, and all memory is given back.
func FuzzMaking(f *testing.F) {
	paths := []string{"/v1/create/ubl", "/v1/create/cii", "/v1/create/xrechnung", toCII, toUBL, "/v1/transform/to/ubl", "/v1/transform/to/cii", "/v1/transform/to/xrechnung?buyerReference=1"}
	f.Add(0, "application/json", []byte(smallest(f)))
	f.Add(2, "application/merge-patch+json", []byte(smallest(f)))
	f.Add(3, "application/xml", sample(f, "ubl-valid.xml"))
	f.Add(4, "text/xml", sample(f, "cii-valid.xml"))
	f.Add(5, multipartOfB, []byte(fields(sample(f, "cii-valid.xml"), "strict", "true")))
	f.Add(7, "application/xml", sample(f, "ubl-faulty.xml"))
	s := shared()
	f.Fuzz(func(t *testing.T, path int, contentType string, body []byte) {
		r := httptest.NewRequest(http.MethodPost, paths[uint(path)%uint(len(paths))], bytes.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+s.StartKey())
		r.Header.Set("Content-Type", contentType)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		switch w.Code {
		case 200, 400, 413, 415, 422:
		default:
			t.Errorf("got %d %s", w.Code, w.Body)
		}
		(&answer{Response: w.Result(), body: w.Body.Bytes()}).conforms(t, r)
		if s.Buffered() != 0 {
			t.Error("memory was not given back")
		}
	})
}
