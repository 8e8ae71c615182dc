package report

import (
	"fmt"
	"time"

	"einvoice/service/verdict"
)

// A Summary counts the outcomes of a run.
type Summary struct {
	Documents, Valid, Invalid, Unreadable int
	Findings                              int
	Asked                                 int  // documents that were to be validated
	Stopped                               bool // before all of them were
	Took                                  time.Duration
	Rulesets                              map[string]bool // descriptions of the rulesets that were run
}

// Add counts an outcome.
func (s *Summary) Add(o *Outcome) {
	s.Documents++
	switch {
	case o.Err != nil:
		s.Unreadable++
		return
	case o.Report.Valid:
		s.Valid++
	default:
		s.Invalid++
	}
	s.Findings += len(o.Report.Findings) + o.Report.OmittedCount()
	if s.Rulesets == nil {
		s.Rulesets = map[string]bool{}
	}
	for _, r := range o.Report.Rulesets {
		s.Rulesets[fmt.Sprintf("%s %s (sha256 %.12s, %s)", r.Name, r.Version, r.SHA256, verdict.Count(r.Rules, "rule"))] = true
	}
}
