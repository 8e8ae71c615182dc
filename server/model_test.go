package server_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"einvoice/server"
	"einvoice/service/parse"
)

// An endpoint that fails is a warning in the language of the answer, and the log has
// nothing of the invoice. Without details the answer is the invoice.
func TestParseModelFails(t *testing.T) {
	const secret = "secret-of-the-endpoint"
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if body, err := io.ReadAll(r.Body); err != nil || !strings.Contains(string(body), "INV-17") {
			t.Errorf("the model is asked %q, %v", body, err)
		}
		http.Error(w, secret, http.StatusTooManyRequests)
	}))
	defer endpoint.Close()
	s := start(t, func(c *server.Config) { c.Model.URL, c.Model.Model = endpoint.URL, "fake" })
	a := s.send(t, parseJSON+"?details=true", pdfType, lettersOf(bill("INV-17")), "Accept-Language", "de")
	var parsing parse.Parsing
	if err := json.Unmarshal(a.body, &parsing); err != nil || a.StatusCode != http.StatusOK || len(parsing.Findings) == 0 {
		t.Fatalf("got %d %s, %v", a.StatusCode, a.body, err)
	}
	if f := parsing.Findings[0]; f.Rule != "PARSE-MODEL" || f.Level != "warning" || !strings.Contains(f.Message, "dem Status 429") {
		t.Errorf("got %+v", f)
	}
	if parsing.Invoice.Number.Raw != "INV-17" {
		t.Errorf("the invoice is %s", a.body)
	}
	if plain := s.send(t, parseJSON, pdfType, lettersOf(bill("INV-17"))); plain.StatusCode != http.StatusOK || !strings.Contains(string(plain.body), "INV-17") {
		t.Errorf("without details: got %d %s", plain.StatusCode, plain.body)
	}
	s.logs(t, `"outcome":"parsed"`)
	for _, word := range []string{"INV-17", secret, "58.31", endpoint.URL} {
		if strings.Contains(s.log.String(), word) || strings.Contains(string(a.body), endpoint.URL) {
			t.Errorf("the log has %q", word)
		}
	}
}

// While the model is waited for, the only place to work is free for others.
func TestParseModelKeepsNoPlace(t *testing.T) {
	asked, release := make(chan struct{}), make(chan struct{})
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(asked)
		<-release
		w.WriteHeader(http.StatusBadGateway)
	}))
	defer endpoint.Close()
	s := start(t, func(c *server.Config) {
		c.Model.URL, c.Model.Model, c.MaxValidations = endpoint.URL, "fake", 1
	})
	parsed := make(chan int)
	go func() { parsed <- s.send(t, parseJSON, pdfType, lettersOf(bill("INV-17"))).StatusCode }()
	<-asked
	if a := s.send(t, "/v1/validate/en16931", "application/xml", string(sample(t, "cii-valid.xml"))); a.StatusCode != http.StatusOK {
		t.Errorf("validating meanwhile: got %d %s", a.StatusCode, a.body)
	}
	close(release)
	if status := <-parsed; status != http.StatusOK {
		t.Errorf("parsing: got %d", status)
	}
}
