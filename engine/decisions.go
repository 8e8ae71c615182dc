package engine

import (
	"path"
	"slices"
	"strings"
	"sync"

	"einvoice/engine/cases"
)

// Decisions are what rules decide beside each other, and which of them decide nothing. What is
// asked for is made once: the check and its warnings ask for the same.
type Decisions struct {
	// Contradictions are of fatal rules that no document can meet together.
	Contradictions func() LoadErrors
	// Doubts are of other such rules, of rules that repeat each other, and of documents that
	// several rules leave, where these look as if they were for all.
	Doubts func() LoadErrors
	// Idle are of rules whose context selects nothing, or whose assertion holds wherever it selects
	// something, or nowhere.
	Idle func() LoadErrors
}

// DecisionsOf holds the rules that a ruleset adds against all of its rules. Those that an overlay
// adds are DecisionsOfOverlay.
func (l *Library) DecisionsOf(s *Ruleset) *Decisions {
	if s.Name == FolderOfOverlays {
		if o, err := l.Overlay(s.Version); err == nil {
			return l.DecisionsOfOverlay(o)
		}
	}
	return l.decide(s, s, func() *comparison {
		alone, own := l.alone(), rulesIn(l.OwnRules(s))
		return &comparison{alone, []*Ruleset{s}, func(x, y *Rule) bool { return own[x] || own[y] }, alone}
	})
}

// DecisionsOfOverlay holds the rules that an overlay adds, in its file or in rulesets of the
// library's own folder, and those that it changes, against each other and against those of the
// rulesets that judge the same documents, as the overlay leaves them.
func (l *Library) DecisionsOfOverlay(o *Overlay) *Decisions {
	return l.decide(o, o.rules, func() *comparison { return l.comparisonOf(o) })
}

// decide makes the decisions about something, of which the rules of a ruleset, or of none, are
// also looked at by themselves.
func (l *Library) decide(about any, s *Ruleset, compared func() *comparison) *Decisions {
	l.mu.Lock()
	defer l.mu.Unlock()
	if d := l.decisions[about]; d != nil {
		return d
	}
	of := kept(l, compared)
	hold := func(fatal bool) held { return of().bench.hold(of().sets, of().wanted, fatal) }
	fatal := kept(l, func() held { return hold(true) })
	d := &Decisions{
		Contradictions: func() LoadErrors { return fatal().contradictions },
		Doubts: kept(l, func() LoadErrors {
			doubts := of().bench.doubts(fatal(), hold(false))
			if s == nil {
				return doubts
			}
			return append(doubts, l.leftByRules(s, l.OwnRules(s))...)
		}),
		Idle: kept(l, func() LoadErrors {
			if s == nil {
				return nil
			}
			return of().alone.idleOf(s, rulesIn(l.OwnRules(s)))
		}),
	}
	l.decisions[about] = d
	return d
}

// kept is what a function returns, made once. What it returns while checks are to end is not all,
// and is made again.
func kept[T any](l *Library, from func() T) func() T {
	var mu sync.Mutex
	var made *T
	return func() T {
		mu.Lock()
		defer mu.Unlock()
		if made != nil {
			return *made
		}
		value := from()
		if l.Ended() == nil {
			made = &value
		}
		return value
	}
}

// A comparison is of the rules that a ruleset adds.
type comparison struct {
	bench  *bench
	sets   []*Ruleset // whose rules are compared with each other
	wanted func(x, y *Rule) bool
	alone  *bench // for rules by themselves
}

// alone is the bench of rules that no overlay changes.
func (l *Library) alone() *bench {
	return &bench{library: l, terms: knownTerms(nil), when: cases.All(), lists: l.CodeList}
}

func (l *Library) comparisonOf(o *Overlay) *comparison {
	alone := l.alone()
	none := &comparison{bench: alone, alone: alone}
	alone.lists = o.lookup(l)
	profiles, err := l.Profiles()
	if err != nil {
		return none
	}
	stack := append([]*Overlay{o}, o.Ancestors(l)...)
	w, all, err := l.overlaidSets(stack, l.Reached(o))
	if err != nil {
		return none // told with the ruleset
	}
	folder, _ := l.Own()
	versions, err := OwnVersions(folder)
	if err != nil {
		return none
	}
	added := map[string]bool{} // folders of the rulesets that the overlay adds
	for _, s := range l.versionsOf(o.Rulesets) {
		if ref := s.Name + "/" + s.Version; slices.Contains(versions, ref) {
			added[ref] = true
		}
	}
	sets := len(o.Parameters)+len(o.Lists) > 0
	changed := func(r *Rule) bool { return slices.Contains(strings.Split(r.Overlay, ", "), o.Name) }
	own := func(r *Rule) bool { return r.file == o.File || changed(r) || added[path.Dir(r.file)] }
	foreign := func(r *Rule) bool { return KindOf(r.file) == FileOfOverlay && !own(r) }
	b := &bench{library: l, terms: knownTerms(profiles), when: o.condition(profiles), lists: l.lookupIn(w.lists), overlays: stack}
	return &comparison{b, all, func(x, y *Rule) bool {
		if added[path.Dir(x.file)] && path.Dir(x.file) == path.Dir(y.file) && !sets {
			return false // compared with their ruleset, and as they are there
		}
		return (own(x) || own(y)) && !foreign(x) && !foreign(y)
	}, alone}
}

func rulesIn(rules []*Rule) map[*Rule]bool {
	in := make(map[*Rule]bool, len(rules))
	for _, r := range rules {
		in[r] = true
	}
	return in
}
