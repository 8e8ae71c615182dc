package server_test

import (
	"bytes"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/antchfx/xmlquery"
	"github.com/antchfx/xpath"
)

// reportInAnswer is how the class ZugferdKositValidator of horstoeko/zugferd finds the
// report in an answer, which it has with its head.
var reportInAnswer = regexp.MustCompile(`(?s)<\?xml.*?\?>.*</.+>`)

// TestKositHorstoeko does what ZugferdKositValidator does in remote mode: GET the address,
// POST the document there, take 2xx and 3xx for valid, and look for messages in the report
// otherwise, by paths whose prefixes the report itself declares.
func TestKositHorstoeko(t *testing.T) {
	url := startKosit(t, true, nil)
	if a := horstoeko(t, http.MethodGet, url, nil); a.StatusCode < 200 || a.StatusCode >= 400 {
		t.Fatalf("the client takes %d for no daemon", a.StatusCode)
	}
	valid := shippedUBL(t)
	if a := horstoeko(t, http.MethodPost, url, valid); a.StatusCode != http.StatusOK {
		t.Errorf("a valid document gets %d", a.StatusCode)
	}
	byRule := horstoeko(t, http.MethodPost, url, bytes.Replace(valid, []byte("<cbc:InvoiceTypeCode>380<"), []byte("<cbc:InvoiceTypeCode>999<"), 1))
	if errors := messagesOf(t, byRule, "error"); len(errors) != 1 || !strings.Contains(errors[0], ": [BR-CL-01]-") {
		t.Errorf("got %d with errors %q", byRule.StatusCode, errors)
	}
	bySchema := horstoeko(t, http.MethodPost, url, bytes.Replace(valid, []byte("<cbc:IssueDate>2026-11-20<"), []byte("<cbc:IssueDate>20.11.2026<"), 1))
	if errors := messagesOf(t, bySchema, "error"); len(errors) == 0 || !strings.Contains(errors[0], ": ") || strings.HasPrefix(errors[0], "val-xsd: ") {
		t.Errorf("got %d with errors %q, which name no resource", bySchema.StatusCode, errors)
	}
}

// horstoeko sends a request as the class's curl does.
func horstoeko(t *testing.T, method, url string, body []byte) *answer {
	t.Helper()
	a := kositRequest(t, method, url, body, "Accept", "*/*", "User-Agent", "")
	if a.StatusCode >= http.StatusBadRequest {
		var head bytes.Buffer
		fmt.Fprintf(&head, "%s %s\r\n", a.Proto, a.Status)
		_ = a.Header.Write(&head)
		a.body = reportInAnswer.Find(append(append(head.Bytes(), "\r\n"...), a.body...))
	}
	return a
}

// messagesOf are the messages of a level that the class reads.
func messagesOf(t *testing.T, a *answer, level string) (texts []string) {
	t.Helper()
	if a.StatusCode < http.StatusBadRequest || a.body == nil {
		t.Fatalf("%d, and no report is found", a.StatusCode)
	}
	doc, err := xmlquery.Parse(bytes.NewReader(a.body))
	if err != nil {
		t.Fatal(err)
	}
	root := xmlquery.FindOne(doc, "/*")
	declared := map[string]string{} // DOMXPath knows the prefixes of the document element
	for _, attribute := range root.Attr {
		if attribute.Name.Space == "xmlns" {
			declared[attribute.Name.Local] = attribute.Value
		}
	}
	for _, step := range []string{"val-xsd", "val-sch.1", "val-xml"} {
		name := step
		if found := queried(t, doc, declared, fmt.Sprintf("//rep:report/rep:scenarioMatched/rep:validationStepResult[@id='%s']/s:resource/s:name", step)); found != nil {
			name = found[0]
		}
		for _, text := range queried(t, doc, declared, fmt.Sprintf("//rep:report/rep:scenarioMatched/rep:validationStepResult[@id='%s']/rep:message[@level='%s']", step, level)) {
			texts = append(texts, name+": "+text)
		}
	}
	return texts
}

func queried(t *testing.T, doc *xmlquery.Node, prefixes map[string]string, path string) (texts []string) {
	t.Helper()
	compiled, err := xpath.CompileWithNS(path, prefixes)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	for _, n := range xmlquery.QuerySelectorAll(doc, compiled) {
		texts = append(texts, n.InnerText())
	}
	return texts
}
