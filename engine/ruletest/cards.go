package ruletest

import (
	"maps"
	"slices"

	"einvoice/engine"
)

// A CardOverlay is an overlay that changes the level of a rule.
type CardOverlay struct {
	// Profiles are those of the profiles that have the rule and the overlay.
	Profiles []string     `json:"profiles"`
	Level    engine.Level `json:"level"`
	Reason   string       `json:"reason"`
	Source   string       `json:"source,omitempty"` // who publishes the overlay
	// Where says for which documents the overlay is; "" for all of the profile.
	Where string `json:"where,omitempty"`
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
	return append(newest, older...), nil
}

// refer adds the profiles that run the rule, and their overlays that change its level.
func (c *Card) refer(library *engine.Library, profiles []*engine.Profile) error {
	for _, p := range profiles {
		runs, err := c.isRunBy(library, p)
		if err != nil {
			return err
		}
		if !runs || p.ValidatedAs != "" {
			continue
		}
		c.Profiles = append(c.Profiles, p.ID)
		for i := range p.Overlays {
			if o := &p.Overlays[i]; o.Names(c.ID) {
				c.addOverlay(o, p.ID)
			}
		}
	}
	return nil
}

// isRunBy tells whether a profile runs one of the rulesets that have the rule.
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

func (c *Card) addOverlay(o *engine.Overlay, profile string) {
	where := o.Where
	if o.Root != "" {
		where = o.Root
	} else if o.Syntax != "" {
		where = string(o.Syntax)
	}
	added := CardOverlay{Level: o.Level, Reason: o.Reason, Source: o.Source, Where: where}
	for i := range c.Overlays {
		if h := &c.Overlays[i]; h.Level == added.Level && h.Reason == added.Reason && h.Source == added.Source && h.Where == added.Where {
			h.Profiles = append(h.Profiles, profile)
			return
		}
	}
	added.Profiles = []string{profile}
	c.Overlays = append(c.Overlays, added)
}
