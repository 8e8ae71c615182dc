package engine

import (
	"fmt"
	"maps"
	"slices"
)

// ValidatorWith prepares a ruleset to be run with single rules of others, which are named by
// the rulesets that have them.
func (l *Library) ValidatorWith(ref string, rules map[string][]string) (*Validator, error) {
	whole, err := l.Ruleset(ref)
	if err != nil {
		return nil, err
	}
	sets := []*Ruleset{whole}
	for _, other := range slices.Sorted(maps.Keys(rules)) {
		s, err := l.Ruleset(other)
		if err != nil {
			return nil, err
		}
		alone := *s
		alone.Rules = nil
		for _, id := range rules[other] {
			rule, ok := s.Rule(id)
			if !ok {
				return nil, fmt.Errorf("ruleset %s/%s has no rule %s", s.Name, s.Version, id)
			}
			alone.Rules = append(alone.Rules, rule)
		}
		sets = append(sets, &alone)
	}
	return newValidator(l.env, sets), nil
}
