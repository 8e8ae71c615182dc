package verdict_test

import (
	"testing"

	"einvoice/engine"
	"einvoice/service/verdict"
)

// A report has a reason for rules that were not checked only where some were not.
func TestMissingRules(t *testing.T) {
	for _, c := range []struct {
		report *engine.Report
		want   string
	}{
		{nil, ""},
		{&engine.Report{Profile: "EN 16931", Valid: true}, ""},
		{&engine.Report{Profile: "A", ValidatedAs: "EN 16931"}, "The rules of A are not part of this program and were not checked."},
		{&engine.Report{Profile: "A", ValidatedAs: "EN 16931", NotAsked: true}, "Not all rules of A were asked for; the others were not checked."},
	} {
		if got := verdict.MissingRules(c.report); got != c.want {
			t.Errorf("%+v: %q, want %q", c.report, got, c.want)
		}
	}
}
