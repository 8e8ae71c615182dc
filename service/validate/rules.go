package validate

import (
	"fmt"
	"slices"

	"einvoice/engine"
	"einvoice/model"
	"einvoice/service/catalogue"
)

// RulesOf returns the rules that a format demands of an invoice. The error says that the
// profiles do not load.
func (s *Service) RulesOf(f *catalogue.Format, inv *model.Invoice) (Rules, error) {
	if f == nil || f.Check == nil {
		return Rules{}, nil
	}
	check := f.Check
	if check.Rulesets != nil {
		return Rules{Rulesets: check.Rulesets, ContainerAdvises: check.ContainerAdvises}, nil
	}
	if check.Standard == "" || check.PDF == catalogue.PDFRequired {
		return Rules{Standard: check.Standard}, nil
	}
	profile, _, err := s.library.Detect(inv)
	if err != nil || profile.Standard == check.Standard {
		return Rules{}, err
	}
	id, err := s.NewestProfile(check.Standard)
	return Rules{Profile: id}, err
}

// NewestProfile returns the id of the profile of a standard that runs the newest version of
// the ruleset of that name. It passes over a version that no profile runs yet. The error says
// that there is no such profile.
func (s *Service) NewestProfile(standard string) (id string, err error) {
	profiles, err := s.library.Profiles()
	if err != nil {
		return "", err
	}
	versions, err := s.library.Versions()
	if err != nil {
		return "", err
	}
	for _, version := range slices.Backward(versions[standard]) {
		runs := func(p *engine.Profile) bool {
			return p.Standard == standard && slices.Contains(p.Rulesets, standard+"/"+version)
		}
		if i := slices.IndexFunc(profiles, runs); i >= 0 {
			return profiles[i].ID, nil
		}
	}
	return "", fmt.Errorf("no profile of standard %s runs a version of the ruleset %s", standard, standard)
}
