package server_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"einvoice/server"
	"einvoice/server/refusal"
)

const fileHead = "Content-Disposition: form-data; name=\"file\"\r\n\r\n"

// TestRefusals brings about what a client can get wrong, one request each.
func TestRefusals(t *testing.T) {
	s := start(t, func(c *server.Config) { c.MaxBody, c.MaxParts = 100_000, 3 })
	valid := string(sample(t, "ubl-valid.xml"))
	xml, multipart := "application/xml", "multipart/form-data; boundary=b"
	for _, c := range []struct {
		name, path, contentType, body string
		status                        int
		code, says                    string
	}{
		{"unknown format", "/v1/validate/edifact", xml, valid, 404, "TARGET-UNKNOWN", "ubl, cii, xrechnung, en16931"},
		{"no such path", "/v1/validat/ubl", xml, valid, 404, "ROUTE-UNKNOWN", "/docs"},
		{"an operation to what it has not", "/v1/render/ubl/to/png", xml, valid, 404, "ROUTE-UNKNOWN", "Like it are /v1/render/cii/to/html, "},
		{"an operation without a format", "/v1/validate", xml, valid, 404, "ROUTE-UNKNOWN", "Like it are /v1/validate/{format}."},
		{"a slash too many", "/v1/validate/ubl/", xml, valid, 404, "ROUTE-UNKNOWN", ""},
		{"no format", "/v1/validate/", xml, valid, 404, "", ""},
		{"JSON", "/v1/validate/ubl", "application/json", "{}", 415, "MEDIA-TYPE-UNSUPPORTED", "multipart/form-data"},
		{"what curl -d sends", "/v1/validate/ubl", "application/x-www-form-urlencoded", valid, 415, "MEDIA-TYPE-UNSUPPORTED", "application/xml"},
		{"no type", "/v1/validate/ubl", "", valid, 415, "MEDIA-TYPE-UNSUPPORTED", ""},
		{"a broken type", "/v1/validate/ubl", "multipart/form-data; boundary=\"", valid, 415, "MEDIA-TYPE-UNSUPPORTED", ""},
		{"too large", "/v1/validate/ubl", xml, strings.Repeat("x", 100_001), 413, "BODY-TOO-LARGE", "100000 bytes"},
		{"a form too large", "/v1/validate/ubl", multipart, "--b\r\n" + fileHead + strings.Repeat("x", 100_000) + "\r\n--b--\r\n", 413, "BODY-TOO-LARGE", ""},
		{"too many parts", "/v1/validate/ubl", multipart, strings.Repeat("--b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n\r\n", 4) + "--b--\r\n", 413, "TOO-MANY-PARTS", "3 parts"},
		{"no boundary", "/v1/validate/ubl", "multipart/form-data", "x", 400, "MULTIPART-MALFORMED", "boundary"},
		{"another boundary", "/v1/validate/ubl", multipart, "--c\r\n" + fileHead + valid + "\r\n--c--\r\n", 400, "FILE-MISSING", "boundaries"},
		{"no end", "/v1/validate/ubl", multipart, "--b\r\n" + fileHead + valid, 400, "MULTIPART-MALFORMED", "cut off"},
		{"no part file", "/v1/validate/ubl", multipart, "--b\r\nContent-Disposition: form-data; name=\"invoice\"\r\n\r\nx\r\n--b--\r\n", 400, "FILE-MISSING", `"invoice"`},
		{"an option alone", "/v1/validate/ubl", multipart, "--b\r\nContent-Disposition: form-data; name=\"at\"\r\n\r\n2026-01-01\r\n--b--\r\n", 400, "FILE-MISSING", `it has "at"`},
		{"nothing in the form", "/v1/validate/ubl", multipart, "--b--\r\n", 400, "FILE-MISSING", "no part at all"},
		{"two parts file", "/v1/validate/ubl", multipart, strings.Repeat("--b\r\n"+fileHead+"<a/>\r\n", 2) + "--b--\r\n", 400, "FILE-REPEATED", "one document"},
		{"empty", "/v1/validate/ubl", xml, "", 422, "XML-EMPTY", ""},
		{"an empty file", "/v1/validate/ubl", multipart, "--b\r\n" + fileHead + "\r\n--b--\r\n", 422, "XML-EMPTY", ""},
		{"a PDF", "/v1/validate/xrechnung", "application/pdf", "%PDF-1.7", 422, "FORMAT-PDF", "Extract"},
		{"a picture", "/v1/validate/en16931", xml, "\x89PNG\r\n\x1a\n", 422, "NOT-XML", ""},
		{"not well-formed", "/v1/validate/en16931", xml, "<a>\n<b></a>", 422, "XML-SYNTAX", "Line 2, column 4"},
		{"an entity bomb", "/v1/validate/en16931", xml, `<!DOCTYPE a [<!ENTITY b "x">]><a>&b;</a>`, 422, "XML-DOCTYPE", ""},
		{"an entity", "/v1/validate/en16931", xml, `<a>&b;</a>`, 422, "XML-ENTITY", ""},
		{"not the encoding it says", "/v1/validate/en16931", xml, "<a>\xff</a>", 422, "XML-ENCODING", ""},
		{"an unbound prefix", "/v1/validate/en16931", xml, "<a:b/>", 422, "XML-NAMESPACE", ""},
		{"too deep", "/v1/validate/en16931", xml, strings.Repeat("<a>", 300), 422, "XML-LIMIT", ""},
		{"XML of another kind", "/v1/validate/en16931", xml, "<a/>", 422, "FORMAT-UNKNOWN", ""},
		{"an order", "/v1/validate/en16931", xml, `<Order xmlns="urn:oasis:names:specification:ubl:schema:xsd:Order-2"/>`, 422, "FORMAT-OTHER-DOCUMENT", ""},
		{"an envelope", "/v1/validate/en16931", xml, `<e><Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/></e>`, 422, "FORMAT-WRAPPED", ""},
		{"another namespace", "/v1/validate/en16931", xml, `<Invoice xmlns="urn:example"/>`, 422, "FORMAT-NAMESPACE", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			code := c.code
			a := s.do(t, s.request(t, http.MethodPost, c.path, strings.NewReader(c.body), "Content-Type", c.contentType))
			if code == "" { // an empty format is not a route or an unknown format, whichever the router says
				code = a.result(t).ErrorCode
			}
			if p := a.wants(t, c.status, code); !strings.Contains(p.Detail, c.says) {
				t.Errorf("the detail %q does not say %q", p.Detail, c.says)
			}
		})
	}
}

// TestPlace sees that a document that cannot be read is told where.
func TestPlace(t *testing.T) {
	p := shared().raw(t, "en16931", "application/xml", strings.NewReader("<a>\n<b></a>")).wants(t, 422, "XML-SYNTAX")
	if p.Line != 2 || p.Column != 4 {
		t.Errorf("got line %d, column %d", p.Line, p.Column)
	}
}

func TestContentEncoding(t *testing.T) {
	s := shared()
	s.raw(t, "ubl", "application/xml", strings.NewReader("x"), "Content-Encoding", "gzip").wants(t, 415, "CONTENT-ENCODING-UNSUPPORTED")
	s.raw(t, "ubl", "application/xml", bytes.NewReader(sample(t, "ubl-valid.xml")), "Content-Encoding", "identity").wants(t, 200, "")
}

func TestMethodNotAllowed(t *testing.T) {
	for method, path := range map[string]string{http.MethodPut: "/v1/rules", http.MethodGet: "/v1/validate/ubl", http.MethodDelete: "/"} {
		a := shared().do(t, shared().request(t, method, path, nil))
		a.wants(t, 405, "METHOD-NOT-ALLOWED")
		if a.Header.Get("Allow") == "" {
			t.Errorf("%s %s: no Allow", method, path)
		}
	}
}

// TestOtherMethods asks each path that openapi.json lists for methods that it does not take, also
// where another route has a parameter in place of its last part.
func TestOtherMethods(t *testing.T) {
	s := shared()
	var described struct {
		Paths map[string]map[string]any `json:"paths"`
	}
	if err := json.Unmarshal(s.get(t, "/openapi.json").body, &described); err != nil {
		t.Fatal(err)
	}
	asked := 0
	for path, methods := range described.Paths {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
			if strings.Contains(path, "{") || methods[strings.ToLower(method)] != nil {
				continue
			}
			asked++
			a := s.do(t, s.request(t, method, path, nil))
			a.wants(t, 405, "METHOD-NOT-ALLOWED")
			if a.Header.Get("Allow") == "" {
				t.Errorf("%s %s: no Allow", method, path)
			}
		}
	}
	if asked < 20 {
		t.Errorf("only %d were asked", asked)
	}
}

// TestFaultsOfOurs: a panic and an unforeseen error become 500 with an id, say
// nothing of the inside, and stop nothing.
func TestFaultsOfOurs(t *testing.T) {
	s := start(t, nil)
	s.AddFaultyRoutes()
	for _, path := range []string{"/test/panic", "/test/error"} {
		p := s.get(t, path, "X-Request-Id", "my-id.1").wants(t, 500, "INTERNAL")
		if p.RequestID != "my-id.1" || strings.Contains(p.Detail, "secret") || strings.Contains(p.Detail, "a fault") {
			t.Errorf("%s: got %+v", path, p)
		}
	}
	for _, want := range []string{`"panic":"a fault"`, "export_test.go", `"error":"a secret of the inside"`, `"requestId":"my-id.1"`} {
		s.logs(t, want)
	}
	if a := s.get(t, "/test/late"); a.StatusCode != 200 || string(a.body) != "half an answer" {
		t.Errorf("an answer under way was changed: %d %s", a.StatusCode, a.body)
	}
	if res, err := http.DefaultClient.Do(s.request(t, http.MethodGet, "/test/abort", nil)); err == nil {
		res.Body.Close()
		t.Error("http.ErrAbortHandler did not abort")
	}
	s.get(t, "/health/live").wants(t, 200, "")
}

func TestRequestID(t *testing.T) {
	for id, kept := range map[string]bool{"abc-1.2_X": true, "": false, strings.Repeat("x", 65): false, "a b": false, "a\"b": false, "ü": false} {
		got := shared().get(t, "/", "X-Request-Id", id).Header.Get("X-Request-Id")
		if (got == id) != kept || got == "" {
			t.Errorf("id %q became %q", id, got)
		}
	}
}

// slowly sends the head and the beginning of a request and hands over the
// connection.
func (s *testServer) slowly(t *testing.T, length int, begin string) net.Conn {
	t.Helper()
	return s.slowlyAs(t, "application/xml", length, begin)
}

func (s *testServer) slowlyAs(t *testing.T, mediaType string, length int, begin string) net.Conn {
	t.Helper()
	c, err := new(net.Dialer).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	_, err = fmt.Fprintf(c, "POST /v1/validate/ubl HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", s.StartKey(), mediaType, length, begin)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// answered reads what comes on a connection.
func (s *testServer) answered(t *testing.T, c net.Conn) *answer {
	t.Helper()
	_ = c.SetReadDeadline(time.Now().Add(hang))
	data, err := io.ReadAll(c)
	if err != nil && len(data) == 0 {
		t.Fatal(err)
	}
	r := s.request(t, http.MethodPost, "/v1/validate/ubl", nil)
	res, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(data)), r)
	if err != nil {
		t.Fatalf("%v in %q", err, data)
	}
	return read(t, r, res)
}

func TestSlowBody(t *testing.T) {
	s := start(t, func(c *server.Config) { c.HeaderTimeout, c.ReadTimeout = time.Second, time.Second })
	p := s.answered(t, s.slowly(t, 1000, "<a>")).wants(t, 408, "REQUEST-TIMEOUT")
	if !strings.Contains(p.Detail, "within 1s") {
		t.Error(p.Detail)
	}
	eventually(t, "its memory is given back", func() bool { return s.Buffered() == 0 })
}

// A body that gives its place to another request is told that the server was full, not that it
// was too slow, as XML and as a form.
func TestSlowestBodyIsToldWhy(t *testing.T) {
	s := start(t, func(c *server.Config) { c.MaxRequests, c.MaxValidations = 1, 1 })
	for mediaType, begin := range map[string]string{
		"application/xml":                 "<a>",
		"multipart/form-data; boundary=b": "--b\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n<a>",
	} {
		c := s.slowlyAs(t, mediaType, 1000, begin)
		eventually(t, "the slow one is served", func() bool { return s.Buffered() > 0 })
		eventually(t, "the newcomer finds a place", func() bool { return s.post(t, "ubl", sample(t, "ubl-valid.xml")).StatusCode == 200 })
		a := s.answered(t, c)
		p := a.wants(t, 503, "OVERLOADED")
		if !strings.Contains(p.Detail, "slowest") || a.Header.Get("Retry-After") == "" || !a.Close {
			t.Errorf("%s: %q, Retry-After %q, closed: %t", mediaType, p.Detail, a.Header.Get("Retry-After"), a.Close)
		}
		eventually(t, "its memory is given back", func() bool { return s.Buffered() == 0 })
	}
}

func TestBodyCutOff(t *testing.T) {
	s := start(t, nil)
	c := s.slowly(t, 1000, "<a>")
	if err := c.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	s.answered(t, c).wants(t, 400, "BODY-INCOMPLETE")
}

// TestOverload fills each of the three bounds in turn: the next request is
// told at once, and the next one is served again.
func TestOverload(t *testing.T) {
	document := sample(t, "ubl-valid.xml")
	serves := func(t *testing.T, s *testServer) {
		t.Helper()
		eventually(t, "the server serves again", func() bool { return s.post(t, "ubl", document).StatusCode == 200 })
	}
	refuses := func(t *testing.T, a *answer) {
		t.Helper()
		a.wants(t, 503, "OVERLOADED")
		if a.Header.Get("Retry-After") == "" {
			t.Error("no Retry-After")
		}
	}
	t.Run("requests", func(t *testing.T) {
		s := start(t, func(c *server.Config) { c.MaxRequests, c.MaxValidations = 1, 1 })
		c := s.slowly(t, 1000, "<a>")
		eventually(t, "the slow one is served", func() bool { return s.Buffered() > 0 })
		refuses(t, s.post(t, "ubl", document))     // while the slow one is being served
		s.get(t, "/v1/rulesets").wants(t, 200, "") // small requests are served meanwhile
		_ = c.Close()
		serves(t, s)
	})
	t.Run("memory", func(t *testing.T) {
		s := start(t, func(c *server.Config) { c.MaxBody, c.MaxMemory = 1_000_000, 20_000_000 })
		many := make([]net.Conn, 9) // of 1 MB each; the work on one more is beyond the share of the key
		for i := range many {
			many[i] = s.slowly(t, 1_000_000, "<a>"+strings.Repeat("x", 999_000))
		}
		eventually(t, "the slow ones have come", func() bool { return s.Buffered() > 8_900_000 })
		refuses(t, s.raw(t, "ubl", "application/xml", strings.NewReader(strings.Repeat("x", 600_000))))
		for _, c := range many {
			_ = c.Close()
		}
		serves(t, s)
		eventually(t, "all memory is given back", func() bool { return s.Buffered() == 0 })
	})
	t.Run("validations", func(t *testing.T) {
		s := start(t, func(c *server.Config) { c.MaxValidations, c.QueueWait = 2, 20*time.Millisecond })
		free := s.Occupy()
		refuses(t, s.post(t, "ubl", document))
		free()
		serves(t, s)
	})
}

func TestValidationTimeout(t *testing.T) {
	s := start(t, func(c *server.Config) { c.RequestTimeout = time.Nanosecond })
	s.post(t, "ubl", sample(t, "ubl-valid.xml")).wants(t, 503, "VALIDATION-TIMEOUT")
}

// TestRegistryKnowsEveryFormatError reads the sources of the readers: a new code
// there must be registered here.
func TestRegistryKnowsEveryFormatError(t *testing.T) {
	known := map[string]bool{}
	for _, c := range refusal.Codes {
		known[c.Code] = true
	}
	found := 0
	for _, file := range []string{"error.go", filepath.Join("xmlparse", "error.go"), filepath.Join("pdf", "error.go"), filepath.Join("parse", "error.go")} {
		source, err := os.ReadFile(filepath.Join("..", "formats", file))
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, source, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 || !strings.HasPrefix(spec.Names[0].Name, "Code") {
				return true
			}
			if literal, ok := spec.Values[0].(*ast.BasicLit); ok {
				code, _ := strconv.Unquote(literal.Value)
				found++
				if !known[code] {
					t.Errorf("%s is not in the registry", code)
				}
			}
			return true
		})
	}
	if found < 20 {
		t.Errorf("only %d codes were found", found)
	}
}
