package server_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/rulesets"
	"einvoice/server"
	"einvoice/service/kosit"
)

// startKosit runs the daemon.
func startKosit(t *testing.T, page bool, change func(*server.Config)) string {
	t.Helper()
	library, err := engine.Open(rulesets.FS)
	if err != nil {
		t.Fatal(err)
	}
	c, err := kosit.BuiltIn(library)
	if err != nil {
		t.Fatal(err)
	}
	config := server.DefaultConfig()
	if change != nil {
		change(&config)
	}
	s, err := server.NewKosit(config, server.Kosit{Configuration: c, Page: page}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	hs := httptest.NewServer(s)
	t.Cleanup(hs.Close)
	return hs.URL
}

func kositRequest(t *testing.T, method, url string, body []byte, header ...string) *answer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/xml")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var out bytes.Buffer
	if _, err := out.ReadFrom(res.Body); err != nil {
		t.Fatal(err)
	}
	return &answer{res, out.Bytes()}
}

func shippedUBL(t *testing.T) []byte {
	t.Helper()
	data, err := fs.ReadFile(rulesets.FS, "examples/base-ubl.xml")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The daemon answers as that of KoSIT's validator: status, media type and body.
func TestKosit(t *testing.T) {
	url := startKosit(t, true, nil)
	valid := shippedUBL(t)
	invalid := bytes.Replace(valid, []byte("<cbc:InvoiceTypeCode>380<"), []byte("<cbc:InvoiceTypeCode>999<"), 1)
	const report, plain = "application/xml", "text/plain; charset=utf-8"
	for name, tt := range map[string]struct {
		method, path string
		body         []byte
		header       []string
		status       int
		kind, want   string
	}{
		"acceptable":     {"POST", "/", valid, nil, 200, report, "<rep:documentReference>supplied_instance_"},
		"named":          {"POST", "/folder/my.xml?x=1", valid, nil, 200, report, "<rep:documentReference>my.xml<"},
		"other type":     {"POST", "/", valid, []string{"Content-Type", "text/plain"}, 200, report, "<rep:accept>"},
		"rejected":       {"POST", "/x", invalid, nil, 406, report, `code="BR-CL-01" level="error"`},
		"no scenario":    {"POST", "/x", []byte("<a/>"), nil, 406, report, "<rep:noScenarioMatched>"},
		"no XML":         {"POST", "/x", []byte("<a"), nil, 422, report, `id="val-xml.1"`},
		"no document":    {"POST", "/x", nil, nil, 400, plain, "No document was supplied"},
		"a form":         {"POST", "/x", valid, []string{"Content-Type", "multipart/form-data; boundary=x"}, 400, plain, "as the body itself"},
		"encoded":        {"POST", "/x", valid, []string{"Content-Encoding", "gzip"}, 415, plain, "Content-Encoding"},
		"another method": {"PUT", "/x", valid, nil, 405, plain, "POST the document"},
		"page":           {"GET", "/", nil, nil, 200, "text/html; charset=utf-8", "POST an invoice in XML to any path"},
		"no page":        {"GET", "/x", nil, nil, 404, plain, "POST a document to any path"},
		"health":         {"GET", "/server/health", nil, nil, 200, report, "<status>UP</status>"},
		"config":         {"GET", "/server/config", nil, nil, 200, report, "<name>EN16931 XRechnung (CII)</name>"},
		"second":         {"POST", "/api/validate", invalid, nil, 200, report, `code="BR-CL-01"`},
		"second, XML":    {"POST", "/api/validate/minimal", invalid, []string{"Accept", "application/xml"}, 200, report, "http://www.xproc.org/ns/xvrl"},
	} {
		a := kositRequest(t, tt.method, url+tt.path, tt.body, tt.header...)
		if a.StatusCode != tt.status || a.Header.Get("Content-Type") != tt.kind || !strings.Contains(string(a.body), tt.want) {
			t.Errorf("%s: %d %s, want %d %s with %q:\n%.400s", name, a.StatusCode, a.Header.Get("Content-Type"), tt.status, tt.kind, tt.want, a.body)
		}
	}
}

// Which of the two forms a client gets depends on what it prefers, not on what it names first.
func TestKositSecondAccept(t *testing.T) {
	url := startKosit(t, false, nil)
	const asXML, asJSON = "application/xml", "application/json"
	for accept, want := range map[string]string{
		"application/json":                        asJSON,
		"application/xml":                         asXML,
		"application/json;q=0.3, application/xml": asXML,
		"application/xml;q=0.3, application/json": asJSON,
		"application/xml, */*;q=0.1":              asXML,
		"application/xml;q=0, */*":                asJSON,
		"application/json, application/xml":       asJSON,
		"application/xml, application/json":       asXML,
		"*/*":                                     asJSON,
		"*/*;q=0":                                 asXML,
		"text/html":                               asXML,
	} {
		a := kositRequest(t, "POST", url+"/api/validate/minimal", shippedUBL(t), "Accept", accept)
		if got := a.Header.Get("Content-Type"); got != want {
			t.Errorf("Accept: %s gets %s, want %s", accept, got, want)
		}
	}
}

// Version 2 has the outcome in headers and in JSON.
func TestKositSecond(t *testing.T) {
	url := startKosit(t, false, nil)
	invalid := bytes.Replace(shippedUBL(t), []byte("<cbc:InvoiceTypeCode>380<"), []byte("<cbc:InvoiceTypeCode>999<"), 1)
	a := kositRequest(t, "POST", url+"/api/validate/minimal", invalid, "Accept", "application/json")
	for name, want := range map[string]string{"X-VALIDATOR-Acceptance": "REJECT", "X-VALIDATOR-Schema-Valid": "true", "X-VALIDATOR-Schematron-Valid": "false"} {
		if got := a.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	var compact kosit.Compact
	if err := json.Unmarshal(a.body, &compact); err != nil {
		t.Fatal(err)
	}
	if compact.Rejected != 1 || compact.Acceptable != 0 || len(compact.Results) != 1 || compact.Results[0].Scenario != "EN16931 (UBL Invoice)" {
		t.Errorf("%s", a.body)
	}
	if a := kositRequest(t, "GET", url+"/", nil); a.StatusCode != http.StatusMethodNotAllowed || a.Header.Get("Allow") != "POST" {
		t.Errorf("without its page, GET is %d", a.StatusCode)
	}
}

// Bodies are bounded as those of the service.
func TestKositLimits(t *testing.T) {
	url := startKosit(t, false, func(c *server.Config) { c.MaxBody = 1 << 20 })
	if a := kositRequest(t, "POST", url+"/x", bytes.Repeat([]byte(" "), 2<<20)); a.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("a body that is too large: %d %s", a.StatusCode, a.body)
	}
}
