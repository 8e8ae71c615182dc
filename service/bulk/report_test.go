package bulk_test

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"einvoice/service/bulk"
	"einvoice/service/bulk/parquet"
)

// Segments of Parquet have the results of segments of JSON Lines.
func TestParquet(t *testing.T) {
	source := twins(t, 600, 500)
	folder := filepath.Join(t.TempDir(), "out")
	// One worker has the first 500 done before it comes to those that repeat them.
	got := runJobs(t, bulk.Order{Target: bulk.Folder(folder), Source: "twins", Operation: &echo{}, Format: parquet.Format.Name, Formats: []bulk.Format{parquet.Format}}, source, 1)
	want := runFiles(t, bulk.Order{Target: bulk.Folder(filepath.Join(t.TempDir(), "lines")), Source: "twins", Operation: &echo{}}, source)
	if got != want || strings.Count(got, "\n") != 600 {
		t.Errorf("the results are others: %.300s", got)
	}
	if s := status(t, folder); s.Taken != 100 {
		t.Errorf("%d of 100 were taken of segments of Parquet", s.Taken)
	}
	_, err := bulk.Open(t.Context(), bulk.Order{Target: bulk.Folder(folder), Source: "twins", Operation: &echo{}})
	if codeOf(err) != bulk.CodeOther {
		t.Errorf("the same job in another format: %v", err)
	}
	if err := (&bulk.Results{Target: bulk.Folder(folder)}).WriteAll(t.Context(), io.Discard); codeOf(err) != bulk.CodeFormat {
		t.Errorf("a program without the format: %v", err)
	}
}

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
