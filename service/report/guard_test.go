package report_test

import (
	"bytes"
	"errors"
	"testing"

	"einvoice/engine"
	"einvoice/model"
	"einvoice/service/report"
)

// No format panics for want of anything in what it is to write: each outcome is hollow in
// another way, and each run ends without a summary, with an empty one, and after no document.
func TestHollowOutcomes(t *testing.T) {
	t.Parallel()
	outcomes := []*report.Outcome{
		nil, {}, {Name: "x"}, {Document: &model.Document{}}, {Err: errors.New("unreadable")}, {Report: &engine.Report{}},
		{Report: &engine.Report{}, Document: &model.Document{}}, {Report: &engine.Report{}, Document: &model.Document{Invoice: &model.Invoice{}}},
		{Report: &engine.Report{Findings: []engine.Finding{{}}}}, {Report: &engine.Report{Findings: []engine.Finding{{Rule: "X", Level: engine.Fatal}}}, Document: &model.Document{}},
	}
	for _, f := range report.Formats {
		for i, o := range outcomes {
			for _, summary := range []*report.Summary{nil, {}} {
				w := f.New(&bytes.Buffer{}, report.Options{})
				part, err := w.Encode(o)
				if nothing := o == nil || o.Report == nil && o.Err == nil; nothing && err == nil {
					t.Errorf("%s: outcome %d: %v", f.Name, i, err)
				}
				if err := w.Write(part); (err != nil) != (part == nil) {
					t.Errorf("%s: outcome %d: %v", f.Name, i, err)
				}
				_ = w.Close(summary)
				_, _ = f.Single(o, report.Options{})
			}
		}
	}
}
