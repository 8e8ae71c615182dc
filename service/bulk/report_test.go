package bulk_test

import (
	"strings"
	"testing"

	"einvoice/service/bulk"
)

// The page says what was counted, and names of documents are text.
func TestReportPage(t *testing.T) {
	s := &bulk.Summary{Operation: "validate", Source: "<in>", All: 3}
	s.Documents, s.Valid, s.Invalid = 3, 1, 2
	s.Rules = map[string]bulk.RuleCount{"BR-1": {Level: "fatal", Documents: 1, Findings: 4}, "BR-2": {Level: "warning", Documents: 2, Findings: 2}}
	s.Sellers = []bulk.SellerCount{{Seller: "Acme <script>", Month: "2026-11", Documents: 3, Invalid: 2}}
	s.GivenUp = []bulk.GivenUp{{Key: "bad.xml", Reason: "given up"}}
	s.Refused = map[string]bulk.RefusedCount{"XML-LIMIT": {Documents: 7, First: "<big>.xml"}}
	var page strings.Builder
	if err := s.WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"complete", "&lt;in&gt;", "Acme &lt;script&gt;", "bad.xml", `<td>XML-LIMIT</td><td class="n">7</td><td>&lt;big&gt;.xml</td>`, "<td>BR-1</td><td>fatal</td>"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Index(page.String(), "BR-2") > strings.Index(page.String(), "BR-1") || strings.Contains(page.String(), "<script") {
		t.Error("the rules are in another order, or a name is not text")
	}
}
