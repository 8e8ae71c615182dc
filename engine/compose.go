package engine

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"einvoice/engine/cases"
	"einvoice/model"
	"einvoice/model/problem"
)

// CodeOverlayConflict is the code of the error for overlays that cannot apply together.
const CodeOverlayConflict = "OVERLAY-CONFLICT"

// Overlays compose: which of them decides never depends on the order in which they are
// named. What two of them say that may apply to one document is either the same, adds up,
// or is a conflict, unless one says that it is over the other.

// Compose finds the overlays of these names with those that they are over, the ones that
// decide first. The error of overlays that contradict each other is a *problem.Error with
// the places of both. Checking, publishing, starting and every command come through here.
func (l *Library) Compose(names []string) ([]*Overlay, error) {
	stack, err := l.withAncestors(names)
	if err != nil || len(stack) == 0 {
		return nil, err
	}
	if err := l.refuse(stack, nil, nil); err != nil {
		return nil, err
	}
	return stack, nil
}

// refuse is the error of overlays that contradict each other, or those that they are over:
// of a profile, and of all profiles.
func (l *Library) refuse(upper, profiles, shared []*Overlay) error {
	key := overlayNames(upper) + "|" + overlayNames(profiles) + "|" + overlayNames(shared)
	l.mu.Lock()
	known, ok := l.composed[key]
	l.mu.Unlock()
	if ok {
		return known
	}
	c := &composition{library: l, upper: upper, lower: slices.Concat(profiles, shared), shared: len(shared)}
	err := c.refused()
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.composed) >= mostComposed { // which overlays are together is up to requests
		clear(l.composed)
	}
	l.composed[key] = err
	return err
}

// mostComposed bounds how many sets of overlays are remembered.
const mostComposed = 256

func overlayNames(overlays []*Overlay) string {
	names := make([]string, len(overlays))
	for i, o := range overlays {
		names[i] = o.Name
	}
	return strings.Join(names, ",")
}

// withAncestors are overlays with those that they are over, the ones that decide first, and
// by name where none does.
func (l *Library) withAncestors(names []string) ([]*Overlay, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	found := map[string]*Overlay{}
	todo := slices.Clone(names)
	for len(todo) > 0 {
		name := todo[0]
		todo = todo[1:]
		if found[name] != nil {
			continue
		}
		o, err := l.overlay(name)
		if err != nil {
			return nil, err
		}
		found[name] = o
		todo = append(todo, o.over...)
	}
	stack := slices.Collect(maps.Values(found))
	slices.SortFunc(stack, func(a, b *Overlay) int {
		return cmp.Or(cmp.Compare(b.depth, a.depth), cmp.Compare(a.Name, b.Name))
	})
	return stack, nil
}

// A composition is overlays that may be together: upper ones, which decide, over those that
// profiles name.
type composition struct {
	library      *Library
	upper, lower []*Overlay
	shared       int // how many of the last lower ones are of all profiles: the others decide over them
	profiles     []*Profile
	// tells says of which overlays a contradiction is told; nil for all.
	tells func(*Overlay) bool
	// decided collects what would be contradictions if one overlay were not over the other;
	// nil to look for none.
	decided *LoadErrors
}

// refused is the error of a set that was asked for.
func (c *composition) refused() error {
	for i, a := range c.upper {
		for _, b := range c.upper[i+1:] {
			if a.isNotWith(b) {
				return &problem.Error{Code: CodeOverlayConflict, Message: fmt.Sprintf("the overlays %s and %s are never applied together: one of them says so (notWith)", a.Name, b.Name), Remedy: "choose one of them"}
			}
		}
	}
	conflicts := c.conflicts()
	if len(conflicts) == 0 {
		return nil
	}
	return &problem.Error{Code: CodeOverlayConflict, Message: fmt.Sprintf("the overlays %s contradict each other: %s", strings.ReplaceAll(overlayNames(c.upper), ",", ", "), conflicts.Error()),
		Remedy: "correct one of the files that are named, or apply one overlay alone", Cause: conflicts}
}

// Together are the names of overlays in sets that may be together, so that each is in one.
func (l *Library) Together(names []string) (sets [][]string) {
	apart := func(a, b string) bool {
		x, errX := l.Overlay(a)
		y, errY := l.Overlay(b)
		return errX == nil && errY == nil && x.isNotWith(y)
	}
	for _, name := range names {
		i := slices.IndexFunc(sets, func(set []string) bool {
			return !slices.ContainsFunc(set, func(other string) bool { return apart(name, other) })
		})
		if i < 0 {
			i, sets = len(sets), append(sets, nil)
		}
		sets[i] = append(sets[i], name)
	}
	return sets
}

// Conflicts are the contradictions among all overlays of the library that may be together:
// those that are asked for by name with each other, and over those that profiles name. Those
// among overlays of a folder below are none of the folder's.
func (l *Library) Conflicts() LoadErrors { return l.together(nil) }

// Decisions are where overlays meet that say different things, and one of them decides, as it
// is over the other: the library must have no conflicts.
func (l *Library) Decisions() LoadErrors {
	decided := LoadErrors{}
	l.together(&decided)
	return decided
}

func (l *Library) together(decided *LoadErrors) (failures LoadErrors) {
	profiles, err := l.Profiles()
	if err != nil {
		return nil // told with the profiles
	}
	named := map[string]bool{}
	for _, p := range profiles {
		for _, name := range p.Overlays {
			named[name] = true
		}
	}
	names, err := l.OverlayNames()
	if err != nil {
		return MistakesIn(FolderOfOverlays, err)
	}
	var asked []*Overlay
	for _, name := range names {
		if o, err := l.Overlay(name); err == nil && !named[name] { // mistakes are told with the overlay
			asked = append(asked, o)
		}
	}
	slices.SortStableFunc(asked, func(a, b *Overlay) int { return cmp.Compare(b.depth, a.depth) })
	own, _ := l.Own()
	tells := func(o *Overlay) bool {
		_, err := fs.Stat(own, o.File)
		return err == nil
	}
	failures = (&composition{library: l, upper: asked, tells: tells, decided: decided}).conflicts()
	for _, p := range profiles {
		profiles, shared := l.named(p.Overlays[:p.own]), l.named(p.Overlays[p.own:])
		failures = append(failures, (&composition{library: l, upper: profiles, lower: shared, tells: tells, decided: decided}).conflicts()...)
		failures = append(failures, (&composition{library: l, upper: asked, lower: append(profiles, shared...), tells: tells, decided: decided}).across(p)...)
	}
	return failures
}

// named are the overlays of these names that load.
func (l *Library) named(names []string) (overlays []*Overlay) {
	for _, name := range names {
		if o, err := l.Overlay(name); err == nil {
			overlays = append(overlays, o)
		}
	}
	return overlays
}

// conflicts are the contradictions of the set, each with both places and what to do.
func (c *composition) conflicts() (failures LoadErrors) {
	var err error
	if c.profiles, err = c.library.Profiles(); err != nil {
		return nil
	}
	for i, a := range c.upper {
		failures = append(failures, c.within(a)...)
		for _, b := range c.upper[i+1:] {
			failures = append(failures, c.pair(a, b, a.isOver(b))...)
		}
		for _, b := range c.lower {
			failures = append(failures, c.pair(a, b, true)...)
		}
	}
	own := len(c.lower) - c.shared
	for i, a := range c.lower {
		for j, b := range c.lower[i+1:] {
			failures = append(failures, c.pair(a, b, a.isOver(b) || i < own && i+1+j >= own)...)
		}
	}
	return append(failures, c.emptied()...)
}

// pair reports what two overlays contradict each other in, if they may be together.
func (c *composition) pair(a, b *Overlay, over bool) LoadErrors {
	if c.tells != nil && !c.tells(a) && !c.tells(b) {
		return nil
	}
	both, meet := c.meet([]*Overlay{a, b}, nil)
	switch {
	case !meet:
		return nil
	case !over && c.tells != nil && !c.tells(b): // told where it can be corrected
		return c.between(b, a, false, both)
	}
	return c.between(a, b, over, both)
}

// across are the contradictions between overlays that are asked for and those of a profile.
func (c *composition) across(p *Profile) (failures LoadErrors) {
	c.profiles = []*Profile{p}
	for _, a := range c.upper {
		for _, b := range c.lower {
			failures = append(failures, c.pair(a, b, true)...)
		}
	}
	return failures
}

// areApart reports whether no document has all of the overlays.
func (c *composition) areApart(overlays ...*Overlay) bool {
	_, meet := c.meet(overlays, nil)
	return !meet
}

// meet finds documents that have all of the overlays, and of which a change of levels in each
// of them is for.
func (c *composition) meet(overlays []*Overlay, changes []*LevelChange) (cases.Case, bool) {
	var conditions []*cases.Condition
	for i, o := range overlays {
		if slices.ContainsFunc(overlays[:i], func(other *Overlay) bool { return o.isNotWith(other) }) {
			return nil, false
		}
		conditions = append(conditions, o.condition(c.profiles))
	}
	for _, change := range changes {
		conditions = append(conditions, change.condition())
	}
	return knownTerms(c.profiles).Meet(conditions...)
}

// isNotWith reports whether one of the overlays says that they are never together.
func (o *Overlay) isNotWith(other *Overlay) bool {
	return slices.Contains(o.NotWith, other.Name) || slices.Contains(other.NotWith, o.Name)
}

// within reports two changes of an overlay of which one alone can hold.
func (c *composition) within(o *Overlay) (failures LoadErrors) {
	if c.tells != nil && !c.tells(o) {
		return nil
	}
	for i := range o.Levels {
		for j := range i {
			here, there := &o.Levels[j], &o.Levels[i]
			id, other := here.concerns(there)
			if id == "" {
				continue
			}
			if both, meet := c.meet([]*Overlay{o}, []*LevelChange{here, there}); meet {
				failures = append(failures, there.Mistake("%s is of level %s here, and %s of level %s at %s:%d:%d%s: which decides? Leave the ids of the one out of the other, or say by from or documents that they are for others",
					other, there.Level, id, here.Level, here.file, here.node.Line, here.node.Column, onDocument(both)))
			}
		}
	}
	return failures
}

// between reports what two overlays contradict each other in. over tells that a decides.
func (c *composition) between(a, b *Overlay, over bool, both cases.Case) (failures LoadErrors) {
	failures = append(failures, c.sameRules(a, b, over)...)
	failures = append(failures, c.clashing(a, b)...)
	if over && c.decided == nil {
		return failures
	}
	differ := func(place, other LoadError, both cases.Case, here, there string) {
		if !over {
			failures = append(failures, conflict(a, b, place, other, both, here, there))
			return
		}
		other.Message = fmt.Sprintf("overlay %s decides over %s (%s:%d:%d)%s: %s there, and %s here", a.Name, b.Name, place.File, place.Line, place.Column, onDocument(both), here, there)
		*c.decided = append(*c.decided, other)
	}
	sameLists(a, b, both, differ)
	for _, name := range slices.Sorted(maps.Keys(a.Parameters)) {
		here, there := a.Parameters[name], b.Parameters[name]
		if there.Written() && !sameValue(here.Value, there.Value) && c.haveInCommon(a, b, name) {
			differ(at(b, there), at(a, here), both, fmt.Sprintf("the parameter %s is %s", name, there.Value), here.Value)
		}
	}
	for i := range a.Levels {
		for j := range b.Levels {
			here, there := &a.Levels[i], &b.Levels[j]
			if id, other := here.concerns(there); id != "" {
				if both, meet := c.meet([]*Overlay{a, b}, []*LevelChange{here, there}); meet {
					differ(there.Mistake(""), here.Mistake(""), both, fmt.Sprintf("%s is of level %s", other, there.Level), fmt.Sprintf("%s of level %s", id, here.Level))
				}
			}
		}
	}
	for _, here := range a.Rulesets {
		for _, there := range b.Rulesets {
			if here != there && familyOf(here) == familyOf(there) {
				differ(b.Mistake("rulesets", ""), a.Mistake("rulesets", ""), both, fmt.Sprintf("the ruleset %s is run", there), here)
			}
		}
	}
	return failures
}

func familyOf(ref string) string {
	family, _, _ := strings.Cut(ref, "/")
	return family
}

// at is where a value of an overlay is written.
func at(o *Overlay, value Located[string]) LoadError {
	return LoadError{File: o.File, Line: value.Node.Line, Column: value.Node.Column}
}

// conflict says what is at one place, and what contradicts it at the other.
func conflict(a, b *Overlay, place, other LoadError, both cases.Case, here, there string) LoadError {
	place.Message = fmt.Sprintf("%s here, and %s in overlay %s (%s:%d:%d), and both may be for one document%s: make them the same, or say in one of them that it decides (over: %s), "+
		"that they are never together (notWith), or by documents, on or effective that they are for others", here, there, a.Name, other.File, other.Line, other.Column, onDocument(both), otherName(a, b, place))
	return place
}

// otherName is the overlay that is over the one at a place, or the reverse: whichever is not
// written there.
func otherName(a, b *Overlay, place LoadError) string {
	if place.File == a.File {
		return b.Name
	}
	return a.Name
}

// sameValue reports whether two texts are one value: as they are written, or as numbers.
func sameValue(a, b string) bool {
	x, y := model.NewNumber(a), model.NewNumber(b)
	return a == b || x.Valid && y.Valid && x.Value.Cmp(y.Value) == 0
}

// sameLists tells of code lists that both declare.
func sameLists(a, b *Overlay, both cases.Case, differ func(place, other LoadError, both cases.Case, here, there string)) {
	for i := range a.Lists {
		for j := range b.Lists {
			here, there := &a.Lists[i], &b.Lists[j]
			if here.Name == there.Name && (here.Codes != nil || there.Codes != nil) {
				differ(there.place(b), here.place(a), both, fmt.Sprintf("the code list %s is %s", here.Name, there.does()), here.does())
			}
		}
	}
}

// does says in words what the change does to its list.
func (c *ListChange) does() string {
	if c.Codes != nil {
		return "made"
	}
	return "narrowed"
}

func (c *ListChange) place(o *Overlay) LoadError {
	return LoadError{File: o.File, Line: c.Node.Line, Column: c.Node.Column}
}

// concerns finds ids of a rule whose findings both changes give levels, and other ones; "" for
// none.
func (c *LevelChange) concerns(other *LevelChange) (id, otherID string) {
	if c.Level == other.Level || c.From != "" && other.From != "" && c.From != other.From {
		return "", ""
	}
	for _, id := range c.Rules {
		if i := slices.IndexFunc(other.Rules, func(otherID string) bool { return overlap(id, otherID) }); i >= 0 {
			return id, other.Rules[i]
		}
	}
	return "", ""
}

// onDocument says of which document something is told; "" for any.
func onDocument(c cases.Case) string {
	delete(c, termStandard) // a request says it, and no document
	if len(c) == 0 {
		return ""
	}
	return fmt.Sprintf(" (such as one with %s)", c)
}

// overlap reports whether an id may be one of both, of which each may end in *.
func overlap(a, b string) bool {
	startA, severalA := strings.CutSuffix(a, "*")
	startB, severalB := strings.CutSuffix(b, "*")
	return a == b || severalA && strings.HasPrefix(startB, startA) || severalB && strings.HasPrefix(startA, startB)
}

// haveInCommon reports whether a parameter that both set is one parameter: that of a ruleset
// which both reach.
func (c *composition) haveInCommon(a, b *Overlay, name string) bool {
	others := c.library.Reached(b)
	return slices.ContainsFunc(c.library.versionsOf(c.library.Reached(a)), func(s *Ruleset) bool {
		return s.Parameter(name) != nil && reaches(others, s)
	})
}

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

// emptied reports published code lists of which overlays that may be together leave nothing.
func (c *composition) emptied() (failures LoadErrors) {
	all := slices.Concat(c.upper, c.lower)
	lists := map[string][]*Overlay{}
	for _, o := range all {
		for i := range o.Lists {
			if o.Lists[i].Codes == nil {
				lists[o.Lists[i].Name] = append(lists[o.Lists[i].Name], o)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(lists)) {
		list, err := c.library.CodeList(name)
		if err != nil {
			continue // told with the overlay
		}
		e := &emptying{c: c, name: name, overlays: lists[name], left: mostSets}
		set := e.search(0, nil, list.codes())
		if set == nil && e.left == 0 && e.leavesNothing(list.codes()) {
			set = e.overlays
		}
		if len(set) > 1 && (c.tells == nil || slices.ContainsFunc(set, c.tells)) {
			last := set[len(set)-1]
			var places []string
			for _, o := range set[:len(set)-1] {
				at := o.list(name).place(o)
				places = append(places, fmt.Sprintf("overlay %s (%s:%d:%d)", o.Name, at.File, at.Line, at.Column))
			}
			at := last.list(name).place(last)
			at.Message = fmt.Sprintf("no code of the list %s is left after this and %s, and all may be for one document: leave them a code, or say that they are never together (notWith)", name, strings.Join(places, ", "))
			failures = append(failures, at)
		}
	}
	return failures
}

// An emptying looks for overlays that may be together and leave a code list no code.
type emptying struct {
	c        *composition
	name     string
	overlays []*Overlay
	left     int // sets that are still looked at
}

// mostSets bounds how many sets of overlays are tried; beyond it all are taken together.
const mostSets = 4096

func (e *emptying) search(from int, chosen []*Overlay, codes map[string]struct{}) []*Overlay {
	if len(codes) == 0 {
		return chosen
	}
	for i := from; i < len(e.overlays) && e.left > 0; i++ {
		o := e.overlays[i]
		with := append(chosen[:len(chosen):len(chosen)], o)
		if e.c.areApart(with...) {
			continue
		}
		e.left--
		if found := e.search(i+1, with, o.list(e.name).narrow(codes)); found != nil {
			return found
		}
	}
	return nil
}

// leavesNothing reports whether all of the overlays together leave no code.
func (e *emptying) leavesNothing(codes map[string]struct{}) bool {
	for _, o := range e.overlays {
		codes = o.list(e.name).narrow(codes)
	}
	return len(codes) == 0
}

// list is what the overlay says of a code list; nil for nothing.
func (o *Overlay) list(name string) *ListChange {
	for i := range o.Lists {
		if o.Lists[i].Name == name {
			return &o.Lists[i]
		}
	}
	return nil
}

// isOver reports whether the overlay decides over another one.
func (o *Overlay) isOver(other *Overlay) bool { return slices.Contains(o.above, other.Name) }

// CheckValues reports values of parameters with which a rule does not load any more, alone
// or with those that other overlays give, at the places of the values.
func (l *Library) CheckValues(o *Overlay) (failures LoadErrors) {
	if len(o.Parameters) == 0 {
		return nil
	}
	for _, s := range l.versionsOf(l.Reached(o)) {
		for _, r := range s.Rules {
			failures = append(failures, l.checkValuesIn(o, s, r)...)
		}
	}
	return failures
}

// mostValues bounds how many combinations of values a rule is tried with.
const mostValues = 256

// checkValuesIn tries a rule with the values of the parameters in it: those of the overlay,
// and each that another overlay may give beside them.
func (l *Library) checkValuesIn(o *Overlay, s *Ruleset, r *Rule) (failures LoadErrors) {
	if r.Template == nil {
		return nil
	}
	names := NamesIn(r.Template)
	var own []string
	sets := []map[string]string{{}}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		if s.Parameter(name) == nil {
			continue
		}
		values := []string{s.constants[name]}
		if value, has := o.Parameters[name]; has {
			own, values = append(own, name), []string{value.Value}
		} else {
			values = append(values, l.valuesOf(name)...)
		}
		sets = combined(sets, name, values)
	}
	if own == nil {
		return nil
	}
	at := o.Parameters[own[0]]
	for _, values := range sets {
		with := *s
		with.constants = maps.Clone(s.constants)
		maps.Copy(with.constants, values)
		filled, mistakes := with.resolve(r)
		if len(mistakes) == 0 {
			for _, form := range filled.Forms() {
				mistakes = append(mistakes, CheckForm(l.EnvironmentOf(nil), form)...)
			}
		}
		if len(mistakes) > 0 {
			return LoadErrors{at.Mistake(o.File, fmt.Errorf("with %s, rule %s (%s:%d) does not load: %s", saidValues(values), r.ID, r.file, r.Node.Line, mistakes[0].Message))}
		}
	}
	return nil
}

// combined are sets of values with each value of another parameter, while there is room.
func combined(sets []map[string]string, name string, values []string) (out []map[string]string) {
	for _, set := range sets {
		for i, value := range values {
			if i > 0 && len(out) >= mostValues {
				break
			}
			with := maps.Clone(set)
			with[name] = value
			out = append(out, with)
		}
	}
	return out
}

func saidValues(values map[string]string) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		parts = append(parts, name+" "+values[name])
	}
	return strings.Join(parts, ", ")
}

// valuesOf are the values that overlays of the library give to parameters of a name.
func (l *Library) valuesOf(name string) (values []string) {
	names, err := l.OverlayNames()
	if err != nil {
		return nil
	}
	for _, overlay := range names {
		if o, err := l.Overlay(overlay); err == nil {
			if value, has := o.Parameters[name]; has && !slices.Contains(values, value.Value) {
				values = append(values, value.Value)
			}
		}
	}
	return values
}
