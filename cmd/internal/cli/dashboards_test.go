package cli

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"einvoice/server"
	"einvoice/service/bulk"
)

var metricName = regexp.MustCompile(`\b(einvoice|process|go)_[a-z_]+`)

// Every metric that a dashboard names is one that the service or a bulk job has, and every
// metric of bulk jobs is on a dashboard.
func TestDashboards(t *testing.T) {
	have := metricsOfService(t)
	bulkFamilies, err := newBulkMetrics(&bulk.Running{}).Gather()
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	for _, f := range bulkFamilies {
		have[f.GetName()] = true
	}
	files, err := filepath.Glob("../../../deploy/grafana/*.json")
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var board struct {
			Panels []struct {
				Title   string
				Targets []struct{ Expr string }
			}
		}
		if err := json.Unmarshal(data, &board); err != nil {
			t.Fatal(name, err)
		}
		for _, p := range board.Panels {
			for _, target := range p.Targets {
				names := metricName.FindAllString(target.Expr, -1)
				if len(names) == 0 {
					t.Errorf("%s: %s shows no metric", name, p.Title)
				}
				for _, metric := range names {
					shown[metric] = true
					if !have[metric] {
						t.Errorf("%s: %s shows %s, which there is not", name, p.Title, metric)
					}
				}
			}
		}
	}
	for _, f := range bulkFamilies {
		if strings.HasPrefix(f.GetName(), "einvoice_") && !shown[f.GetName()] {
			t.Errorf("no dashboard shows %s", f.GetName())
		}
	}
}

// metricsOfService are the names of the time series that a service has after some requests.
func metricsOfService(t *testing.T) map[string]bool {
	t.Helper()
	config := server.DefaultConfig()
	config.NoAuth = true
	s, err := server.New(config, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ask := func(method, path string, body []byte) string {
		r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(string(body)))
		r.Host = "127.0.0.1" // without keys, the service answers for this machine alone
		r.Header.Set("Content-Type", "application/xml")
		r.Host = "127.0.0.1" // without keys, no other is answered
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w.Body.String()
	}
	faulty, err := os.ReadFile("../../einvoice/samples/ubl-faulty.xml")
	if err != nil {
		t.Fatal(err)
	}
	ask(http.MethodPost, "/v1/validate/ubl", faulty)
	ask(http.MethodGet, "/v1/none", nil)
	names := map[string]bool{}
	for line := range strings.SplitSeq(ask(http.MethodGet, "/metrics", nil), "\n") {
		if name := metricName.FindString(line); name != "" && strings.HasPrefix(line, name) {
			names[name] = true
		}
	}
	return names
}
