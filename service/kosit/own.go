package kosit

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"einvoice/engine"
)

// own is what a profile runs that no configuration of the validator can name: rulesets and
// overlays of the folder that is laid over the built-in rules. They are run beside the
// Schematron files of a scenario, each with a step of its own, so that no document is accepted
// because a rule was left out. Without such a folder there are none.
type own struct {
	rulesets []string // family or family/version
	overlays []string
}

func ownOf(library *engine.Library, profile *engine.Profile) (o own, err error) {
	_, below := library.Own()
	if below == nil {
		return own{}, nil
	}
	for _, ref := range profile.Rulesets {
		family, _, _ := strings.Cut(ref, "/")
		if _, err := fs.Stat(below, family); err != nil { // one that is built in, or replaces such a one, is chosen by its Schematron file
			o.rulesets = append(o.rulesets, ref)
		}
	}
	names, err := library.OwnOverlays()
	for _, name := range profile.Overlays {
		if slices.Contains(names, name) {
			o.overlays = append(o.overlays, name)
		}
	}
	return o, err
}

// String says what is run, for people; "" for nothing.
func (o own) String() string {
	names := slices.Clone(o.rulesets)
	for _, name := range o.overlays {
		names = append(names, "overlay "+name)
	}
	return strings.Join(names, ", ")
}

// own is asked for each document: a service loads its folder again when it changes.
func (s *Scenario) own(library *engine.Library) (own, error) {
	profile, err := library.Profile(s.profile)
	if err != nil {
		return own{}, err
	}
	return ownOf(library, profile)
}

// Own are the rulesets and overlays of one's own that the scenario runs beside those of the
// configuration; "" for none.
func (s *Scenario) Own(library *engine.Library) (string, error) {
	o, err := s.own(library)
	return o.String(), err
}

// resourceOf stands for a ruleset where reports name a Schematron file.
func resourceOf(info engine.RulesetInfo) xmlResource {
	name, place := fmt.Sprintf("Rules of %s %s", info.Name, info.Version), info.Name+"/"+info.Version
	if info.Name == engine.FolderOfOverlays {
		name, place = "Rules of the overlay "+info.Version, place+".yaml"
	}
	return xmlResource{Name: name, Location: place}
}
