package engine

import (
	"fmt"
	"io/fs"
	"slices"

	"einvoice/engine/cases"
	"einvoice/engine/expr"
	"einvoice/model"
	"einvoice/model/quote"
	"einvoice/model/syntax"
)

// Rules that no document can meet together, and rules that decide nothing. They are held against
// each other as conditions: what a context asks of a document, and what it has where the
// assertion holds.

// A stand is what a rule asks of documents of one syntax.
type stand struct {
	rule  *Rule
	of    *Ruleset
	form  Form
	level Level
	// context is of the documents that the rule is for, holds of those that meet its assertion,
	// asks of all that it lets pass.
	context, holds, asks *cases.Condition
	terms                []string // that context and assertion are about

	fires   *cases.Condition // of documents on which the rule fires, and whether there are any; see canFire
	canFire bool
}

// A bench holds rules against each other.
type bench struct {
	library  *Library
	terms    cases.Terms
	when     *cases.Condition // of the documents that are looked at
	lists    listLookup
	overlays []*Overlay // that change levels, the one that decides first
}

// Decisions are what rules decide beside each other, and which of them decide nothing.
type Decisions struct {
	Contradictions LoadErrors // of fatal rules that no document can meet together
	Doubts         LoadErrors // of other such rules, and of documents that several rules leave, where these look as if they were for all
	Idle           LoadErrors // of rules whose context selects nothing, or whose assertion holds wherever it selects something, or nowhere
}

// DecisionsOf holds the rules that a ruleset adds against all of its rules. Those of an overlay are
// held against each other, and against those of the rulesets that judge the same documents, as the
// overlay leaves them. The check and its warnings ask for the same, so it is made once.
func (l *Library) DecisionsOf(s *Ruleset) *Decisions {
	l.mu.Lock()
	known := l.decisions[s]
	l.mu.Unlock()
	if known != nil {
		return known
	}
	made := l.decisionsOf(s)
	if l.Ended() == nil { // what was found until then is not all
		l.mu.Lock()
		l.decisions[s] = made
		l.mu.Unlock()
	}
	return made
}

func (l *Library) decisionsOf(s *Ruleset) *Decisions {
	if s.Name == FolderOfOverlays {
		if o, err := l.Overlay(s.Version); err == nil {
			return l.decisionsOfOverlay(o)
		}
	}
	own := l.OwnRules(s)
	isOwn := rulesIn(own)
	b := &bench{library: l, terms: knownTerms(nil), when: cases.All(), lists: l.CodeList}
	contradictions, doubts := b.clashes([]*Ruleset{s}, func(x, y *Rule) bool { return isOwn[x] || isOwn[y] })
	return &Decisions{contradictions, append(doubts, l.leftByRules(s, own)...), b.idleOf(s, isOwn)}
}

func (l *Library) decisionsOfOverlay(o *Overlay) *Decisions {
	profiles, err := l.Profiles()
	if err != nil {
		return &Decisions{}
	}
	stack := append([]*Overlay{o}, o.Ancestors(l)...)
	w, sets, err := l.overlaidSets(stack, l.Reached(o))
	if err != nil {
		return &Decisions{} // told with the overlay, or the ruleset
	}
	b := &bench{library: l, terms: knownTerms(profiles), when: o.condition(profiles), lists: l.lookupIn(w.lists), overlays: stack}
	contradictions, doubts := b.clashes(sets, func(x, y *Rule) bool {
		return x.file == o.File && (y.file == o.File || KindOf(y.file) != FileOfOverlay) || y.file == o.File && KindOf(x.file) != FileOfOverlay
	})
	// What an overlay's rule decides is asked without the documents that the overlay is for.
	alone := &bench{library: l, terms: knownTerms(nil), when: cases.All(), lists: o.lookup(l)}
	return &Decisions{contradictions, append(doubts, l.leftByRules(o.rules, o.rules.Rules)...), alone.idleOf(o.rules, rulesIn(o.rules.Rules))}
}

func rulesIn(rules []*Rule) map[*Rule]bool {
	in := make(map[*Rule]bool, len(rules))
	for _, r := range rules {
		in[r] = true
	}
	return in
}

// clashing reports fatal rules that two overlays add, and that no document can meet together.
func (c *composition) clashing(a, b *Overlay) LoadErrors {
	if a.rules == nil && a.Rulesets == nil || b.rules == nil && b.Rulesets == nil {
		return nil
	}
	w, sets, err := c.library.overlaidSets([]*Overlay{a, b}, nil)
	if err != nil {
		return nil // told with the overlay
	}
	here, there := c.library.rulesAddedBy(a), c.library.rulesAddedBy(b)
	bench := &bench{library: c.library, terms: knownTerms(c.profiles), when: cases.All(a.condition(c.profiles), b.condition(c.profiles)), lists: c.library.lookupIn(w.lists), overlays: []*Overlay{a, b}}
	contradictions, doubts := bench.clashes(sets, func(x, y *Rule) bool {
		both := here[x.ID].Rule != nil && there[y.ID].Rule != nil || here[y.ID].Rule != nil && there[x.ID].Rule != nil
		return both && x.file != y.file
	})
	if c.decided != nil {
		*c.decided = append(*c.decided, doubts...)
	}
	return contradictions
}

// mostContradictions is how many contradictions are enough to correct at a time.
const mostContradictions = 100

// clashes looks at each pair of rules that is wanted. It finds nothing more where checks of the
// library are to end.
func (b *bench) clashes(sets []*Ruleset, wanted func(x, y *Rule) bool) (contradictions, doubts LoadErrors) {
	told := map[string]bool{} // by ids, as a rule is in several versions and syntaxes
	for _, of := range syntax.Current() {
		all := b.stands(sets, model.Syntax(of.ID))
		about := map[string][]*stand{}
		for _, y := range all {
			seen := map[*stand]bool{}
			for _, term := range y.terms {
				for _, x := range about[term] {
					if len(told) > mostContradictions || b.library.Ended() != nil {
						return contradictions, doubts
					}
					if pair := x.rule.ID + " " + y.rule.ID; !seen[x] && !told[pair] && wanted(x.rule, y.rule) {
						seen[x] = true
						failure, certain := b.hold(x, y)
						if failure == nil {
							continue
						}
						told[pair] = true
						if certain {
							contradictions = append(contradictions, *failure)
						} else {
							doubts = append(doubts, *failure)
						}
					}
				}
				about[term] = append(about[term], y)
			}
		}
	}
	return contradictions, doubts
}

// idleOf are those of some rules of a ruleset that decide nothing.
func (b *bench) idleOf(s *Ruleset, some map[*Rule]bool) (failures LoadErrors) {
	for _, of := range syntax.Current() {
		for _, x := range b.stands([]*Ruleset{s}, model.Syntax(of.ID)) {
			if b.library.Ended() != nil {
				return nil
			}
			if !some[x.rule] || x.rule.NeverFires != "" {
				continue
			}
			if why := b.idle(x); why != nil {
				failures = append(failures, *why)
			}
		}
	}
	return failures
}

// idle says that a rule decides nothing; nil for one that does. An assertion that is nothing but
// true or false is meant so.
func (b *bench) idle(x *stand) *LoadError {
	written := x.form.Assert.Value == "true" || x.form.Assert.Value == "false"
	can := func(conditions ...*cases.Condition) bool {
		_, can := b.terms.Meet(conditions...)
		return can
	}
	var e LoadError
	switch {
	case !can(x.context):
		e = x.form.Context.Mistake(x.rule.file, fmt.Errorf("the context of rule %s selects nothing in any document, as its conditions exclude each other: correct them, or leave the rule out", x.rule.ID))
	case written:
		return nil
	case !b.canFire(x):
		e = x.form.Assert.Mistake(x.rule.file, fmt.Errorf("rule %s never fires, as its assertion is true of whatever its context selects: correct one of them, or leave the rule out", x.rule.ID))
	case !can(x.holds):
		e = x.form.Assert.Mistake(x.rule.file, fmt.Errorf("no document meets the assertion of rule %s, as its conditions exclude each other: correct them, or write false where the context says what must not be", x.rule.ID))
	default:
		return nil
	}
	return &e
}

// longestCompared is how many bytes of context and assertion are compared with those of others: what
// nobody writes by hand is compared in no reasonable time.
const longestCompared = 8 << 10

// stands are what the rules of some rulesets ask of documents of a syntax.
func (b *bench) stands(sets []*Ruleset, of model.Syntax) (all []*stand) {
	inSyntax := (&Documents{Syntax: of}).condition()
	for _, s := range sets {
		for _, r := range s.Rules {
			form, applies := r.Form(of)
			if b.library.Ended() != nil {
				return nil
			}
			if !applies || r.Row != nil || len(form.Assert.Value)+len(form.Context.Value) > longestCompared {
				continue
			}
			place, group := groupAt(form.Context.Value)
			if group == nil {
				continue
			}
			holds, err := expr.Holds(form.Assert.Value, expr.Group(group), place, b.codes)
			if err != nil {
				continue // told with the rule
			}
			selects := conditionOf(form.Context.Value, true)
			context := cases.All(b.when, inSyntax, r.Effective.condition(r.Effective.By), s.Effective.condition(""), selects)
			all = append(all, &stand{rule: r, of: s, form: form, level: b.level(r, form), context: context, holds: holds, asks: cases.Any(cases.Not(context), holds), terms: cases.All(selects, holds).Terms()})
		}
	}
	return all
}

// codes are those of a code list; nil where it is not there.
func (b *bench) codes(list string) []string {
	c, err := b.lists(list)
	if err != nil {
		return nil
	}
	return c.Codes()
}

// level is that of a rule's findings with the overlays; one that lowers it for some documents
// counts.
func (b *bench) level(r *Rule, form Form) Level {
	for _, o := range b.overlays {
		for i := range o.Levels {
			c := &o.Levels[i]
			if (c.From == "" || c.From == form.Level) && slices.ContainsFunc(c.Rules, func(id string) bool { return Covers(id, r.ID) }) {
				return c.Level
			}
		}
	}
	return form.Level
}

// clash finds documents that one of the rules, or both, are for, and that cannot meet both,
// while they could meet each alone.
func (b *bench) clash(x, y *stand) (of cases.Case, clash bool) {
	both := cases.All(x.context, y.context)
	if _, can := b.terms.Meet(both, x.asks, y.asks); can {
		return nil, false // such a document is in each of the contexts
	}
	can := func(conditions ...*cases.Condition) bool {
		_, can := b.terms.Meet(conditions...)
		return can
	}
	for _, context := range []*cases.Condition{both, x.context, y.context} {
		if context != both && can(context, x.asks, y.asks) {
			continue
		}
		if can(context, x.asks) && can(context, y.asks) {
			of, _ = b.terms.Meet(context)
			return of, true
		}
	}
	return nil, false
}

// repeats reports whether the second rule fires wherever the first one does.
func (b *bench) repeats(x, y *stand) bool {
	if !b.canFire(x) {
		return false // which is told otherwise
	}
	_, can := b.terms.Meet(x.fires, y.asks)
	return !can
}

// canFire reports whether there are documents on which the rule fires.
func (b *bench) canFire(x *stand) bool {
	if x.fires == nil {
		x.fires = cases.All(x.context, cases.Not(x.holds))
		_, x.canFire = b.terms.Meet(x.fires)
	}
	return x.canFire
}

// isLowered reports whether an overlay gives the rule a level at which it refuses nothing.
func (s *stand) isLowered() bool { return s.form.Level == Fatal && s.level != Fatal }

// hold says what is wrong with two rules, where it can be corrected; nil for nothing. certain is
// false of what may be meant.
func (b *bench) hold(x, y *stand) (failure *LoadError, certain bool) {
	if x.isLowered() || y.isLowered() {
		return nil, false // somebody decided between them
	}
	own, _ := b.library.Own()
	if !isThere(own, y.rule.file) {
		x, y = y, x
	}
	const longest = 80 // characters of an assertion
	asks := func(s *stand) string { return quote.Shorten(s.form.Assert.Value, longest) }
	told := func(format string, args ...any) *LoadError {
		e := y.form.Assert.Mistake(y.rule.file, fmt.Errorf(format, args...))
		return &e
	}
	if of, clash := b.clash(x, y); clash {
		delete(of, termRoot) // each syntax is looked at
		return told("rule %s asks %s, and rule %s (%s:%d) asks %s: no document that they are for%s meets both, so say in a context that one is for others, or leave one out",
			y.rule.ID, asks(y), x.rule.ID, x.rule.file, x.rule.Node.Line, asks(x), onDocument(of)), x.level == Fatal && y.level == Fatal && x.context.IsRead() && y.context.IsRead()
	}
	if x.of.SourceOf(x.rule) != nil && y.of.SourceOf(y.rule) != nil {
		return nil, false // as published
	}
	again := b.repeats(y, x)
	if !again && isThere(own, x.rule.file) {
		x, y = y, x
		again = b.repeats(y, x)
	}
	if again {
		return told("rule %s asks %s, and wherever it fires rule %s (%s:%d) fires, too, which asks %s: leave one out, or lower the level of one by an overlay", y.rule.ID, asks(y), x.rule.ID, x.rule.file, x.rule.Node.Line, asks(x)), false
	}
	return nil, false
}

func isThere(folder fs.FS, file string) bool {
	_, err := fs.Stat(folder, file)
	return err == nil
}
