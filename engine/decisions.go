package engine

import (
	"slices"
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

// DecisionsOf holds the rules that a ruleset adds against all of its rules. Those of an overlay are
// held against each other, and against those of the rulesets that judge the same documents, as the
// overlay leaves them.
func (l *Library) DecisionsOf(s *Ruleset) *Decisions {
	l.mu.Lock()
	defer l.mu.Unlock()
	if d := l.decisions[s]; d != nil {
		return d
	}
	of := kept(l, func() *comparison { return l.comparisonOf(s) })
	held := kept(l, func() held { return of().bench.hold(of().sets, of().wanted) })
	d := &Decisions{
		Contradictions: func() LoadErrors { return held().contradictions },
		Doubts: kept(l, func() LoadErrors {
			return slices.Concat(held().doubts, of().bench.repetitions(held().others), l.leftByRules(s, l.OwnRules(s)))
		}),
		Idle: kept(l, func() LoadErrors { return of().alone.idleOf(s, rulesIn(l.OwnRules(s))) }),
	}
	l.decisions[s] = d
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
	sets   []*Ruleset // whose rules are held against each other
	wanted func(x, y *Rule) bool
	alone  *bench // for rules by themselves
}

func (l *Library) comparisonOf(s *Ruleset) *comparison {
	alone := &bench{library: l, terms: knownTerms(nil), when: cases.All(), lists: l.CodeList}
	if s.Name != FolderOfOverlays {
		own := rulesIn(l.OwnRules(s))
		return &comparison{alone, []*Ruleset{s}, func(x, y *Rule) bool { return own[x] || own[y] }, alone}
	}
	none := &comparison{bench: alone, alone: alone}
	o, err := l.Overlay(s.Version)
	if err != nil {
		return none // told with the overlay
	}
	alone.lists = o.lookup(l)
	profiles, err := l.Profiles()
	if err != nil {
		return none
	}
	stack := append([]*Overlay{o}, o.Ancestors(l)...)
	w, sets, err := l.overlaidSets(stack, l.Reached(o))
	if err != nil {
		return none // told with the ruleset
	}
	b := &bench{library: l, terms: knownTerms(profiles), when: o.condition(profiles), lists: l.lookupIn(w.lists), overlays: stack}
	return &comparison{b, sets, func(x, y *Rule) bool {
		return x.file == o.File && (y.file == o.File || KindOf(y.file) != FileOfOverlay) || y.file == o.File && KindOf(x.file) != FileOfOverlay
	}, alone}
}

func rulesIn(rules []*Rule) map[*Rule]bool {
	in := make(map[*Rule]bool, len(rules))
	for _, r := range rules {
		in[r] = true
	}
	return in
}
