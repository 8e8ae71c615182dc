package report_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"os"
	"regexp"
	"strings"
	"testing"

	"einvoice/engine"
	"einvoice/formats/parse"
	"einvoice/service/report"
)

// The page has each value at its place, says what is doubtful, and loads nothing.
func TestParsed(t *testing.T) {
	letter, err := os.ReadFile("../../formats/parse/testdata/letter.pdf")
	if err != nil {
		t.Fatal(err)
	}
	r, err := parse.PDF(context.Background(), letter, parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	r.Fields["/number"].Value = `<script>"&`
	r.Review = append(r.Review, parse.Review{Message: "look here", Fields: []string{"/number"}})
	var page bytes.Buffer
	if err := report.Parsed(&page, "scan & co.pdf", r, []engine.Finding{{Rule: "BR-02", Level: engine.Fatal, Message: "A number is missing."}}); err != nil {
		t.Fatal(err)
	}
	s := page.String()
	for _, want := range []string{"scan &amp; co.pdf", "look here", "BR-02", "&lt;script&gt;", "Studio Weber", "totals.totalAmountWithVat", "svg viewBox"} {
		if !strings.Contains(s, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if regexp.MustCompile(`(?i)<script|src=|url\(|https?:|<link|@import`).MatchString(s) {
		t.Error("the page loads or runs something")
	}
	svg := s[strings.Index(s, "<svg"):strings.Index(s, "</svg>")]
	boxes := strings.Count(svg, "<rect")
	printed := 0
	for _, f := range r.Fields {
		if f.Box != nil && f.Page == 1 {
			printed++
		}
	}
	if boxes != printed || boxes < 20 {
		t.Errorf("%d boxes are drawn, want %d", boxes, printed)
	}
	if err := xml.Unmarshal([]byte(svg+"</svg>"), new(struct{})); err != nil {
		t.Errorf("the drawing is not XML: %v", err)
	}
}
