package validate

import (
	"maps"
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/service/catalogue"
)

// reportHeld says in a report what the document was compared with, where a request chose
// rulesets that are not all of its profile's. A verdict never names more than was run.
func (s *Service) reportHeld(j *judge, report *engine.Report) error {
	run := map[string]string{} // versions by family
	var names []string
	for _, info := range report.Rulesets {
		if info.Name != catalogue.Read().Container {
			run[info.Name] = info.Version
			names = append(names, info.Name+" "+info.Version)
		}
	}
	if all, err := s.areRun(j.Profile, j.Days.Issue, run); err != nil || all {
		if err == nil && j.Profile.Substitute() != nil { // all that are here, and none of its own
			err = s.reportProfile(j.Document, j.Profile, true, report)
		}
		return err
	}
	report.ValidatedAs, report.NotAsked = strings.Join(names, ", "), true
	report.Standard = strings.Join(slices.Sorted(maps.Keys(run)), ", ")
	profiles, err := s.library.Profiles()
	if err != nil {
		return err
	}
	for _, p := range profiles {
		if len(p.Rulesets) != len(run) || p.Substitute() != nil {
			continue
		}
		all, err := s.areRun(p, j.Days.Issue, run)
		if err != nil {
			return err
		}
		if all {
			report.ValidatedAs, report.Standard = p.Name, p.Standard
			break
		}
	}
	return nil
}

// areRun reports whether the rulesets of a profile, in the versions of a day, are among those
// that were run.
func (s *Service) areRun(p *engine.Profile, day engine.Day, run map[string]string) (bool, error) {
	isOther := func(ref string) bool {
		family, _, _ := strings.Cut(ref, "/")
		return run[family] == ""
	}
	if slices.ContainsFunc(p.Rulesets, isOther) {
		return false, nil // without loading rulesets that nobody asked for
	}
	refs, err := s.inForce(p.Rulesets, day)
	if err != nil {
		return false, err
	}
	for _, ref := range refs {
		set, err := s.library.Ruleset(ref)
		if err != nil {
			return false, err
		}
		if run[set.Name] != set.Version {
			return false, nil
		}
	}
	return true, nil
}
