package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"einvoice/conformance"
	"einvoice/engine"
	"einvoice/engine/ruletest"
	"einvoice/model"
	"einvoice/service/validate"
)

// overlaysOf are the overlays of a side as they are told, with who answers for each; "" for
// none.
func overlaysOf(library *engine.Library, names []string) string {
	told := make([]string, len(names))
	for i, name := range names {
		told[i] = name
		if o, err := library.Overlay(name); err == nil && o.Owner != "" {
			told[i] += " (" + o.Owner + ")"
		}
	}
	if len(told) == 0 {
		return ""
	}
	return "overlays " + strings.Join(told, ", ")
}

// diffOverlays compares the overlays of two sides: what is written in them, the rules that
// they add, and on documents what they decide together with the profile of each.
func diffOverlays(ctx context.Context, before, after *side, suites []*conformance.Suite) (diffs []rulesetDiff, err error) {
	if len(before.overlays)+len(after.overlays) == 0 {
		return nil, nil
	}
	for _, sets := range setsOf(before, after) {
		d := rulesetDiff{Old: overlaysOf(before.library, sets.old), New: overlaysOf(after.library, sets.new)}
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

// whole judges documents by their profiles with overlays.
func (s *side) whole(overlays []string) (ruletest.Side, error) {
	rules := validate.Rules{Overlays: overlays, At: s.at}
	service := validate.New(s.library, validate.Config{})
	if err := service.CheckRules(rules); err != nil {
		return ruletest.Side{}, err
	}
	digest, err := digestOfAll(s.library, overlays)
	return ruletest.Side{
		Library: s.library, Ref: overlaysOf(s.library, overlays), At: s.at, Digest: digest + string(s.at),
		Judge: func(ctx context.Context, doc *model.Document) (*engine.Report, error) {
			result, err := service.ValidateDocument(ctx, doc, rules)
			if err != nil {
				return nil, err
			}
			return result.Report, nil
		},
	}, err
}

// digestOfAll covers everything that documents of any profile are judged by.
func digestOfAll(l *engine.Library, overlays []string) (string, error) {
	digest := sha256.New()
	versions, err := l.Versions()
	if err != nil {
		return "", err
	}
	var refs []string
	for family, all := range versions {
		for _, version := range all {
			refs = append(refs, family+"/"+version)
		}
	}
	slices.Sort(refs)
	for _, ref := range refs {
		s, err := l.Ruleset(ref)
		if err != nil {
			return "", err
		}
		fmt.Fprintln(digest, ref, s.SHA256)
	}
	profiles, err := l.Profiles()
	if err != nil {
		return "", err
	}
	for _, p := range profiles {
		fmt.Fprintln(digest, p.ID, p.SHA256())
		for _, name := range p.Overlays {
			o, err := l.Overlay(name)
			if err != nil {
				return "", err
			}
			fmt.Fprintln(digest, o.Name, o.SHA256)
		}
	}
	stack, err := l.Compose(overlays)
	if err != nil {
		return "", err
	}
	for _, o := range stack {
		fmt.Fprintln(digest, o.Name, o.SHA256)
	}
	return hex.EncodeToString(digest.Sum(nil)), nil
}
