package server_test

import (
	"fmt"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"einvoice/model/quote"
	"einvoice/server"
)

// TestHostileForms sends forms that are meant to hurt. Each gets a designed
// error, and the server serves the next one.
func TestHostileForms(t *testing.T) {
	s := start(t, func(c *server.Config) { c.MaxBody = 2 << 20 })
	field := func(name, value string) string {
		return "--b\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n"
	}
	end := "--b--\r\n"
	for _, c := range []struct {
		name, body string
		status     int
		code       string
	}{
		{"thousands of fields", strings.Repeat(field("x", "1"), 20_000) + end, 413, "TOO-MANY-PARTS"},
		{"a giant part of another name", field("x", strings.Repeat("x", 3<<20)) + end, 413, "BODY-TOO-LARGE"},
		{"a giant file", field("file", strings.Repeat("x", 3<<20)) + end, 413, "BODY-TOO-LARGE"},
		{"a giant head of a part", "--b\r\nContent-Disposition: form-data; name=\"file\"\r\n" + strings.Repeat("X: y\r\n", 100_000) + "\r\n<a/>\r\n" + end, 400, "MULTIPART-MALFORMED"},
		{"a giant line in a head", "--b\r\nX: " + strings.Repeat("y", 1<<20) + "\r\n\r\n<a/>\r\n" + end, 400, "FILE-MISSING"},
		{"a head without an end", "--b\r\nContent-Disposition: form-data; name=\"file\"", 400, "FILE-MISSING"},
		{"a name of null bytes", field("\x00\x00", "1") + end, 400, "MULTIPART-MALFORMED"},
		{"a name beginning like it", field("file\x00", "<a/>") + end, 400, "MULTIPART-MALFORMED"},
		{"a giant name", field(strings.Repeat("n", 100_000), "1") + end, 400, "FILE-MISSING"},
		{"null bytes as a file", field("file", strings.Repeat("\x00", 1000)) + end, 422, "NOT-XML"},
		{"a form within a form", "--b\r\nContent-Disposition: form-data; name=\"file\"\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n\r\n<a/>\r\n--c--\r\n" + end, 422, ""},
		{"an encoded file", "--b\r\nContent-Disposition: form-data; name=\"file\"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n=3Ca/=3E\r\n" + end, 422, "NOT-XML"},
		{"boundaries alone", strings.Repeat("--b\r\n\r\n\r\n", 200_000), 413, "TOO-MANY-PARTS"},
		{"no head at all", strings.Repeat("\r\n", 100_000), 400, "FILE-MISSING"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := s.raw(t, "ubl", "multipart/form-data; boundary=b", strings.NewReader(c.body))
			code := c.code
			if code == "" {
				code = a.result(t).ErrorCode
			}
			p := a.wants(t, c.status, code)
			if len(p.Detail) > 1000 {
				t.Errorf("the detail has %d bytes", len(p.Detail))
			}
		})
	}
	s.post(t, "ubl", sample(t, "ubl-valid.xml")).wants(t, 200, "")
	if n := s.Buffered(); n != 0 {
		t.Errorf("%d bytes were not given back", n)
	}
}

// TestHostileDocuments are small to send and costly to read.
func TestHostileDocuments(t *testing.T) {
	s := start(t, func(c *server.Config) { c.MaxBody = 8 << 20 })
	for name, c := range map[string]struct {
		body   string
		status int
	}{
		"deep":             {strings.Repeat("<a>", 1_000_000), 422},
		"many elements":    {"<a>" + strings.Repeat("<b/>", 1_050_000) + "</a>", 422},
		"too many marks":   {"<a>" + strings.Repeat("<b/>", 1_500_000) + "</a>", 413},
		"many attributes":  {"<a " + strings.Repeat("b='' ", 100_000) + "/>", 422},
		"many names":       {"<a>" + names(50_000) + "</a>", 422},
		"many empty lines": {emptyLines(t, 100_000, ""), 422},
		"a long number":    {longNumber(t, 300_000, 1000), 400},
		"long names":       {strings.Replace(string(sample(t, "ubl-valid.xml")), "<cac:InvoiceLine>", "<"+strings.Repeat("n", 4<<20)+"/><cac:InvoiceLine>", 1), 422},
		"a long namespace": {strings.Replace(string(sample(t, "ubl-valid.xml")), "<cac:InvoiceLine>", "<x xmlns='"+strings.Repeat("n", 4<<20)+"'>"+strings.Repeat("<y/>", 5000)+"</x><cac:InvoiceLine>", 1), 422},
		"long codes":       {strings.ReplaceAll(string(sample(t, "ubl-valid.xml")), `currencyID="EUR"`, `currencyID="`+strings.Repeat("E", 100_000)+`"`), 400},
		"fuller ones":      {emptyLines(t, 2_000, "<cbc:Note>"+strings.Repeat("x", 200)+"</cbc:Note>"), 400},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			a := s.raw(t, "ubl", "application/xml", strings.NewReader(c.body))
			runtime.ReadMemStats(&after)
			if a.StatusCode != c.status {
				t.Errorf("got %d %.300s", a.StatusCode, a.body)
			}
			if len(a.body) > 8<<20 {
				t.Errorf("the answer has %d bytes", len(a.body))
			}
			t.Logf("%d bytes sent, %d allocated, %d answered", len(c.body), after.TotalAlloc-before.TotalAlloc, len(a.body))
		})
	}
}

// TestAnswersQuoteTheBeginning: what a document or an option holds is quoted up to 256 characters.
func TestAnswersQuoteTheBeginning(t *testing.T) {
	s := shared()
	long := strings.Repeat("q", 700)
	tooLong := strings.Repeat("q", quote.Most+1)
	invoice := string(sample(t, "ubl-valid.xml"))
	create := func(options string) string {
		return smallest(t, `"invoice"`, `"options": {`+options+`}, "invoice"`)
	}
	for name, c := range map[string]struct{ path, contentType, body string }{
		"a prefix":                 {"/v1/validate/ubl", "application/xml", "<" + long + ":a/>"},
		"a name":                   {"/v1/validate/ubl", "application/xml", "<" + long + "/>"},
		"an entity":                {"/v1/validate/ubl", "application/xml", "<a>&" + long + ";</a>"},
		"a day":                    {"/v1/validate/ubl?at=" + long, "application/xml", invoice},
		"an overlay":               {"/v1/validate/ubl?overlay=" + long, "application/xml", invoice},
		"a rule":                   {"/v1/validate/ubl?explain=" + long, "application/xml", invoice},
		"a language of messages":   {"/v1/validate/ubl?language=" + long, "application/xml", invoice},
		"a profile":                {"/v1/transform/to/zugferd?profile=" + long, "application/xml", invoice},
		"a look":                   {"/v1/transform/to/zugferd?look=" + long, "application/xml", invoice},
		"a language of pages":      {"/v1/transform/to/zugferd?language=" + long, "application/xml", invoice},
		"a date":                   {"/v1/transform/to/zugferd?date=" + long, "application/xml", invoice},
		"a profile in a request":   {"/v1/create/zugferd", "application/json", create(`"profile": "` + long + `"`)},
		"a look in a request":      {"/v1/create/zugferd", "application/json", create(`"look": "` + long + `"`)},
		"a language in a request":  {"/v1/create/zugferd", "application/json", create(`"language": "` + long + `"`)},
		"a currency in an invoice": {"/v1/create/zugferd", "application/json", smallest(t, `"EUR"`, `"`+long+`"`)},
	} {
		t.Run(name, func(t *testing.T) {
			a := s.send(t, c.path, c.contentType, c.body)
			if a.StatusCode < 400 {
				t.Fatalf("got %d", a.StatusCode)
			}
			if strings.Contains(string(a.body), tooLong) {
				t.Errorf("the answer quotes more than %d characters: %.1500s", quote.Most, a.body)
			}
		})
	}
}

// longNumber is an invoice with an amount of so many decimals and so many entries of the VAT
// breakdown, each of which violates rules that quote the amount.
func longNumber(t *testing.T, decimals, entries int) string {
	text := string(sample(t, "ubl-valid.xml"))
	at := strings.Index(text, "<cac:InvoiceLine>")
	text = text[:at] + strings.Replace(text[at:], ">100.00</cbc:LineExtensionAmount>", ">100."+strings.Repeat("0", decimals)+"</cbc:LineExtensionAmount>", 1)
	from, to := strings.Index(text, "<cac:TaxSubtotal>"), strings.Index(text, "</cac:TaxTotal>")
	return text[:from] + strings.Repeat(text[from:to], entries) + text[to:]
}

// emptyLines is an invoice with lines that violate much.
func emptyLines(t *testing.T, n int, content string) string {
	return strings.Replace(string(sample(t, "ubl-valid.xml")), "<cac:InvoiceLine>", strings.Repeat("<cac:InvoiceLine>"+content+"</cac:InvoiceLine>\n", n)+"<cac:InvoiceLine>", 1)
}

func names(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "<n%d/>", i)
	}
	return b.String()
}

// TestPathTricks tries to leave the paths that are served.
func TestPathTricks(t *testing.T) {
	s := shared()
	for _, path := range []string{
		"/v1/validate/../../etc/passwd", "/v1/validate/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "/v1/rules/..%2f..%2fgo.mod", "//v1//rules", "/v1/rules/%00",
		"/v1/rules/BR-CO-10%00", "/v1/rules/br-co-10", "/V1/rules", "/docs/", "/docs/style.css", "/metrics/", "/debug/pprof/", "/v1/rules/%ff", "/openapi.yaml",
	} {
		if a := s.get(t, path); a.StatusCode != http.StatusNotFound {
			t.Errorf("%s: got %d", path, a.StatusCode)
		}
	}
	// As no client library would send it.
	for _, line := range []string{"GET /../../etc/passwd HTTP/1.1", "GET http://elsewhere/v1/rules HTTP/1.1", "GET * HTTP/1.1", "GET /\x00 HTTP/1.1", "\x16\x03\x01", "GET / HTTP/9.9", "BREW / HTTP/1.1"} {
		c, err := new(net.Dialer).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = fmt.Fprintf(c, "%s\r\nHost: test\r\nConnection: close\r\n\r\n", line)
		head := make([]byte, 12)
		_, _ = c.Read(head)
		c.Close()
		if strings.Contains(string(head), " 200") || strings.Contains(string(head), " 500") {
			t.Errorf("%q: got %q", line, head)
		}
	}
	s.get(t, "/health/live").wants(t, 200, "")
}

// TestStrangeHeaders sends headers that parsers trip over.
func TestStrangeHeaders(t *testing.T) {
	s := shared()
	long := strings.Repeat("a/b;q=0.1,", 1000)
	for _, h := range [][2]string{{"Accept", long}, {"Accept", ";;;"}, {"Accept", "text/html;q=\"0.5"}, {"X-Request-Id", strings.Repeat("x", 8000)}, {"Authorization", "Bearer " + strings.Repeat("x", 8000)}, {"Range", "bytes=0-1"}, {"Expect", "100-continue"}} {
		a := s.post(t, "ubl", sample(t, "ubl-valid.xml"), h[0], h[1])
		if want := map[bool]int{true: 401, false: 200}[h[0] == "Authorization"]; a.StatusCode != want {
			t.Errorf("%s: got %d", h[0], a.StatusCode)
		}
	}
}

// TestNothingOfTheInvoiceInTheLog looks for what the documents say.
func TestNothingOfTheInvoiceInTheLog(t *testing.T) {
	s := start(t, nil)
	for _, name := range []string{"ubl-valid.xml", "ubl-faulty.xml"} {
		s.post(t, "xrechnung", sample(t, name))
	}
	s.raw(t, "ubl", "application/xml", strings.NewReader("<Secret>\n<Content></Secret>"))
	eventually(t, "three requests are in the log", func() bool { return strings.Count(s.log.String(), `"msg":"request"`) == 3 })
	log := s.log.String()
	for _, secret := range []string{"INV-2026-001", "Example Seller", "99.99", "Secret", "Content", "invoice.xml"} {
		if strings.Contains(log, secret) {
			t.Errorf("the log has %q", secret)
		}
	}
	if !strings.Contains(log, `"route":"/v1/validate/:format"`) || !strings.Contains(log, `"outcome":"invalid"`) {
		t.Errorf("got log %s", log)
	}
}
