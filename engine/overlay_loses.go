package engine

import "context"

// Loses says which of the overlays would decide about a document on its own days, and do not, or
// decide something else, on those by which it is judged; nil for none.
func (l *Library) Loses(ctx context.Context, overlays []*Overlay, j *Judged, own Days) (*Overlay, error) {
	itself := *j
	itself.Days = own
	for _, o := range overlays {
		reason, err := o.leaves(ctx, l, &itself)
		if err != nil {
			return nil, err
		}
		if reason != "" {
			continue
		}
		if !o.Effective.In(j.Days) || o.rules != nil && o.rules.loses(j.Days, own) {
			return o, nil
		}
		for i := range o.Levels {
			c := &o.Levels[i]
			if c.Holds(own.By(o.DecidedBy)) == c.Holds(j.Days.By(o.DecidedBy)) {
				continue
			}
			if reason, err := c.Documents.have(ctx, l, &itself); reason == "" || err != nil {
				return o, err
			}
		}
		for _, ref := range o.Rulesets {
			set, err := l.Ruleset(ref)
			if err == nil && set.Name == ref { // a family: of several versions the day chooses one
				var now, then string
				if now, err = l.VersionAt(ref, own.Issue); err != nil {
					continue // there is nothing to lose
				}
				if then, err = l.VersionAt(ref, j.Days.Issue); err != nil || now != then {
					return o, nil //nolint:nilerr // none is in force
				}
				set, err = l.Ruleset(now)
			}
			if err != nil {
				return nil, err
			}
			if set.loses(j.Days, own) {
				return o, nil
			}
		}
	}
	return nil, nil
}

// loses reports whether a rule is in force on some days and not on others.
func (s *Ruleset) loses(on, own Days) bool {
	for _, r := range s.Rules {
		if r.Effective.In(own) && !r.Effective.In(on) {
			return true
		}
	}
	return false
}
