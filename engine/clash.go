package engine

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"einvoice/engine/cases"
	"einvoice/engine/expr"
	"einvoice/model"
	"einvoice/model/quote"
	"einvoice/model/syntax"
)

// Rules that no document can meet together, and rules that decide nothing. They are compared with
// each other as conditions: what a context asks of a document, and what it has where the
// assertion holds.

// A stand is what a rule asks of documents of one syntax.
type stand struct {
	rule  *Rule
	of    *Ruleset
	form  Form
	this  expr.This
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
	wanted := func(x, y *Rule) bool {
		both := here[x.ID].Rule != nil && there[y.ID].Rule != nil || here[y.ID].Rule != nil && there[x.ID].Rule != nil
		return both && x.file != y.file
	}
	fatal := bench.hold(sets, wanted, true)
	if c.decided != nil {
		*c.decided = append(*c.decided, bench.doubts(fatal, bench.hold(sets, wanted, false))...)
	}
	return fatal.contradictions
}

// mostContradictions is how many contradictions are enough to correct at a time.
const mostContradictions = 100

// held is what was found of pairs of rules that are about a term in common.
type held struct {
	contradictions, doubts LoadErrors
	others                 [][2]*stand // that do not clash
}

// doubts are what was found of pairs of fatal rules and of other pairs, beside contradictions.
func (b *bench) doubts(fatal, rest held) LoadErrors {
	return slices.Concat(fatal.doubts, rest.doubts, b.repetitions(append(fatal.others[:len(fatal.others):len(fatal.others)], rest.others...)))
}

// hold looks at each pair of rules that is wanted, of which both are fatal, or not both: only the
// former can contradict each other. It finds nothing more where checks of the library are to end.
func (b *bench) hold(sets []*Ruleset, wanted func(x, y *Rule) bool, fatal bool) (found held) {
	told := map[string]bool{} // by ids, as a rule is in several versions and syntaxes
	for _, of := range syntax.Current() {
		all := b.stands(sets, model.Syntax(of.ID))
		about := map[string][]*stand{}
		for _, y := range all {
			seen := map[*stand]bool{}
			for _, term := range y.terms {
				for _, x := range about[term] {
					if len(told) > mostContradictions || b.library.Ended() != nil {
						return found
					}
					if seen[x] || (x.level == Fatal && y.level == Fatal) != fatal || !wanted(x.rule, y.rule) || told[pairOf(x, y)] || x.isLowered() || y.isLowered() {
						continue // the last, as somebody decided between them
					}
					seen[x] = true
					switch failure, certain := b.tellClash(x, y); {
					case failure == nil:
						found.others = append(found.others, [2]*stand{x, y})
						continue
					case certain:
						found.contradictions = append(found.contradictions, *failure)
					default:
						found.doubts = append(found.doubts, *failure)
					}
					told[pairOf(x, y)] = true
				}
				about[term] = append(about[term], y)
			}
		}
	}
	return found
}

func pairOf(x, y *stand) string { return x.rule.ID + " " + y.rule.ID }

// repetitions are of pairs of which one rule fires wherever the other one does.
func (b *bench) repetitions(pairs [][2]*stand) (doubts LoadErrors) {
	told := map[string]bool{}
	for _, pair := range pairs {
		if len(told) > mostContradictions || b.library.Ended() != nil {
			break
		}
		if told[pairOf(pair[0], pair[1])] {
			continue
		}
		if failure := b.tellRepetition(pair[0], pair[1]); failure != nil {
			told[pairOf(pair[0], pair[1])] = true
			doubts = append(doubts, *failure)
		}
	}
	return doubts
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

// idle says that a rule decides nothing; nil for one that does. The assertion false is meant so, and that of a
// variant that is true: its syntax has a published rule that always holds.
func (b *bench) idle(x *stand) *LoadError {
	isVariant := slices.ContainsFunc(x.rule.Variants, func(v Variant) bool { return v.Applies && v.Assert.Value == x.form.Assert.Value })
	written := x.form.Assert.Value == "false" || x.form.Assert.Value == "true" && isVariant
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
	case expr.AsksNothing(x.form.Assert.Value, x.this):
		e = x.form.Assert.Mistake(x.rule.file, fmt.Errorf("the assertion of rule %s asks nothing of a document, so that it always holds or never does: ask for a term, leave the rule out, or say under neverFires why it is there", x.rule.ID))
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
			all = append(all, &stand{rule: r, of: s, form: form, this: expr.Group(group), level: b.level(r, form), context: context, holds: holds, asks: cases.Any(cases.Not(context), holds), terms: termsOf(selects, holds)})
		}
	}
	return all
}

// termsOf are those by which rules are compared with each other. Groups and lists that a context
// only leads through are not: so many have them in common.
func termsOf(selects, holds *cases.Condition) []string {
	asserted := holds.Terms()
	all := cases.All(selects, holds).Terms()
	return slices.DeleteFunc(slices.Clone(all), func(term string) bool {
		return !slices.Contains(asserted, term) && slices.ContainsFunc(all, func(other string) bool { return strings.HasPrefix(other, term+"/") })
	})
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

// longestAsked is how many characters of an assertion are told.
const longestAsked = 80

// asked is the assertion, for people.
func (s *stand) asked() string { return quote.Shorten(s.form.Assert.Value, longestAsked) }

// tellClash says that two rules clash; nil where they do not. certain is false of what may be
// meant.
func (b *bench) tellClash(x, y *stand) (failure *LoadError, certain bool) {
	of, clash := b.clash(x, y)
	if !clash {
		return nil, false
	}
	if !b.isOwn(y) {
		x, y = y, x
	}
	delete(of, termRoot) // each syntax is looked at
	e := y.form.Assert.Mistake(y.rule.file, fmt.Errorf("rule %s asks %s, and rule %s (%s:%d) asks %s: no document that they are for%s meets both, so say in a context that one is for others, or leave one out",
		y.rule.ID, y.asked(), x.rule.ID, x.rule.file, x.rule.Node.Line, x.asked(), onDocument(of)))
	return &e, x.level == Fatal && y.level == Fatal && x.context.IsRead() && y.context.IsRead()
}

// tellRepetition says that one of two rules fires wherever the other one does, at the one that can
// be left out; nil where none does, or both are as published.
func (b *bench) tellRepetition(x, y *stand) *LoadError {
	if x.of.SourceOf(x.rule) != nil && y.of.SourceOf(y.rule) != nil {
		return nil
	}
	if !b.isOwn(y) {
		x, y = y, x
	}
	again := b.repeats(y, x)
	if !again && b.isOwn(x) {
		x, y = y, x
		again = b.repeats(y, x)
	}
	if !again {
		return nil
	}
	e := y.form.Assert.Mistake(y.rule.file, fmt.Errorf("rule %s asks %s, and wherever it fires rule %s (%s:%d) fires, too, which asks %s: leave one out, or lower the level of one by an overlay", y.rule.ID, y.asked(), x.rule.ID, x.rule.file, x.rule.Node.Line, x.asked()))
	return &e
}

// isOwn reports whether the rule is in the library's own folder, where it can be corrected.
func (b *bench) isOwn(s *stand) bool {
	own, _ := b.library.Own()
	return isThere(own, s.rule.file)
}

func isThere(folder fs.FS, file string) bool {
	_, err := fs.Stat(folder, file)
	return err == nil
}
