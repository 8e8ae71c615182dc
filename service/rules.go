package service

import (
	"fmt"
	"slices"

	"einvoice/engine"
	"einvoice/model"
)

// RulesOf are the rules that a format asks of an invoice.
func (s *Service) RulesOf(f *Format, inv *model.Invoice) (Rules, error) {
	check := f.Check
	if check.Rulesets != nil {
		return Rules{Rulesets: check.Rulesets, ContainerAdvises: check.ContainerAdvises}, nil
	}
	profile, known, err := s.library.Detect(inv)
	if err != nil {
		return Rules{}, err
	}
	switch {
	case check.PDF == PDFRequired:
		if known && profile.Hybrid != nil {
			return Rules{Profile: profile.Hybrid.Profile}, nil
		}
	case check.Standard != "" && profile.Standard != check.Standard:
		id, err := s.NewestProfile(check.Standard)
		return Rules{Profile: id}, err
	}
	return Rules{}, nil
}

// NewestProfile finds the profile of a standard that runs the newest version of the
// ruleset of that name. A version that no profile runs yet is in preparation and is
// passed over.
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
