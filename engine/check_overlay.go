package engine

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// checkOverlays reads every overlay of the library's own folder, and holds it against what
// it rests on; notices are the findings that the program makes itself.
func (l *Library) checkOverlays(notices Notices, strict bool) (failures LoadErrors) {
	names, err := l.OwnOverlays()
	if err != nil {
		return mistakesIn(folderOfOverlays, err)
	}
	profiles, err := l.Profiles()
	if err != nil {
		return nil // reported with the profiles
	}
	ofProfiles := map[string]bool{}
	for _, p := range profiles {
		for _, name := range p.Overlays {
			ofProfiles[name] = true
		}
	}
	for _, name := range names {
		o, err := l.Overlay(name)
		if err != nil {
			failures = append(failures, mistakesIn(folderOfOverlays+"/"+name+".yaml", err)...)
			continue
		}
		if o.On.isEmpty() && !ofProfiles[name] {
			failures = append(failures, o.mistake("no profile names this overlay, so it needs the key on: the profiles or rulesets that it rests on"))
			continue
		}
		failures = append(failures, l.checkOverlay(o, profiles, notices, strict)...)
	}
	return failures
}

func (o *Overlay) mistake(format string, args ...any) LoadError {
	return LoadError{File: o.file, Line: 1, Column: 1, Message: fmt.Sprintf(format, args...)}
}

func (l *Library) checkOverlay(o *Overlay, profiles []*Profile, notices Notices, strict bool) (failures LoadErrors) {
	base, err := l.baseOf(o, profiles)
	switch {
	case isLoadErrors(err):
		return nil // reported with the ruleset
	case err != nil:
		return LoadErrors{o.mistake("%v", err)}
	}
	failures = append(failures, l.checkLevelsOver(o, base, notices)...)
	failures = append(failures, o.checkParameters(base)...)
	failures = append(failures, l.checkLists(o)...)
	if o.rules == nil || len(failures) > 0 {
		return failures
	}
	for _, r := range o.rules.Rules {
		for _, s := range base {
			if _, has := s.byID[r.ID]; has && s != o.rules {
				failures = append(failures, errorAt(r.file, r.node, fmt.Errorf("%s/%s has a rule %s: give this one an id of its own; an overlay changes the level of a rule under levels", s.Name, s.Version, r.ID)))
			}
		}
	}
	env := l.environmentOf(o)
	for _, r := range o.rules.Rules {
		failures = append(failures, checkRule(env, r, strict)...)
	}
	return failures
}

// baseOf are the rulesets that judge documents which the overlay may be for.
func (l *Library) baseOf(o *Overlay, profiles []*Profile) (base []*Ruleset, err error) {
	var refs, ids []string
	for _, p := range profiles {
		ids = append(ids, p.ID)
		if o.On.isEmpty() && slices.Contains(p.Overlays, o.Name) || slices.ContainsFunc(o.On.Profiles, func(id string) bool { return covers(id, p.ID) }) {
			refs = append(refs, p.Rulesets...)
		}
	}
	for _, id := range o.On.Profiles {
		if !slices.ContainsFunc(ids, func(have string) bool { return covers(id, have) }) {
			return nil, fmt.Errorf("the overlay rests on profile %s, which there is not%s", id, suggest(id, ids))
		}
	}
	refs = slices.Concat(refs, o.On.Rulesets, o.Rulesets)
	slices.Sort(refs)
	return l.allOf(slices.Compact(refs))
}

// containerRulesets are the rulesets about PDFs, which no profile names: they judge
// whatever comes in one.
func (l *Library) containerRulesets() (sets []*Ruleset) {
	versions, err := l.Versions()
	if err != nil {
		return nil
	}
	for _, family := range slices.Sorted(maps.Keys(versions)) {
		if s, err := l.Ruleset(family); err == nil && s.Layer == LayerContainer {
			sets = append(sets, s)
		}
	}
	return sets
}

// checkLevelsOver reports changes of levels that change nothing.
func (l *Library) checkLevelsOver(o *Overlay, base []*Ruleset, notices Notices) (failures LoadErrors) {
	for i := range o.Levels {
		c := &o.Levels[i]
		if c.From == c.Level {
			failures = append(failures, c.mistake("the change is from level %s to the same level", c.Level))
			continue
		}
		for _, id := range c.Rules {
			found, differs := levelsDiffer(base, id, c.Level)
			if !found {
				found, differs = levelsDiffer(l.containerRulesets(), id, c.Level)
			}
			switch {
			case !found && !notices.has(id):
				var ids []string
				for _, s := range base {
					ids = append(ids, idsOf(s)...)
				}
				failures = append(failures, c.mistake("levels names rule %s, which nothing that the overlay rests on has%s", id, suggest(id, ids)))
			case found && !differs:
				failures = append(failures, c.mistake("rule %s is of level %s already", id, c.Level))
			}
		}
	}
	return failures
}

// levelsDiffer tells whether there are rules of an id, and whether any has another level.
func levelsDiffer(sets []*Ruleset, id string, level Level) (found, differs bool) {
	for _, s := range sets {
		for _, r := range s.Rules {
			if covers(id, r.ID) {
				found = true
				differs = differs || !r.isAlready(level)
			}
		}
	}
	return found, differs
}

// has tells whether an id is that of a notice, whose own id may go on with a name.
func (all Notices) has(id string) bool {
	for own := range all {
		start, _, named := strings.Cut(own, "{")
		if covers(id, own) || named && strings.HasPrefix(start, strings.TrimSuffix(id, "*")) {
			return true
		}
	}
	return false
}

// checkParameters reports values of parameters that nothing declares, or of another type.
func (o *Overlay) checkParameters(base []*Ruleset) (failures LoadErrors) {
	for _, name := range slices.Sorted(maps.Keys(o.parameters)) {
		value := o.parameters[name]
		var names []string
		found := false
		for _, s := range base {
			for _, p := range s.Parameters {
				names = append(names, p.Name)
			}
			if p := s.parameter(name); p != nil {
				found = true
				if err := p.accepts(value.Value); err != nil {
					failures = append(failures, value.mistake(o.file, err))
				} else if value.Value == p.Default {
					failures = append(failures, value.mistake(o.file, fmt.Errorf("%s is the default of the parameter %s already", value.Value, name)))
				}
			}
		}
		if !found {
			failures = append(failures, value.mistake(o.file, fmt.Errorf("nothing that the overlay rests on declares the parameter %s%s", name, suggest(name, names))))
		}
	}
	return failures
}

// checkLists reports changes of code lists that cannot be made, and lists of the overlay's
// own that none of its rules asks.
func (l *Library) checkLists(o *Overlay) (failures LoadErrors) {
	if _, err := o.listsOver(l.CodeList); err != nil {
		if at, is := errors.AsType[LoadError](err); is {
			return LoadErrors{at}
		}
		return LoadErrors{o.mistake("%v", err)}
	}
	var asked []string
	if o.rules != nil {
		asked = o.rules.CodeLists()
	}
	for i := range o.lists {
		if c := &o.lists[i]; c.codes != nil && !slices.Contains(asked, c.name) {
			failures = append(failures, LoadError{File: o.file, Line: c.node.Line, Column: c.node.Column,
				Message: fmt.Sprintf("no rule of the overlay asks its code list %s: remove it, or ask it with .isInCodeList(%q)", c.name, c.name)})
		}
	}
	return failures
}

// CheckTerms reports changes of levels in the library's own overlays whose last day is
// before a day. Reports of later invoices have a warning.
func (l *Library) CheckTerms(today Day) (failures LoadErrors) {
	names, err := l.OwnOverlays()
	if err != nil {
		return mistakesIn(folderOfOverlays, err)
	}
	for _, name := range names {
		o, err := l.Overlay(name)
		if err != nil {
			return mistakesIn(folderOfOverlays, err)
		}
		for i := range o.Levels {
			if c := &o.Levels[i]; c.Until != "" && c.Until < today {
				failures = append(failures, c.mistake("the change of %s ended on %s: remove it, or have %s decide on another term", strings.Join(c.Rules, ", "), c.Until, c.Owner))
			}
		}
	}
	return failures
}
