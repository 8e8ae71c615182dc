package engine

import "fmt"

// RuleValidator prepares one rule of a ruleset to be run alone.
func (l *Library) RuleValidator(ref, id string) (*Validator, error) {
	s, err := l.Ruleset(ref)
	if err != nil {
		return nil, err
	}
	rule, ok := s.Rule(id)
	if !ok {
		return nil, fmt.Errorf("ruleset %s/%s has no rule %s", s.Name, s.Version, id)
	}
	alone := *s
	alone.Rules = []*Rule{rule}
	return newValidator(l.env, []*Ruleset{&alone}), nil
}
