package ruletest

import (
	"maps"
	"slices"

	"einvoice/engine"
)

// A CardOverlay is an overlay that changes the level of a rule.
type CardOverlay struct {
	Overlay string       `json:"overlay"`
	Level   engine.Level `json:"level"`
	Reason  string       `json:"reason"`
	Owner   string       `json:"owner,omitempty"`  // who answers for the change
	Source  string       `json:"source,omitempty"` // who publishes it
	Until   engine.Day   `json:"until,omitempty"`  // its last day; "" for an open one
	// Where says for which documents the level is changed; "" for all.
	Where string `json:"where,omitempty"`
	// Profiles are those of the profiles that run the rule which have the overlay; an
	// overlay of no profile is one that requests ask for.
	Profiles []string `json:"profiles"`
}

// Cards gathers the cards of a rule in all versions of all rulesets, the newest versions
// first: one for each way in which the rule is written, with the rulesets that have it so,
// those that leave it out, and the profiles and overlays that refer to it. There are none
// for a rule that no ruleset has.
func Cards(library *engine.Library, id string) ([]Card, error) {
	sets, err := newestFirst(library)
	if err != nil {
		return nil, err
	}
	profiles, err := library.Profiles()
	if err != nil {
		return nil, err
	}
	var cards []Card
	at := map[*engine.Rule]int{} // of cards
	for _, s := range sets {
		rule, ok := s.Rule(id)
		if !ok {
			continue
		}
		i, known := at[rule]
		if !known {
			i = len(cards)
			at[rule] = i
			cards = append(cards, CardOf(rule, s))
		}
		cards[i].Rulesets = append(cards[i].Rulesets, s.Name+"/"+s.Version)
	}
	for i := range cards {
		c := &cards[i]
		for _, s := range sets {
			if s.LeavesOut(id) && slices.Contains(c.Rulesets, s.Extends) {
				c.LeftOutBy = append(c.LeftOutBy, s.Name+"/"+s.Version)
			}
		}
		if err := c.refer(library, profiles); err != nil {
			return nil, err
		}
	}
	return cards, nil
}

// newestFirst are all rulesets: the newest version of each family, then the others.
func newestFirst(library *engine.Library) ([]*engine.Ruleset, error) {
	versions, err := library.Versions()
	if err != nil {
		return nil, err
	}
	var newest, older []*engine.Ruleset
	for _, family := range slices.Sorted(maps.Keys(versions)) {
		for i, version := range slices.Backward(versions[family]) {
			s, err := library.Ruleset(family + "/" + version)
			if err != nil {
				return nil, err
			}
			if i == len(versions[family])-1 {
				newest = append(newest, s)
			} else {
				older = append(older, s)
			}
		}
	}
	names, err := library.OverlayNames()
	if err != nil {
		return nil, err
	}
	for _, name := range names { // those that add rules
		o, err := library.Overlay(name)
		if err != nil {
			return nil, err
		}
		if s := o.Rules(); s != nil {
			newest = append(newest, s)
		}
	}
	return append(newest, older...), nil
}

// refer adds the profiles that run the rule, and the overlays that change its level.
func (c *Card) refer(library *engine.Library, profiles []*engine.Profile) error {
	runs := map[string][]string{} // profiles that run the rule, by the overlays that they have
	for _, p := range profiles {
		isRun, err := c.isRunBy(library, p)
		if err != nil {
			return err
		}
		if !isRun || p.ValidatedAs != "" {
			continue
		}
		c.Profiles = append(c.Profiles, p.ID)
		stack, _, err := library.OverlaysOf(p, nil)
		if err != nil {
			return err
		}
		for _, o := range stack {
			runs[o.Name] = append(runs[o.Name], p.ID)
		}
	}
	names, err := library.OverlayNames()
	if err != nil {
		return err
	}
	for _, name := range names {
		o, err := library.Overlay(name)
		if err != nil {
			return err
		}
		if name == c.Rule.Overlay {
			c.AddedBy = &CardAdded{Overlay: name, Owner: o.Owner}
			if o.Effective != (engine.Period{}) {
				c.AddedBy.Effective = &o.Effective
			}
		}
		for i := range o.Levels {
			if l := &o.Levels[i]; l.IsOf(c.ID) && (o.On.Concerns(c.Profiles, c.Rulesets) || runs[name] != nil || library.Reaches(o, c.Rulesets)) {
				c.Overlays = append(c.Overlays, CardOverlay{
					Overlay: name, Level: l.Level, Reason: l.Reason, Owner: l.Owner, Source: l.Source, Until: l.Until, Where: l.Documents.String(),
					Profiles: append([]string{}, runs[name]...),
				})
			}
		}
	}
	return nil
}

// isRunBy reports whether a profile runs one of the rulesets that have the rule.
func (c *Card) isRunBy(library *engine.Library, p *engine.Profile) (bool, error) {
	for _, ref := range p.Rulesets {
		s, err := library.Ruleset(ref)
		if err != nil {
			return false, err
		}
		if slices.Contains(c.Rulesets, s.Name+"/"+s.Version) {
			return true, nil
		}
	}
	return false, nil
}
