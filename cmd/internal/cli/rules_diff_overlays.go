package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"einvoice/conformance"
	"einvoice/engine"
	"einvoice/engine/ruletest"
	"einvoice/service/bulk"
	"einvoice/service/validate"
)

// diffOverlays compares the overlays of two sides: what is written in them, the rules that
// they add, and on documents what they decide together with the profile of each.
func diffOverlays(ctx context.Context, before, after *side, suites []*conformance.Suite) (diffs []rulesetDiff, err error) {
	if len(before.overlays)+len(after.overlays) == 0 {
		return nil, nil
	}
	for _, sets := range setsOf(before, after) {
		d := rulesetDiff{Old: bulk.OverlaysRef(before.library, sets.old), New: bulk.OverlaysRef(after.library, sets.new)}
		names := slices.Compact(slices.Sorted(slices.Values(slices.Concat(sets.old, sets.new))))
		if d.Data, err = ruletest.CompareOverlays(before.library, after.library, names); err != nil {
			return nil, err
		}
		for _, name := range names {
			old, err := before.rulesOfOverlay(name)
			if err != nil {
				return nil, err
			}
			new, err := after.rulesOfOverlay(name)
			if err != nil {
				return nil, err
			}
			d.Changes = append(d.Changes, ruletest.Compare(old, new)...)
			ended, err := endedLevels(before, after, name)
			if err != nil {
				return nil, err
			}
			d.Data = append(d.Data, ended...)
			data, err := compareData(before.library, after.library, old, new)
			if err != nil {
				return nil, err
			}
			d.Data = append(d.Data, data...)
		}
		if suites != nil {
			was, err := before.whole(sets.old)
			if err != nil {
				return nil, err
			}
			is, err := after.whole(sets.new)
			if err != nil {
				return nil, err
			}
			if d.Verdicts, d.Documents, err = conformance.Impact(ctx, was, is, suites); err != nil {
				return nil, err
			}
		}
		diffs = append(diffs, d)
	}
	return diffs, nil
}

// overlaySets are overlays of both sides that may be together.
type overlaySets struct{ old, new []string }

// setsOf pairs the overlays of two sides, those that may be together at once.
func setsOf(before, after *side) (sets []overlaySets) {
	old, new := before.library.Together(before.overlays), after.library.Together(after.overlays)
	for i := range max(len(old), len(new)) {
		var s overlaySets
		if i < len(old) {
			s.old = old[i]
		}
		if i < len(new) {
			s.new = new[i]
		}
		sets = append(sets, s)
	}
	return sets
}

// rulesOfOverlay are the rules that an overlay of the side adds; nil for none.
func (s *side) rulesOfOverlay(name string) (*engine.Ruleset, error) {
	if !slices.Contains(s.overlays, name) {
		return nil, nil
	}
	o, err := s.library.Overlay(name)
	if err != nil || o.Rules() == nil || s.at == "" {
		if o == nil {
			return nil, err
		}
		return o.Rules(), err
	}
	return o.Rules().At(s.at), nil
}

// endedLevels are the changes of levels of an overlay that hold on one of two days alone.
func endedLevels(before, after *side, name string) ([]ruletest.RuleChange, error) {
	if before.at == "" || !slices.Contains(before.overlays, name) || !slices.Contains(after.overlays, name) {
		return nil, nil // nothing of it depends on a day, or all does
	}
	o, err := before.library.Overlay(name)
	if err != nil {
		return nil, err
	}
	part := ruletest.PartChange{Part: "levels"}
	for i := range o.Levels {
		c := &o.Levels[i]
		told := fmt.Sprintf("%s: %s, until %s: %s\n", strings.Join(c.Rules, " "), c.Level, c.Until, c.Reason)
		switch was, is := c.Holds(before.at), c.Holds(after.at); {
		case was && !is:
			part.Before += told
		case is && !was:
			part.After += told
		}
	}
	if part.Before+part.After == "" {
		return nil, nil
	}
	return []ruletest.RuleChange{{Rule: "overlay " + name, Change: ruletest.Changed, Parts: []ruletest.PartChange{part}}}, nil
}

// whole judges documents by their profiles with overlays.
func (s *side) whole(overlays []string) (ruletest.Side, error) {
	return bulk.WithOverlays(validate.New(s.library, validate.Config{}), overlays, s.at)
}
