package validate

import (
	"slices"
	"strings"

	"einvoice/engine"
	"einvoice/service/catalogue"
)

// reportHeld says in a report what the document was compared with, where a request chose
// rulesets that are not all of its profile's. A verdict never names more than was run.
func (s *Service) reportHeld(j *judge, report *engine.Report) error {
	run := report.Rulesets
	if container := catalogue.Read().Container; versionRun(run, container) != "" {
		run = slices.DeleteFunc(slices.Clone(run), func(info engine.RulesetInfo) bool { return info.Name == container })
	}
	if all, err := s.areRun(j.Profile, j.Days.Issue, run); err != nil || all {
		if err == nil && j.Profile.Substitute() != nil { // all that are here, and none of its own
			err = s.reportProfile(j.Document, j.Profile, true, report)
		}
		return err
	}
	names, families := make([]string, len(run)), make([]string, len(run))
	for i, info := range run {
		names[i], families[i] = info.Name+" "+info.Version, info.Name
	}
	slices.Sort(families)
	families = slices.Compact(families)
	report.ValidatedAs, report.NotAsked = strings.Join(names, ", "), true
	report.Standard = strings.Join(families, ", ")
	profiles, err := s.library.Profiles()
	if err != nil {
		return err
	}
	for _, p := range profiles {
		if len(p.Rulesets) != len(families) || p.Substitute() != nil {
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

// versionRun is the version of a family of rulesets that was run; "" if none was.
func versionRun(run []engine.RulesetInfo, family string) string {
	for i := len(run) - 1; i >= 0; i-- {
		if run[i].Name == family {
			return run[i].Version
		}
	}
	return ""
}

// areRun reports whether the rulesets of a profile, in the versions of a day, are among those
// that were run.
func (s *Service) areRun(p *engine.Profile, day engine.Day, run []engine.RulesetInfo) (bool, error) {
	for _, ref := range p.Rulesets {
		if family, _, _ := strings.Cut(ref, "/"); versionRun(run, family) == "" {
			return false, nil // without loading rulesets that nobody asked for
		}
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
		if versionRun(run, set.Name) != set.Version {
			return false, nil
		}
	}
	return true, nil
}
