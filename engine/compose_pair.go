package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"einvoice/engine/cases"
	"einvoice/model"
)

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
	where := fmt.Sprintf("%s:%d:%d", other.File, other.Line, other.Column)
	over := otherName(a, b, place)
	delete(both, termStandard) // a request says it, and no document
	if len(both) == 0 {
		place.Message = fmt.Sprintf("%s here, and %s in overlay %s (%s), and both may be for one document: make them the same, or say in one of them that it decides (over: %s), that they are never together (notWith), or by documents, on or effective that they are for others", here, there, a.Name, where, over)
	} else {
		place.Message = fmt.Sprintf("%s here, and %s in overlay %s (%s), and both may be for one document (such as one with %s): make them the same, or say in one of them that it decides (over: %s), that they are never together (notWith), or by documents, on or effective that they are for others", here, there, a.Name, where, both, over)
	}
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
				differ(there.place(b), here.place(a), both, there.says(), here.does())
			}
		}
	}
}

// says is a sentence about what the change does to its list.
func (c *ListChange) says() string {
	if c.Codes != nil {
		return fmt.Sprintf("the code list %s is made", c.Name)
	}
	return fmt.Sprintf("the code list %s is narrowed", c.Name)
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
