package server_test

import (
	"context"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"

	"einvoice/model/sampled"
	"einvoice/server"
)

// hanging has risky work hang, whatever it is.
func hanging(c *server.Config) {
	c.Process = func() *exec.Cmd { return processThat("hangs") }
	c.RequestTimeout, c.WriteTimeout = slowdown*100*time.Millisecond, 60*time.Second
}

// Work that hears nothing is ended with its process: the client is answered, the memory and
// the place are free, and the log and the metrics name it.
func TestWorkThatHangs(t *testing.T) {
	s := start(t, hanging)
	pdf := "%PDF-1.7\n"
	for i, c := range []struct {
		path, mediaType, body, code string
		status                      int
	}{
		{"/v1/parse/json", "application/pdf", pdf, "PARSE-TIMEOUT", http.StatusGatewayTimeout},
		{"/v1/workbench/parse", "application/json", `{"file": "JVBERi0xLjcK"}`, "PARSE-TIMEOUT", http.StatusGatewayTimeout},
		{"/v1/extract/xml", "application/pdf", pdf, "VALIDATION-TIMEOUT", http.StatusServiceUnavailable},
		{"/v1/validate/en16931", "application/pdf", pdf, "VALIDATION-TIMEOUT", http.StatusServiceUnavailable},
	} {
		if sampled.Takes(i, 2) {
			s.send(t, c.path, c.mediaType, c.body).wants(t, c.status, c.code)
		}
	}
	if s.Buffered() != 0 {
		t.Errorf("%d bytes are kept", s.Buffered())
	}
	s.logs(t, "work did not stop in time")
	s.logs(t, "server_test.hangs") // the stack
	if m := s.asks(t, "/metrics"); !strings.Contains(string(m.body), `einvoice_overdue_total{route="/v1/parse/json"} 1`) {
		t.Error("the metrics do not count it")
	}
	s.send(t, "/v1/validate/ubl", "application/xml", string(sample(t, "ubl-valid.xml"))).wants(t, http.StatusOK, "")
}

// A client that leaves takes the work with it.
func TestClientLeavesWorkThatHangs(t *testing.T) {
	s := start(t, func(c *server.Config) {
		hanging(c)
		c.RequestTimeout, c.WriteTimeout = 10*time.Minute, 20*time.Minute
	})
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan struct{})
	go func() {
		defer close(left)
		r := s.request(t, http.MethodPost, "/v1/parse/json", strings.NewReader("%PDF-1.7\n"), "Content-Type", "application/pdf")
		if res, err := http.DefaultClient.Do(r.WithContext(ctx)); err == nil {
			res.Body.Close()
		}
	}()
	eventually(t, "the work begins", func() bool { return s.Processes() == 1 })
	leave()
	<-left
	eventually(t, "the process is ended", func() bool { return s.Processes() == 0 && s.Buffered() == 0 })
	s.logs(t, "CLIENT-GONE")
}
