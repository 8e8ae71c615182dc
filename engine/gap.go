package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"einvoice/engine/cases"
)

// A setting is what an overlay says of something, for documents of a condition.
type setting struct {
	overlay   *Overlay
	condition *cases.Condition
	place     LoadError
	roots     []string // document elements that it can be about; nil for any
}

// Gaps are documents that several overlays, which set one parameter, list or level, leave where
// they look as if they were for all. Overlays of the library's own folder are told.
func (l *Library) Gaps() (gaps LoadErrors) {
	profiles, err := l.Profiles()
	if err != nil {
		return nil
	}
	names, err := l.OverlayNames()
	if err != nil {
		return nil
	}
	own, err := l.OwnOverlays()
	if err != nil {
		return nil
	}
	terms := knownTerms(profiles)
	for _, set := range l.Together(names) {
		all := map[string][]setting{}
		for _, o := range l.named(set) {
			for what, s := range o.settings(l, profiles) {
				all[what] = append(all[what], s...)
			}
		}
		for _, what := range slices.Sorted(maps.Keys(all)) {
			if settings := besideOwn(terms, all[what], own); len(settings) > 0 {
				gaps = append(gaps, gapsAmong(terms, what, settings)...)
			}
		}
	}
	return gaps
}

// besideOwn are the settings of overlays of the library's own folder, behind those others that may
// be for a document of one of them. The rest are for documents that the folder says nothing of,
// such as those of a profile that ships, and would make its table larger.
func besideOwn(terms cases.Terms, settings []setting, own []string) (beside []setting) {
	var ours []setting
	for _, s := range settings {
		if slices.Contains(own, s.overlay.Name) {
			ours = append(ours, s)
		}
	}
	for _, s := range settings {
		meets := func(o setting) bool {
			_, meet := terms.Meet(s.condition, o.condition)
			return meet
		}
		if !slices.Contains(own, s.overlay.Name) && slices.ContainsFunc(ours, meets) {
			beside = append(beside, s)
		}
	}
	return append(beside, ours...)
}

// mostGaps is how many gaps among some settings are told.
const mostGaps = 3

func gapsAmong(terms cases.Terms, what string, settings []setting) (gaps LoadErrors) {
	conditions, by := make([]*cases.Condition, len(settings)), []string{}
	for i, s := range settings {
		conditions[i] = s.condition
		if !slices.Contains(by, s.overlay.Name) {
			by = append(by, s.overlay.Name)
		}
	}
	if roots := settings[0].roots; roots != nil {
		terms.Closed = maps.Clone(terms.Closed)
		terms.Closed[termRoot] = roots
	}
	found := terms.Gaps(conditions...)
	for i, c := range found {
		if i == mostGaps {
			break
		}
		at := settings[len(settings)-1].place
		at.Message = fmt.Sprintf("%s by %s for some documents, and for one with %s by none: if that is meant, leave it; else say it for these documents too", what, strings.Join(by, ", "), c)
		if more := len(found) - mostGaps; i == mostGaps-1 && more > 0 {
			at.Message += fmt.Sprintf(" (and %d more such gaps)", more)
		}
		gaps = append(gaps, at)
	}
	return gaps
}

// settings are what the overlay sets, by what that is.
func (o *Overlay) settings(l *Library, profiles []*Profile) map[string][]setting {
	all := map[string][]setting{}
	condition := cases.All(o.condition(profiles), o.unasked(profiles))
	add := func(what string, place LoadError, roots []string, asked ...*cases.Condition) {
		all[what] = append(all[what], setting{o, cases.All(append(asked, condition)...), place, roots})
	}
	for name, value := range o.Parameters {
		add("the parameter "+name+" is set", at(o, value), nil)
	}
	for i := range o.Lists {
		if c := &o.Lists[i]; c.Codes == nil {
			add("the code list "+c.Name+" is narrowed", c.place(o), nil)
		}
	}
	for i := range o.Levels {
		c := &o.Levels[i]
		for _, id := range c.Rules {
			add("the level of "+id+" is changed", c.Mistake(""), l.rootsOf(o, id), c.condition())
		}
	}
	return all
}

// unasked is the condition of an overlay that profiles name, and that nobody asks for beside: it
// is for the documents of these profiles. It says nothing of others.
func (o *Overlay) unasked(profiles []*Profile) *cases.Condition {
	var ids []string
	for _, p := range profiles {
		if slices.Contains(p.Overlays, o.Name) {
			ids = append(ids, p.ID)
		}
	}
	if len(ids) == 0 || len(ids) == len(profiles) {
		return cases.All()
	}
	return cases.Is(termProfile, ids...)
}

// rootsOf are the document elements of the one syntax that a rule is about; nil for any.
func (l *Library) rootsOf(o *Overlay, id string) []string {
	for _, s := range l.versionsOf(l.Reached(o)) {
		if r := s.ByID[id]; r != nil && r.On != "" {
			return rootsIn(r.On)
		}
	}
	return nil
}
