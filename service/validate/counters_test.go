//go:build counters

package validate_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"einvoice/engine/count"
	"einvoice/service/internal/kittest"
	"einvoice/service/validate"
)

// TestCounters prints what a validation of a document of xrechnung-schematron does, on
// average: by a new service, and by one that has seen the suite three times.
func TestCounters(t *testing.T) {
	files, err := filepath.Glob("../../../shared/suites/xrechnung-schematron/*.xml")
	if err != nil || len(files) == 0 {
		t.Skipf("skipped: ../shared/suites/xrechnung-schematron is not there (%v)", err)
	}
	s, rules := kittest.Kit(t), validate.Rules{Rulesets: []string{"en16931", "xrechnung"}}
	for pass := range 4 {
		count.Reset()
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Validate(context.Background(), data, rules); err != nil {
				t.Fatal(err)
			}
		}
		each := func(n int64) string { return fmt.Sprintf("%.1f", float64(n)/float64(len(files))) }
		t.Logf("pass %d: nodes %s, contexts tried %s, predicates decided %s, rules asked %s, rows asked %s, contexts over the invoice %s",
			pass+1, each(count.Nodes), each(count.Tried), each(count.Decided), each(count.Asked), each(count.Rows), each(count.Groups))
	}
	if count.Nodes == 0 || count.Asked == 0 {
		t.Error("nothing was counted")
	}
}
