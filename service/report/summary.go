package report

import (
	"fmt"
	"time"

	"einvoice/engine"
	"einvoice/model/numeral"
)

// A Summary counts the outcomes of a run.
type Summary struct {
	Documents, Valid, Invalid, Unreadable int
	Findings                              int
	Asked                                 int  // documents that were to be validated
	Stopped                               bool // before all of them were
	Took                                  time.Duration
	Rulesets                              map[string]bool // descriptions of the rulesets that were run
	Newer                                 map[string]bool // since when which of them are not the newest
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
		s.Rulesets[fmt.Sprintf("%s (sha256 %.12s, %s)", exactly(&r), r.SHA256, numeral.Count(r.Rules, "rule"))] = true
		if newer := notNewest(&r); newer != "" {
			if s.Newer == nil {
				s.Newer = map[string]bool{}
			}
			s.Newer[newer] = true
		}
	}
}

// exactly names a ruleset, with the version of its artefact where that is another.
func exactly(r *engine.RulesetInfo) string {
	name := r.Name + " " + r.Version
	if r.ArtefactVersion == "" || r.ArtefactVersion == r.Version {
		return name
	}
	return name + ", " + r.Artefact + " " + r.ArtefactVersion
}

// notNewest says since when a ruleset is not of the newest version of its artefact; "" where
// it is, as far as is known.
func notNewest(r *engine.RulesetInfo) string {
	if r.Newer == "" {
		return ""
	}
	return fmt.Sprintf("%s %s is not the newest: %s %s is in force from %s", r.Name, r.Version, r.Artefact, r.Newer, r.NewerSince)
}
