package server_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"einvoice/server"
)

// TestTraces runs against a collector of its own and looks into what it is sent.
func TestTraces(t *testing.T) {
	var mu sync.Mutex
	var got strings.Builder
	paths := map[string]bool{}
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		got.Write(body)
		paths[r.URL.Path] = true
	}))
	defer collector.Close()
	s, stop := serve(t, func(c *server.Config) { c.TraceEndpoint = collector.URL + "/v1/traces" })
	s.post(t, "ubl", sample(t, "ubl-faulty.xml"), "Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01").wants(t, 400, "VALIDATION-FAILED")
	stop() // hands in what is left
	mu.Lock()
	defer mu.Unlock()
	for _, want := range []string{"POST /v1/validate/:format", "http.route", "einvoice.request_id", "VALIDATION-FAILED", "service.name", "http.request.method", "http.response.status_code", "url.path", "client.address", "server.port", "network.peer.port"} {
		if !strings.Contains(got.String(), want) {
			t.Errorf("the trace does not have %q", want)
		}
	}
	if !paths["/v1/traces"] || len(paths) != 1 {
		t.Errorf("sent to %v", paths)
	}
	if strings.Contains(got.String(), "INV-2026-001") || strings.Contains(got.String(), s.StartKey()) {
		t.Error("the trace says too much")
	}
	s.logs(t, `"traceId":"0af7651916cd43dd8448eb211c80319c"`)
}
