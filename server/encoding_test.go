package server_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"einvoice/server"
	"einvoice/server/encoding"
)

// compressed is a body in a coding.
func compressed(t *testing.T, name string, body []byte) []byte {
	t.Helper()
	got, out := encoding.Compress(name, "text/plain", body)
	if got != name {
		t.Fatalf("%s is not written", name)
	}
	return out
}

// Bodies may be compressed, of every kind of request, and answers are as the client asks: the
// same verdict comes back in each of them.
func TestCompressedRequests(t *testing.T) {
	s := shared()
	invoice, request := sample(t, "cii-faulty.xml"), []byte(smallest(t))
	request = append(request, bytes.Repeat([]byte(" "), 3000)...)
	for name := range strings.SplitSeq(encoding.Known(), ", ") {
		plain := s.do(t, s.request(t, http.MethodPost, "/v1/validate/cii", bytes.NewReader(invoice), "Content-Type", "application/xml", "X-Request-Id", "same"))
		a := s.do(t, s.request(t, http.MethodPost, "/v1/validate/cii", bytes.NewReader(compressed(t, name, invoice)), "Content-Type", "application/xml", "Content-Encoding", name, "X-Request-Id", "same"))
		if a.StatusCode != plain.StatusCode || !bytes.Equal(a.body, plain.body) {
			t.Errorf("%s: %d\n%s\nwant\n%s", name, a.StatusCode, a.body, plain.body)
		}
		a = s.do(t, s.request(t, http.MethodPost, "/v1/create/zugferd", bytes.NewReader(compressed(t, name, request)), "Content-Type", "application/json", "Content-Encoding", name))
		if a.wants(t, http.StatusOK, ""); !bytes.HasPrefix(a.body, []byte("%PDF")) {
			t.Errorf("%s: create gives %.20q", name, a.body)
		}
		body, kind := form(t, invoice)
		data, err := io.ReadAll(body)
		if err != nil {
			t.Fatal(err)
		}
		s.do(t, s.request(t, http.MethodPost, "/v1/render/cii/to/html", bytes.NewReader(compressed(t, name, data)), "Content-Type", kind, "Content-Encoding", name)).wants(t, http.StatusOK, "")
	}
}

// Answers are compressed as the client asks.
func TestAcceptEncoding(t *testing.T) {
	s := shared()
	plain := s.get(t, "/v1/rules?ruleset=en16931")
	for name := range strings.SplitSeq(encoding.Known(), ", ") {
		r := s.request(t, http.MethodGet, "/v1/rules?ruleset=en16931", nil, "Accept-Encoding", name)
		answer, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		sent, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if err != nil || answer.Header.Get("Content-Encoding") != name || !strings.Contains(strings.Join(answer.Header.Values("Vary"), ","), "Accept-Encoding") {
			t.Fatalf("%s: %v, %v", name, answer.Header, err)
		}
		open, _ := encoding.Reader(name, bytes.NewReader(sent))
		reader, err := open()
		if err != nil {
			t.Fatal(err)
		}
		back, err := io.ReadAll(reader)
		if err != nil || !bytes.Equal(back, plain.body) || len(sent)*4 > len(back) {
			t.Errorf("%s: %d bytes became %d, %v", name, len(back), len(sent), err)
		}
	}
}

// Metrics are text as well, and Prometheus asks for gzip.
func TestMetricsAreCompressed(t *testing.T) {
	s := shared()
	for name := range strings.SplitSeq(encoding.Known(), ", ") {
		answer, err := http.DefaultTransport.RoundTrip(s.request(t, http.MethodGet, "/metrics", nil, "Accept-Encoding", name))
		if err != nil {
			t.Fatal(err)
		}
		sent, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if err != nil || answer.Header.Get("Content-Encoding") != name {
			t.Fatalf("%s: %v, %v", name, answer.Header, err)
		}
		open, _ := encoding.Reader(name, bytes.NewReader(sent))
		reader, err := open()
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(reader); err != nil || !bytes.Contains(text, []byte("einvoice_http_requests_in_flight")) || !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/plain; version=") {
			t.Errorf("%s: %v, %.200q, %v", name, answer.Header, text, err)
		}
	}
}

// A body that becomes larger than what is accepted is refused when it does; one that is not
// what it says, or breaks off, says so.
func TestCompressedBodiesAreBounded(t *testing.T) {
	s := start(t, func(c *server.Config) { c.MaxBody, c.MaxMemory = 1<<20, 64<<20 })
	bomb := bytes.Repeat([]byte("<a></a>"), 4<<20)
	for name := range strings.SplitSeq(encoding.Known(), ", ") {
		send := func(body []byte) *answer {
			return s.do(t, s.request(t, http.MethodPost, "/v1/validate/cii", bytes.NewReader(body), "Content-Type", "application/xml", "Content-Encoding", name))
		}
		whole := compressed(t, name, bomb)
		send(whole).wants(t, http.StatusRequestEntityTooLarge, "BODY-TOO-LARGE")
		send([]byte("<Invoice/>")).wants(t, http.StatusUnsupportedMediaType, "CONTENT-ENCODING-UNSUPPORTED")
		invoice := compressed(t, name, sample(t, "cii-valid.xml"))
		for _, n := range []int{0, 1, 5, len(invoice) / 2, len(invoice) - 1} {
			if a := send(invoice[:n]); a.StatusCode < 400 || a.StatusCode >= 500 {
				t.Errorf("%s: %d of %d bytes give %d", name, n, len(invoice), a.StatusCode)
			}
		}
	}
	s.do(t, s.request(t, http.MethodPost, "/v1/validate/cii", strings.NewReader("x"), "Content-Type", "application/xml", "Content-Encoding", "deflate")).wants(t, http.StatusUnsupportedMediaType, "CONTENT-ENCODING-UNSUPPORTED")
}
