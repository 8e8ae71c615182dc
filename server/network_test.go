package server_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"einvoice/server"
)

// connect opens a connection and writes to it what a client library would not.
func (s *testServer) connect(t *testing.T, text string) net.Conn {
	t.Helper()
	c, err := new(net.Dialer).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
	return c
}

// head is the head of a request with a body, which the caller writes.
func (s *testServer) head(path, more string) string {
	return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer %s\r\nContent-Type: application/xml\r\n%s\r\n", path, s.StartKey(), more)
}

// Clients that do not take their answers hold no place to work, and of memory the answer.
func TestAnswersThatNobodyTakes(t *testing.T) {
	s := start(t, func(c *server.Config) { c.MaxValidations = 1 })
	document := strings.Replace(string(sample(t, "ubl-valid.xml")), "<cbc:InvoiceTypeCode>", "<!--"+strings.Repeat("x", 16<<20)+"--><cbc:InvoiceTypeCode>", 1)
	for range 3 {
		s.connect(t, s.head("/v1/extract/xml", fmt.Sprintf("Content-Length: %d\r\n", len(document)))+document)
	}
	eventually(t, "the answers are held", func() bool { n := s.Buffered(); return n == int64(3*len(document)) })
	for range 5 {
		s.post(t, "ubl", sample(t, "ubl-valid.xml")).wants(t, 200, "")
	}
}

// Bodies that are broken in the way in which they are sent are mistakes of the client.
func TestBrokenBodies(t *testing.T) {
	s := start(t, nil)
	for name, c := range map[string]struct{ head, body string }{
		"a chunk without a size": {"Transfer-Encoding: chunked\r\n", "zz\r\n<a/>\r\n0\r\n\r\n"},
		"a chunk without an end": {"Transfer-Encoding: chunked\r\n", "3\r\n<a/>\r\n0\r\n\r\n"},
		"a size beyond all":      {"Transfer-Encoding: chunked\r\n", "fffffffffffffffff\r\n<a/>\r\n0\r\n\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			a := s.answered(t, s.connect(t, s.head("/v1/validate/ubl", c.head)+c.body))
			a.wants(t, 400, "BODY-INCOMPLETE")
		})
	}
}

// A request with two lengths is refused, and nothing after it is taken for another one.
func TestTwoLengths(t *testing.T) {
	s, _ := serve(t, nil)
	inside := "GET /health/live HTTP/1.1\r\nHost: test\r\n\r\n"
	for name, head := range map[string]string{
		"length and chunks":         "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
		"chunks and length":         "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
		"two lengths":               "Content-Length: 5\r\nContent-Length: 6\r\n",
		"chunks twice":              "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
		"another transfer encoding": "Transfer-Encoding: gzip, chunked\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			c := s.connect(t, s.head("/v1/validate/ubl", head)+"0\r\n\r\n"+inside)
			_ = c.SetReadDeadline(time.Now().Add(hang))
			data, _ := io.ReadAll(c)
			if n := strings.Count(string(data), "HTTP/1.1 "); n != 1 || !strings.HasPrefix(string(data), "HTTP/1.1 4") && !strings.HasPrefix(string(data), "HTTP/1.1 501") {
				t.Errorf("got %d answers: %.300q", n, data)
			}
		})
	}
}

// Whoever sends wrong keys is slowed, counted and logged; right keys are not.
func TestWrongKeysAreSlowed(t *testing.T) {
	s := start(t, nil)
	refused := 0
	for range 30 {
		a := s.do(t, s.request(t, http.MethodGet, "/v1/rulesets", nil, "Authorization", "Bearer ei_wrong_key"))
		if a.StatusCode == http.StatusTooManyRequests {
			refused++
		} else {
			a.wants(t, 401, "KEY-INVALID")
		}
	}
	if refused < 5 {
		t.Errorf("%d of 30 were slowed", refused)
	}
	s.get(t, "/v1/rulesets").wants(t, 200, "")
	if metrics := string(s.get(t, "/metrics").body); !strings.Contains(metrics, "einvoice_wrong_keys_total 30") {
		t.Error("the metrics do not count them")
	}
	if !strings.Contains(s.log.String(), `"address":"127.0.0.1"`) {
		t.Errorf("the log does not have the address")
	}
}
