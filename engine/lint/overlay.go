package lint

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"einvoice/engine"
)

// checkOverlays reads every overlay of the library's own folder, and holds it against what
// it rests on; notices are the findings that the program makes itself.
func checkOverlays(l *engine.Library, notices engine.Notices, strict bool) (failures engine.LoadErrors) {
	names, err := l.OwnOverlays()
	if err != nil {
		return engine.MistakesIn(engine.FolderOfOverlays, err)
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
			failures = append(failures, engine.MistakesIn(engine.FolderOfOverlays+"/"+name+".yaml", err)...)
			continue
		}
		if o.On.IsEmpty() && !ofProfiles[name] {
			failures = append(failures, o.Mistake("on", "no profile names this overlay, so it needs the key on: the profiles or rulesets that it rests on"))
			continue
		}
		failures = append(failures, checkOverlay(l, o, profiles, notices, strict)...)
	}
	return failures
}

// checkTogether holds the library's own overlays against each other, and tries the values of
// parameters that they give. Each of them has passed checkOverlays.
func checkTogether(l *engine.Library) engine.LoadErrors {
	names, err := l.OwnOverlays()
	if err != nil || len(names) == 0 {
		return nil
	}
	failures := l.Conflicts()
	for _, name := range names {
		if o, err := l.Overlay(name); err == nil {
			failures = append(failures, l.CheckValues(o)...)
		}
	}
	return failures
}

// Notices are what is worth knowing of the library's own overlays, which must have passed Check:
// where one decides over another.
func Notices(l *engine.Library) engine.LoadErrors {
	notices := l.Decisions()
	slices.SortStableFunc(notices, func(a, b engine.LoadError) int { // those of one place by text, so that equal ones are side by side
		return cmp.Or(compareErrors(a, b), cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(notices)
}

func checkOverlay(l *engine.Library, o *engine.Overlay, profiles []*engine.Profile, notices engine.Notices, strict bool) (failures engine.LoadErrors) {
	base, err := baseOf(l, o, profiles)
	switch {
	case isLoadErrors(err):
		return nil // reported with the ruleset
	case err != nil:
		return engine.LoadErrors{o.Mistake(keyOf(l, o), "%v", err)}
	}
	if strict && o.Owner == "" && o.ChangesRules() {
		failures = append(failures, o.Mistake("owner", "the overlay adds or changes rules and has no owner: say who answers for it, as reports name them"))
	}
	failures = append(failures, checkBatchOverlay(l, o)...)
	failures = append(failures, checkLevelsOver(l, o, base, notices)...)
	failures = append(failures, checkParameters(o, base)...)
	failures = append(failures, checkLists(l, o)...)
	failures = append(failures, checkAdded(l, o, base)...)
	if !o.ChangesRules() || len(failures) > 0 {
		return failures
	}
	decisions := l.DecisionsOfOverlay(o)
	failures = slices.Clone(decisions.Contradictions())
	if strict {
		failures = append(failures, decisions.Idle()...)
	}
	if o.Rules() == nil {
		return failures
	}
	env := l.EnvironmentOf(o)
	for _, r := range o.Rules().Rules {
		if l.Ended() != nil {
			return nil
		}
		failures = append(failures, checkRule(env, r, strict)...)
	}
	return failures
}

// keyOf is the key of an overlay that names a ruleset or profile which cannot be found.
func keyOf(l *engine.Library, o *engine.Overlay) string {
	for _, ref := range o.Rulesets {
		if _, err := l.Ruleset(ref); err != nil {
			return "rulesets"
		}
	}
	return "on"
}

// baseOf are the rulesets that judge documents which the overlay may be for.
func baseOf(l *engine.Library, o *engine.Overlay, profiles []*engine.Profile) (base []*engine.Ruleset, err error) {
	var ids []string
	for _, p := range profiles {
		ids = append(ids, p.ID)
	}
	for _, id := range o.On.Profiles {
		if !slices.ContainsFunc(ids, func(have string) bool { return engine.Covers(id, have) }) {
			hint := engine.Suggest(id, ids)
			if _, err := l.Ruleset(id); err == nil && hint == "" {
				hint = "; it is a ruleset: name it under rulesets"
			}
			return nil, fmt.Errorf("the overlay rests on profile %s, which there is not%s", id, hint)
		}
	}
	return l.Judging(o)
}

// checkAdded reports rules that an overlay adds and that a ruleset which it rests on has
// already: both would fire.
func checkAdded(l *engine.Library, o *engine.Overlay, base []*engine.Ruleset) (failures engine.LoadErrors) {
	told := map[*engine.Rule]bool{} // several versions of a family may have it
	for _, s := range base {
		if s.Name == engine.FolderOfOverlays {
			continue // looked at where overlays are compared with each other
		}
		twice := o.RunsTwice(l, s)
		if told[twice] {
			continue
		}
		told[twice] = true
		if twice != nil && (twice.Overlay != "" || twice.Replaces != "") { // another one is reported with its ruleset
			failures = append(failures, engine.ErrorAt(twice.File(), twice.Node, fmt.Errorf("%s/%s has a rule %s: give this one an id of its own; an overlay changes the level of a rule under levels", s.Name, s.Version, twice.ID)))
		}
	}
	return failures
}

// containerRulesets are the rulesets about PDFs, which no profile names: they judge
// whatever comes in one.
func containerRulesets(l *engine.Library) (sets []*engine.Ruleset) {
	versions, err := l.Versions()
	if err != nil {
		return nil
	}
	for _, family := range slices.Sorted(maps.Keys(versions)) {
		if s, err := l.Ruleset(family); err == nil && s.Layer == engine.LayerContainer {
			sets = append(sets, s)
		}
	}
	return sets
}

// checkLevelsOver reports changes of levels that change nothing.
func checkLevelsOver(l *engine.Library, o *engine.Overlay, base []*engine.Ruleset, notices engine.Notices) (failures engine.LoadErrors) {
	for i := range o.Levels {
		c := &o.Levels[i]
		if c.From == c.Level {
			failures = append(failures, c.Mistake("the change is from level %s to the same level", c.Level))
			continue
		}
		for _, id := range c.Rules {
			found, differs := levelsDiffer(base, id, c.Level)
			if !found {
				found, differs = levelsDiffer(containerRulesets(l), id, c.Level)
			}
			switch {
			case !found && !hasNotice(notices, id):
				var ids []string
				for _, s := range base {
					ids = append(ids, engine.IdsOf(s)...)
				}
				failures = append(failures, c.Mistake("levels names rule %s, which nothing that the overlay rests on has%s", id, engine.Suggest(id, ids)))
			case found && !differs && !changedBelow(l, o, id):
				failures = append(failures, c.Mistake("rule %s is of level %s already", id, c.Level))
			}
		}
	}
	return failures
}

// changedBelow reports whether an overlay that this one is over changes levels of rules of an
// id, so that the published level is another one again.
func changedBelow(l *engine.Library, o *engine.Overlay, id string) bool {
	return slices.ContainsFunc(o.Ancestors(l), func(above *engine.Overlay) bool {
		return slices.ContainsFunc(above.Levels, func(c engine.LevelChange) bool {
			return slices.ContainsFunc(c.Rules, func(other string) bool { return engine.Covers(other, id) || engine.Covers(id, other) })
		})
	})
}

// levelsDiffer reports whether there are rules of an id, and whether any has another level.
func levelsDiffer(sets []*engine.Ruleset, id string, level engine.Level) (found, differs bool) {
	for _, s := range sets {
		for _, r := range s.Rules {
			if engine.Covers(id, r.ID) {
				found = true
				differs = differs || !r.IsAlready(level)
			}
		}
	}
	return found, differs
}

// has reports whether an id is that of a notice, whose own id may go on with a name.
func hasNotice(all engine.Notices, id string) bool {
	for own := range all {
		start, _, named := strings.Cut(own, "{")
		if engine.Covers(id, own) || named && strings.HasPrefix(start, strings.TrimSuffix(id, "*")) {
			return true
		}
	}
	return false
}

// checkParameters reports values of parameters that nothing declares, or of another type.
func checkParameters(o *engine.Overlay, base []*engine.Ruleset) (failures engine.LoadErrors) {
	for _, name := range slices.Sorted(maps.Keys(o.Parameters)) {
		value := o.Parameters[name]
		var names []string
		var wrong error
		found, differs := false, false
		for _, s := range base {
			for _, p := range s.Parameters {
				names = append(names, p.Name)
			}
			if p := s.Parameter(name); p != nil {
				found, differs = true, differs || value.Value != p.Default
				wrong = cmp.Or(wrong, p.Accepts(value.Value))
			}
		}
		switch {
		case wrong != nil:
			failures = append(failures, value.Mistake(o.File, wrong))
		case !found:
			failures = append(failures, value.Mistake(o.File, fmt.Errorf("nothing that the overlay rests on declares the parameter %s%s", name, engine.Suggest(name, names))))
		case !differs:
			failures = append(failures, value.Mistake(o.File, fmt.Errorf("%s is the default of the parameter %s already", value.Value, name)))
		}
	}
	return failures
}

// checkLists reports changes of code lists that cannot be made, and lists of the overlay's
// own that neither its rules nor those of the overlays that it is over ask.
func checkLists(l *engine.Library, o *engine.Overlay) (failures engine.LoadErrors) {
	if err := o.CheckLists(l); err != nil {
		if at, is := errors.AsType[engine.LoadError](err); is {
			return engine.LoadErrors{at}
		}
		return engine.LoadErrors{o.Mistake("codeLists", "%v", err)}
	}
	var asked []string
	for _, of := range append([]*engine.Overlay{o}, o.Ancestors(l)...) {
		if of.Rules() != nil {
			asked = append(asked, of.Rules().CodeLists()...)
		}
	}
	for i := range o.Lists {
		if c := &o.Lists[i]; c.Codes != nil && !slices.Contains(asked, c.Name) {
			failures = append(failures, engine.LoadError{File: o.File, Line: c.Node.Line, Column: c.Node.Column,
				Message: fmt.Sprintf("no rule of the overlay asks its code list %s: remove it, or ask it with .isInCodeList(%q)", c.Name, c.Name)})
		}
	}
	return failures
}

// CheckTerms reports changes of levels in the library's own overlays whose last day is
// before a day. Reports of later invoices have a warning.
func CheckTerms(l *engine.Library, today engine.Day) (failures engine.LoadErrors) {
	names, err := l.OwnOverlays()
	if err != nil {
		return engine.MistakesIn(engine.FolderOfOverlays, err)
	}
	for _, name := range names {
		o, err := l.Overlay(name)
		if err != nil {
			return engine.MistakesIn(engine.FolderOfOverlays, err)
		}
		for i := range o.Levels {
			if c := &o.Levels[i]; c.Until != "" && c.Until < today {
				failures = append(failures, c.Mistake("the change of %s ended on %s: remove it, or have %s decide on another term", strings.Join(c.Rules, ", "), c.Until, c.Owner))
			}
		}
	}
	return failures
}
