package server_test

import (
	"bytes"
	"encoding/xml"
	"net/http"
	"slices"
	"strings"
	"testing"

	"einvoice/server"
	"einvoice/service/report"
)

func TestNegotiate(t *testing.T) {
	const html, json, sarif, svrl = "text/html", "application/json", "application/sarif+json", "application/xml"
	for accept, want := range map[string]string{
		"":          json,
		"*/*":       json,
		"text/html": html,
		"TEXT/HTML": html,
		"text/*":    html,
		"image/png": json,
		"nonsense":  json,
		"application/problem+json, application/xml;q=0.9":                 json,
		"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8": html,
		"application/sarif+json, */*;q=0.1":                               sarif,
		"application/xml":                                                 svrl,
		"application/json;q=0, text/html;q=0.1":                           html,
		"application/json;q=0.2, application/xml;q=0.3":                   svrl,
		"application/*": json,
		"application/*;q=0.5, application/json;q=0.1": sarif,
		"text/html;q=2, application/xml;q=x":          json,
		strings.Repeat("a/b,", 100_000) + "text/html": json,
	} {
		if got := server.Negotiate(accept); got != want {
			t.Errorf("%.80q gives %s, want %s", accept, got, want)
		}
	}
	for _, f := range report.Formats { // each can be asked for by name
		if f.MediaType == "" {
			continue // it is for the command line alone
		}
		if got := server.Negotiate(f.MediaType); got != f.MediaType {
			t.Errorf("%s gives %s", f.MediaType, got)
		}
	}
	if got := server.Negotiate("image/png", "text/html"); got != html {
		t.Errorf("two headers give %s", got)
	}
}

func TestReportPage(t *testing.T) {
	s := shared()
	a := s.post(t, "en16931", sample(t, "ubl-faulty.xml"), "Accept", "text/html")
	page := string(a.body)
	if a.StatusCode != http.StatusBadRequest || a.Header.Get("Vary") != "Accept" {
		t.Errorf("got %d, Vary %q", a.StatusCode, a.Header.Get("Vary"))
	}
	loadsNothing(t, page)
	for _, want := range []string{
		"The invoice is not valid", "violates 5 rules", "INV-2026-001", "BR-CO-10", "Sum of invoice line net amount",
		"totals.sumOfLineNetAmounts", `id="l187"`, `href="#l187"`, "&gt;99.99&lt;", "invoice.xml",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
	valid := s.post(t, "en16931", sample(t, "ubl-valid.xml"), "Accept", "text/html")
	if valid.StatusCode != http.StatusOK || !strings.Contains(string(valid.body), "The invoice is valid") {
		t.Errorf("got %d", valid.StatusCode)
	}
}

// TestReportPageEscapes puts markup where a document can have it.
func TestReportPageEscapes(t *testing.T) {
	document := bytes.Replace(sample(t, "ubl-faulty.xml"), []byte(">INV-2026-001<"), []byte("><![CDATA[<script>alert(1)</script>]]><"), 1)
	body := "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"<script>.xml\"\r\n\r\n" + string(document) + "\r\n--b--\r\n"
	page := string(shared().raw(t, "ubl", "multipart/form-data; boundary=b", strings.NewReader(body), "Accept", "text/html").body)
	loadsNothing(t, page)
	if !strings.Contains(page, "&lt;script&gt;alert(1)") || !strings.Contains(page, "&lt;script&gt;.xml") {
		t.Error("the texts are not shown")
	}
}

// TestReportPageBounds shows a document of many lines, long ones and many faults.
func TestReportPageBounds(t *testing.T) {
	valid := string(sample(t, "ubl-valid.xml"))
	begin, end := strings.Index(valid, "<cac:InvoiceLine>"), strings.Index(valid, "</cac:InvoiceLine>")
	line := strings.Replace(valid[begin:end+len("</cac:InvoiceLine>")], "HUR", "XXX", 1)
	document := strings.Replace(valid, "</ubl:Invoice>", strings.Repeat(line+"\n", 1500)+"</ubl:Invoice>", 1)
	document = strings.Replace(document, ">INV-2026-001<", ">"+strings.Repeat("9", 5000)+"<", 1)
	page := string(shared().post(t, "ubl", []byte(document), "Accept", "text/html").body)
	for _, want := range []string{"are not shown here", "The first 5000 of", "more bytes)"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
	r := shared().post(t, "ubl", []byte(document)).result(t)
	if len(r.Findings) != 1000 || !bytes.Contains(shared().post(t, "ubl", []byte(document)).body, []byte(`"findingsOmitted":`)) || r.Report.Counts.Fatal < 1500 {
		t.Errorf("%d findings, counts %+v", len(r.Findings), r.Report.Counts)
	}
}

func TestSARIF(t *testing.T) {
	s := shared()
	plain := s.post(t, "en16931", sample(t, "ubl-faulty.xml")).result(t)
	a := s.post(t, "en16931", sample(t, "ubl-faulty.xml"), "Accept", "application/sarif+json")
	if a.StatusCode != http.StatusBadRequest || a.Header.Get("Content-Type") != "application/sarif+json" {
		t.Errorf("got %d %s", a.StatusCode, a.Header.Get("Content-Type"))
	}
	var log struct {
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name  string
					Rules []struct{ ID string }
				}
			}
			Results []struct {
				RuleID    string
				RuleIndex int
				Level     string
				Message   struct{ Text string }
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           *struct{ StartLine, StartColumn int }
					}
				}
			}
		}
	}
	a.decode(t, &log)
	if log.Version != "2.1.0" || len(log.Runs) != 1 || log.Runs[0].Tool.Driver.Name != "einvoice" || len(log.Runs[0].Results) != len(plain.Findings) {
		t.Fatalf("got %.500s", a.body)
	}
	for i, r := range log.Runs[0].Results {
		f := plain.Findings[i]
		region := r.Locations[0].PhysicalLocation.Region
		if r.RuleID != f.Rule || r.Message.Text != f.Message || r.Level != "error" || log.Runs[0].Tool.Driver.Rules[r.RuleIndex].ID != f.Rule {
			t.Errorf("result %d is %+v, the finding %+v", i, r, f)
		}
		if region == nil || region.StartLine != *f.Line || region.StartColumn != *f.Column || r.Locations[0].PhysicalLocation.ArtifactLocation.URI != "invoice.xml" {
			t.Errorf("result %d is at %+v", i, r.Locations[0])
		}
	}
}

func TestSVRL(t *testing.T) {
	s := shared()
	document := bytes.Replace(sample(t, "ubl-faulty.xml"), []byte("<cbc:ID>"), []byte("<cbc:ID>x</cbc:ID><cbc:ID>"), 1)
	plain := s.post(t, "en16931", document).result(t)
	a := s.post(t, "en16931", document, "Accept", "application/xml")
	if a.StatusCode != http.StatusBadRequest || a.Header.Get("Content-Type") != "application/xml" {
		t.Errorf("got %d %s", a.StatusCode, a.Header.Get("Content-Type"))
	}
	var out struct {
		XMLName  xml.Name `xml:"http://purl.oclc.org/dsdl/svrl schematron-output"`
		Prefixes []struct {
			Prefix string `xml:"prefix,attr"`
		} `xml:"http://purl.oclc.org/dsdl/svrl ns-prefix-in-attribute-values"`
		Patterns []struct {
			ID string `xml:"id,attr"`
		} `xml:"http://purl.oclc.org/dsdl/svrl active-pattern"`
		Fired   []struct{} `xml:"http://purl.oclc.org/dsdl/svrl fired-rule"`
		Asserts []struct {
			ID       string `xml:"id,attr"`
			Flag     string `xml:"flag,attr"`
			Location string `xml:"location,attr"`
			Test     string `xml:"test,attr"`
			Text     string `xml:"http://purl.oclc.org/dsdl/svrl text"`
		} `xml:"http://purl.oclc.org/dsdl/svrl failed-assert"`
	}
	if err := xml.Unmarshal(a.body, &out); err != nil {
		t.Fatal(err)
	}
	if len(out.Asserts) != len(plain.Findings) || len(out.Fired) != len(out.Asserts) || len(out.Patterns) != 2 || len(out.Prefixes) < 10 {
		t.Fatalf("%d asserts of %d findings, %d fired, %d patterns", len(out.Asserts), len(plain.Findings), len(out.Fired), len(out.Patterns))
	}
	var ids []string
	for _, assert := range out.Asserts {
		ids = append(ids, assert.ID)
		if assert.Flag != "fatal" || !strings.HasPrefix(assert.Location, "/") || assert.Test == "" || !strings.HasPrefix(assert.Text, "["+assert.ID+"] ") {
			t.Errorf("got %+v", assert)
		}
	}
	for _, f := range plain.Findings {
		if !slices.Contains(ids, f.Rule) {
			t.Errorf("%s is missing", f.Rule)
		}
	}
}

// Every format of the command line is served as well.
func TestEveryFormat(t *testing.T) {
	for _, f := range report.Formats {
		a := shared().post(t, "en16931", sample(t, "ubl-faulty.xml"), "Accept", f.MediaType)
		if a.StatusCode != http.StatusBadRequest || !bytes.Contains(a.body, []byte("BR-CO-10")) {
			t.Errorf("%s: %d %.200s", f.Name, a.StatusCode, a.body)
		}
		if got := a.Header.Get("Content-Type"); !strings.HasPrefix(got, f.MediaType) && f.Name != "json" {
			t.Errorf("%s is sent as %s", f.Name, got)
		}
	}
}
