package engine

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

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
	named := map[string]bool{} // with those that they are over
	for _, p := range profiles {
		of, _ := l.ofProfile(p) // none where one does not load, which is told where it is
		for _, o := range of.all {
			named[o.Name] = true
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
		of, _ := l.ofProfile(p)
		failures = append(failures, (&composition{library: l, upper: of.own, lower: of.shared, tells: tells, decided: decided}).conflicts()...)
		failures = append(failures, (&composition{library: l, upper: asked, lower: of.all, tells: tells, decided: decided}).across(p)...)
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
