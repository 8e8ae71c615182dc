package server_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
)

func TestMetrics(t *testing.T) {
	s := start(t, nil)
	s.post(t, "ubl", sample(t, "ubl-valid.xml"))
	s.post(t, "ubl", sample(t, "ubl-faulty.xml"))
	s.post(t, "cii", sample(t, "ubl-faulty.xml"))
	s.get(t, "/v1/rules/BR-CO-10")
	s.get(t, "/v1/rules/BR-CO-13")
	for _, path := range []string{"/a", "/b"} {
		s.get(t, path)
	}
	s.do(t, s.request(t, "BREW", "/", nil))
	s.do(t, s.request(t, http.MethodOptions, "/v1/rules", nil)).wants(t, http.StatusOK, "")
	text := string(s.get(t, "/metrics").body)
	for _, want := range []string{
		`einvoice_http_requests_total{method="POST",route="/v1/validate/:format",status="200"} 1`,
		`einvoice_http_requests_total{method="POST",route="/v1/validate/:format",status="400"} 1`,
		`einvoice_http_requests_total{method="GET",route="/v1/rules/:id",status="200"} 2`,
		`einvoice_http_requests_total{method="GET",route="none",status="404"} 2`,
		`einvoice_http_requests_total{method="other",route="none",status="405"} 1`,
		`einvoice_http_requests_total{method="OPTIONS",route="none",status="200"} 1`,
		`einvoice_http_problems_total{error_code="SYNTAX-MISMATCH"} 1`,
		`einvoice_http_problems_total{error_code="VALIDATION-FAILED"} 1`,
		`einvoice_validations_total{format="ubl",outcome="valid"} 1`,
		`einvoice_validations_total{format="ubl",outcome="invalid"} 1`,
		`einvoice_rule_fired_total{level="fatal",rule="BR-CO-10"} 1`,
		`einvoice_ruleset_validations_total{ruleset="en16931",version="1.3.16"} 2`,
		`einvoice_ruleset_info{ruleset="en16931",sha256="`,
		`einvoice_rulesets_current 1`,
		`einvoice_keys_current 1`,
		`einvoice_reserved_bytes 0`,
		`einvoice_http_request_duration_seconds_count{route="/v1/rules/:id"} 2`,
		`go_goroutines`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the metrics do not have %s", want)
		}
	}
	if labels := regexp.MustCompile(`(?m)^[^#].*(BREW|"/a").*$`).FindString(text); labels != "" {
		t.Errorf("a client made a label: %s", labels)
	}
	if a := s.do(t, s.request(t, http.MethodHead, "/metrics", nil)); a.StatusCode != 200 {
		t.Errorf("HEAD: %d", a.StatusCode)
	}
}
