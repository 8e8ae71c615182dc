package validate

import (
	"fmt"
	"slices"

	"einvoice/engine"
	"einvoice/model"
	"einvoice/service/catalogue"
)

// RulesOf are the rules that a format asks of an invoice.
func (s *Service) RulesOf(f *catalogue.Format, inv *model.Invoice) (Rules, error) {
	if f == nil {
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
