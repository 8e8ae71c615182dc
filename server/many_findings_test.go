package server_test

import (
	"strings"
	"testing"
)

// An answer that cannot have all findings has the first of every rule, in each form.
func TestManyFindingsOfFewRules(t *testing.T) {
	text := string(sample(t, "ubl-valid.xml"))
	from, to := strings.Index(text, "<cac:InvoiceLine>"), strings.Index(text, "</cac:InvoiceLine>")+len("</cac:InvoiceLine>")
	line := text[from:to]
	decimals := strings.Replace(line, ">100.00</cbc:LineExtensionAmount>", ">100.001</cbc:LineExtensionAmount>", 1)
	unit := strings.Replace(line, `unitCode="HUR"`, `unitCode="NONE"`, 1)
	document := text[:from] + strings.Repeat(decimals, 1200) + unit + text[to:]
	s := start(t, nil)
	for _, accept := range []string{"application/json", "text/html", "application/sarif+json", "application/xml", "application/x-junit+xml", "application/jsonl", "text/plain"} {
		t.Run(accept, func(t *testing.T) {
			a := s.raw(t, "en16931", "application/xml", strings.NewReader(document), "Accept", accept)
			if a.StatusCode != 400 {
				t.Fatalf("got %d %.300s", a.StatusCode, a.body)
			}
			for _, rule := range []string{"BR-DEC-23", "BR-CL-23"} {
				if !strings.Contains(string(a.body), rule) {
					t.Errorf("no finding of %s", rule)
				}
			}
			if accept == "application/json" {
				if n := len(a.result(t).Findings); n != 1000 {
					t.Errorf("got %d findings", n)
				}
			}
		})
	}
}
