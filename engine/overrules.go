package engine

import (
	"fmt"
	"maps"
	"slices"
)

// Overrules says how an overlay changes what another one asks: it is over it, or it changes the
// level of a rule, or sets a parameter, that the other brings. It returns "" where it leaves all
// of that alone.
func (l *Library) Overrules(name, other string) (how string, err error) {
	o, err := l.Overlay(name)
	if err != nil {
		return "", err
	}
	of, err := l.Overlay(other)
	if err != nil {
		return "", err
	}
	if slices.Contains(o.above, other) {
		return "it is over " + other, nil
	}
	ids := slices.Sorted(maps.Keys(l.rulesAddedBy(of)))
	for i := range o.Levels {
		for _, id := range o.Levels[i].Rules {
			if at := slices.IndexFunc(ids, func(rule string) bool { return Covers(id, rule) }); at >= 0 {
				return fmt.Sprintf("it changes the level of %s, a rule of %s", ids[at], other), nil
			}
		}
	}
	for _, s := range l.versionsOf(of.Rulesets) {
		for _, p := range s.Parameters {
			if _, sets := o.Parameters[p.Name]; sets {
				return fmt.Sprintf("it sets the parameter %s of %s", p.Name, other), nil
			}
		}
	}
	return "", nil
}
