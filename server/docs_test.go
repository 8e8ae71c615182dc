package server_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"einvoice/server/refusal"
)

// TestErrorsPage compares the table of docs/service.md with the registry.
func TestErrorsPage(t *testing.T) {
	page, err := os.ReadFile("../docs/service.md")
	if err != nil {
		t.Fatal(err)
	}
	var rows strings.Builder
	for _, c := range refusal.Codes {
		fmt.Fprintf(&rows, "| `%s` | %d | %s |\n", c.Code, c.Status, c.Meaning)
	}
	if !strings.Contains(string(page), "| errorCode | status | meaning |\n| --- | --- | --- |\n"+rows.String()+"\n") {
		t.Errorf("the table of errors should be\n%s", rows.String())
	}
}

// TestMetricsPage sees that docs/service.md names every metric of ours.
func TestMetricsPage(t *testing.T) {
	page, err := os.ReadFile("../docs/service.md")
	if err != nil {
		t.Fatal(err)
	}
	shared().post(t, "ubl", sample(t, "ubl-faulty.xml"))
	named := 0
	for line := range strings.SplitSeq(string(shared().get(t, "/metrics").body), "\n") {
		if name, ok := strings.CutPrefix(line, "# TYPE einvoice_"); ok {
			name, _, _ = strings.Cut(name, " ")
			named++
			if !strings.Contains(string(page), "`einvoice_"+name+"`") {
				t.Errorf("the page does not name einvoice_%s", name)
			}
		}
	}
	if named < 10 {
		t.Errorf("only %d metrics", named)
	}
}
