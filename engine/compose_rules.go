package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// sameRules reports rules of one id that both add. An overlay that is over another replaces
// a rule of its, and says why.
func (c *composition) sameRules(a, b *Overlay, over bool) (failures LoadErrors) {
	here, there := c.library.rulesAddedBy(a), c.library.rulesAddedBy(b)
	for _, id := range slices.Sorted(maps.Keys(here)) {
		own, other := here[id], there[id]
		if other.Rule == nil || own.family == other.family { // the one ruleset, which runs once
			continue
		}
		if over && own.isOverlays() && other.isOverlays() {
			if own.Replaces == "" {
				failures = append(failures, ErrorAt(own.file, own.Node, fmt.Errorf("overlay %s has a rule %s (%s:%d): say under replaces why this one takes its place, or give it an id of its own", b.Name, id, other.file, other.Node.Line)))
			}
			continue
		}
		failures = append(failures, ErrorAt(other.file, other.Node, fmt.Errorf("overlay %s adds a rule %s too (%s:%d), and both would fire: give one of them an id of its own, or have one overlay be over the other (over), with a rule that says what it replaces (replaces)",
			a.Name, id, own.file, own.Node.Line)))
	}
	return failures
}

// An addedRule is a rule that an overlay adds, with the family of the ruleset that it is of.
type addedRule struct {
	*Rule
	family string // overlays/NAME for one of the overlay's own
}

func (r addedRule) isOverlays() bool { return strings.HasPrefix(r.family, FolderOfOverlays+"/") }

// rulesAddedBy are the rules that an overlay adds, by their ids: its own, and those of any
// version of the rulesets that it runs.
func (l *Library) rulesAddedBy(o *Overlay) map[string]addedRule {
	all := map[string]addedRule{}
	for _, s := range l.versionsOf(o.Rulesets) {
		for id, r := range s.ByID {
			all[id] = addedRule{r, s.Name}
		}
	}
	if o.rules != nil {
		for id, r := range o.rules.ByID {
			all[id] = addedRule{r, FolderOfOverlays + "/" + o.Name}
		}
	}
	return all
}

// RunsTwice is a rule that the overlay adds beside one of the same id in a ruleset; nil for
// none. A ruleset of the same family is run once.
func (o *Overlay) RunsTwice(l *Library, s *Ruleset) *Rule {
	all := l.rulesAddedBy(o)
	for _, id := range slices.Sorted(maps.Keys(all)) {
		if _, has := s.ByID[id]; has && all[id].family != s.Name {
			return all[id].Rule
		}
	}
	return nil
}

// versionsOf are the rulesets of some names that load; a family alone is all its versions.
func (l *Library) versionsOf(refs []string) (sets []*Ruleset) {
	versions, err := l.Versions()
	if err != nil {
		return nil
	}
	for _, ref := range refs {
		named := []string{ref}
		if family := familyOf(ref); family == ref {
			named = nil
			for _, v := range versions[family] {
				named = append(named, family+"/"+v)
			}
		}
		for _, ref := range named {
			if s, err := l.Ruleset(ref); err == nil {
				sets = append(sets, s)
			}
		}
	}
	return sets
}

// Judging are the rulesets that may judge documents which an overlay is for: of a family each
// version that a day of the overlay's term chooses, and those of the overlays that it is over.
func (l *Library) Judging(o *Overlay) (sets []*Ruleset, err error) {
	var refs []string
	for _, ref := range l.Reached(o) {
		if refs, err = l.versionsWithin(refs, ref, o.Effective); err != nil {
			return nil, err
		}
	}
	if sets, err = l.AllOf(refs); err != nil {
		return nil, err
	}
	for _, above := range o.Ancestors(l) {
		if above.rules != nil {
			sets = append(sets, above.rules)
		}
	}
	return sets, nil
}

// versionsWithin adds the versions of a family that days of a term choose. They change only where
// a period begins, and on the day after one ends. A name with a version is that one.
func (l *Library) versionsWithin(refs []string, ref string, term Period) ([]string, error) {
	versions, err := l.Versions()
	have := versions[ref]
	if err != nil || len(have) == 0 {
		return append(refs, ref), err
	}
	if term.By != "" { // another day than that of the rules
		term = Period{}
	}
	days := []Day{term.From} // "" is before all days
	for _, version := range have {
		s, err := l.Ruleset(ref + "/" + version)
		if err != nil {
			return nil, err
		}
		days = append(days, s.Effective.From, s.Effective.Until.Next())
	}
	before := len(refs)
	for _, day := range days {
		if !term.Has(day) {
			continue
		}
		chosen, err := l.VersionAt(ref, day)
		if err == nil && !slices.Contains(refs, chosen) {
			refs = append(refs, chosen)
		}
	}
	if len(refs) == before { // none is in force then
		refs = append(refs, ref)
	}
	return refs, nil
}

// Reached are the rulesets whose parameters an overlay sets: those that it, or one that it
// is over, rests on or runs in addition.
func (l *Library) Reached(o *Overlay) (refs []string) {
	profiles, err := l.Profiles()
	if err != nil {
		return nil
	}
	for _, of := range append(o.Ancestors(l), o) {
		refs = append(refs, of.On.Rulesets...)
		refs = append(refs, of.Rulesets...)
		for _, p := range profiles {
			if of.On.IsEmpty() && slices.Contains(p.Overlays, of.Name) || slices.ContainsFunc(of.On.Profiles, func(id string) bool { return Covers(id, p.ID) }) {
				refs = append(refs, p.Rulesets...)
			}
		}
	}
	slices.Sort(refs)
	return slices.Compact(refs)
}

// Reaches reports whether an overlay decides about rules of one of some rulesets: one that it, or
// one that it is over, rests on, runs in addition, or is.
func (l *Library) Reaches(o *Overlay, rulesets []string) bool {
	refs := l.Reached(o)
	for _, of := range append(o.Ancestors(l), o) {
		refs = append(refs, FolderOfOverlays+"/"+of.Name)
	}
	return slices.ContainsFunc(rulesets, func(have string) bool {
		return slices.ContainsFunc(refs, func(ref string) bool { return sameRuleset(ref, have) })
	})
}

// reaches reports whether a ruleset is one of some names.
func reaches(refs []string, s *Ruleset) bool {
	return slices.ContainsFunc(refs, func(ref string) bool { return sameRuleset(ref, s.Name+"/"+s.Version) })
}

// Ancestors are the overlays that this one is over, and those that they are.
func (o *Overlay) Ancestors(l *Library) []*Overlay {
	stack, err := l.withAncestors(o.over)
	if err != nil {
		return nil
	}
	return stack
}
