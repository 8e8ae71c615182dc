package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"einvoice/engine/expr"
	"einvoice/engine/words"
	"einvoice/engine/xpath"
	"einvoice/model"
)

// A Validator runs chosen rulesets. It is made once and used by any number of
// goroutines at a time.
type Validator struct {
	env      *expr.Environment
	rulesets []*Ruleset
	overlays []*Overlay // that changed them
	// turns are the days on which a rule comes into force, or the first on which it is no
	// longer; there are none in most rulesets.
	turns    map[string][]Day // by the day that decides
	infos    func() []RulesetInfo
	compiled atomic.Pointer[[]*compilation]
	runs     sync.Pool       // of *run
	observe  Observer        // nil unless observed
	tables   func() []string // that the rules look rows up in
}

// An Observer is called once for each document with the rules that ran, and with
// those whose context selected a node: true where the rule holds at all of them. A
// row of a table is among these only if it is violated. Several goroutines may call
// the observer at a time.
type Observer func(rules []*Rule, decided map[*Rule]bool)

// Observe makes o the observer of all validations from now on. It is to be
// called before the validator is shared.
func (v *Validator) Observe(o Observer) { v.observe = o }

// compiledRules are the rules that apply to one syntax, grouped by context.
type compiledRules struct {
	overModel []modelRules
	inSource  *xpath.Dispatcher[asked]
	tallies   int // rows that count
	rules     []*Rule
	skipped   int
	without   []*Ruleset                // that have no rule for the syntax
	sources   func() map[string]*Source // by the ids of rules
}

// Validator prepares rulesets to be run, each given as "family/version" or
// "family" for its newest version.
func (l *Library) Validator(refs ...string) (*Validator, error) {
	rulesets, err := l.AllOf(refs)
	if err != nil {
		return nil, err
	}
	return newValidator(l.env, rulesets), nil
}

// ValidatorOf prepares some rules of the library to be run by themselves. Rules of an
// overlay ask the code lists as that overlay leaves them.
func (l *Library) ValidatorOf(rules ...*Rule) *Validator {
	env := l.env
	if o := l.overlayOf(rules); o != nil {
		env = l.EnvironmentOf(o)
	}
	return newValidator(env, []*Ruleset{{Rules: rules}})
}

// ValidatorOfExamples is ValidatorOf with the rows that tables have for examples.
func (l *Library) ValidatorOfExamples(rules ...*Rule) *Validator {
	if !slices.ContainsFunc(rules, func(r *Rule) bool { return len(r.Tables()) > 0 }) {
		return l.ValidatorOf(rules...)
	}
	lists := l.CodeList
	if o := l.overlayOf(rules); o != nil {
		lists = o.lookup(l)
	}
	return newValidator(l.environment(lists, l.tryUp), []*Ruleset{{Rules: rules}})
}

// overlayOf is the overlay that rules are of; nil for none.
func (l *Library) overlayOf(rules []*Rule) *Overlay {
	if len(rules) == 0 || rules[0].Overlay == "" {
		return nil
	}
	o, err := l.Overlay(rules[0].Overlay)
	if err != nil {
		return nil
	}
	return o
}

// newValidator compiles the rules for a syntax, as they are in force on a day, when the
// first such document is validated.
func newValidator(env *expr.Environment, rulesets []*Ruleset) *Validator {
	v := &Validator{env: env, rulesets: rulesets, turns: turnsOf(rulesets), tables: sync.OnceValue(func() []string { return tablesOfAll(rulesets) })}
	v.infos = sync.OnceValue(func() []RulesetInfo {
		infos := make([]RulesetInfo, len(rulesets))
		for i, s := range rulesets {
			infos[i] = s.Info()
		}
		return infos
	})
	v.runs.New = func() any { return new(run) }
	return v
}

// A compilation is the rules for a syntax, and for a day of each kind on which the same rules
// are in force as on that of the document.
type compilation struct {
	syntax model.Syntax
	days   Days
	rules  func() (*compiledRules, error) // compiled once
}

// rulesFor are the rules for a document, compiled once.
func (v *Validator) rulesFor(doc *model.Document, days Days) (*compiledRules, error) {
	turns := Days{}
	if len(v.turns) > 0 {
		turns = Days{v.turn(DecidedByIssue, days.Issue), v.turn(DecidedByReceipt, days.Receipt), v.turn(DecidedByValidation, days.Validation)}
	}
	for {
		known := v.compiled.Load()
		if known != nil {
			for _, c := range *known {
				if c.syntax == doc.Syntax && c.days == turns {
					return c.rules()
				}
			}
		}
		if !slices.Contains(Syntaxes, doc.Syntax) {
			return nil, fmt.Errorf("%q is not a syntax that rules are for", doc.Syntax)
		}
		syntax := doc.Syntax // the document is not kept
		more := []*compilation{{syntax, turns, sync.OnceValues(func() (*compiledRules, error) { return compileRules(v.env, v.rulesets, syntax, turns) })}}
		if known != nil {
			more = append(more, *known...)
		}
		v.compiled.CompareAndSwap(known, &more) // if another goroutine was faster, its rules are asked for
	}
}

// Without returns the rulesets that have no rule for the syntax of a document, on whatever day.
func (v *Validator) Without(doc *model.Document, days Days) ([]*Ruleset, error) {
	rules, err := v.rulesFor(doc, days)
	if err != nil {
		return nil, err
	}
	return rules.without, nil
}

// turnsOf are the days on which any of the rules changes whether it is in force, by the day
// that decides.
func turnsOf(rulesets []*Ruleset) map[string][]Day {
	turns := map[string][]Day{}
	for _, s := range rulesets {
		for _, r := range s.Rules {
			by := cmp.Or(r.Effective.By, DecidedByIssue)
			if r.Effective.From != "" {
				turns[by] = append(turns[by], r.Effective.From)
			}
			if r.Effective.Until != "" {
				turns[by] = append(turns[by], r.Effective.Until.Next())
			}
		}
	}
	for by, days := range turns {
		slices.Sort(days)
		turns[by] = slices.Compact(days)
	}
	return turns
}

// turn is the last turn at or before a day; "" before the first.
func (v *Validator) turn(by string, day Day) Day {
	turns := v.turns[by]
	i, at := slices.BinarySearch(turns, day)
	switch {
	case at:
		return day
	case i == 0:
		return ""
	}
	return turns[i-1]
}

// Syntaxes are those that rules are compiled for; "" is an invoice without a
// document.
var Syntaxes = append([]model.Syntax{""}, model.Syntaxes()...)

func compileRules(env *expr.Environment, rulesets []*Ruleset, syntax model.Syntax, days Days) (*compiledRules, error) {
	b := &ruleCompiler{
		env: env,
		out: &compiledRules{
			inSource: xpath.NewDispatcher[asked](),
			sources:  sync.OnceValue(func() map[string]*Source { return sourcesOf(rulesets) }),
		},
		groups: map[string]*ruleGroup{},
		parse:  contextParser(),
	}
	for _, s := range rulesets {
		// An overlay all of whose rules another one replaces has none, for no syntax.
		if len(s.Rules) > 0 && !slices.ContainsFunc(s.Rules, func(r *Rule) bool { _, ok := r.Form(syntax); return ok }) {
			b.out.without = append(b.out.without, s)
		}
		for _, r := range s.Rules {
			form, ok := r.Form(syntax)
			if !ok || !r.Effective.In(days) || syntax == "" && (form.Context.Value == "" || xpath.SelectsInSource(form.Context.Value)) {
				b.out.skipped++
				continue
			}
			b.add(r, form)
		}
	}
	b.out.overModel = make([]modelRules, len(b.overModel))
	for i, g := range b.overModel {
		b.out.overModel[i] = g.ofModel()
	}
	return b.out, b.failures.ErrOrNil()
}

// A ruleCompiler compiles the rules that apply to one syntax.
type ruleCompiler struct {
	env       *expr.Environment
	out       *compiledRules
	groups    map[string]*ruleGroup // by context
	parse     func(string) (*xpath.Union, error)
	failures  LoadErrors
	overModel []*ruleGroup // in order
}

func (b *ruleCompiler) add(r *Rule, form Form) {
	b.out.rules = append(b.out.rules, r)
	if r.Row != nil {
		if err := b.addRow(r.Row); err != nil {
			b.failures = append(b.failures, form.Context.Mistake(r.file, err))
		}
		return
	}
	g := b.groups[form.Context.Value]
	if g == nil {
		var err error
		if g, err = newRuleGroup(form.Context.Value); err != nil {
			b.failures = append(b.failures, form.Context.Mistake(r.file, err))
			return
		}
		b.addGroup(form.Context.Value, g)
	}
	if err := g.add(b.env, form, len(b.out.rules)-1); err != nil {
		b.failures = append(b.failures, form.Fields.Mistake(r.file, err))
	}
}

func (b *ruleCompiler) addGroup(context string, g *ruleGroup) {
	b.groups[context] = g
	if g.onSource() {
		b.out.inSource.Add(g, g.paths...)
	} else {
		b.overModel = append(b.overModel, g)
	}
}

func (b *ruleCompiler) addRow(w *Row) error {
	if w.Rule.NeverFires != "" {
		return nil
	}
	paths, err := w.selecting(b.parse)
	if err != nil {
		return err
	}
	asked := &askedRow{Row: w, number: int32(len(b.out.rules) - 1), tally: int32(b.out.tallies)}
	b.out.inSource.Add(asked, paths...)
	if w.Kind == RowAtMostOnce {
		b.out.tallies++
	}
	return nil
}

// Rulesets describes what the validator runs.
func (v *Validator) Rulesets() []RulesetInfo { return slices.Clone(v.infos()) }

// IsDated reports whether any of the rulesets or rules says when it is in force.
func (v *Validator) IsDated() bool {
	return len(v.turns) > 0 || slices.ContainsFunc(v.rulesets, func(s *Ruleset) bool { return s.Effective != Period{} })
}

// Ruleset is one of the rulesets as the validator runs it, which an overlay may have
// changed.
func (v *Validator) Ruleset(name, version string) (*Ruleset, bool) {
	i := slices.IndexFunc(v.rulesets, func(s *Ruleset) bool { return s.Name == name && s.Version == version })
	if i < 0 {
		return nil, false
	}
	return v.rulesets[i], true
}

// Validate runs every rule that is in force on the issue date of the invoice, or today if
// it has none, over the document. It fails only if no rule could be run at all or ctx
// ended; what is wrong with the invoice is in the report.
func (v *Validator) Validate(ctx context.Context, doc *model.Document) (*Report, error) {
	return v.ValidateAt(ctx, doc, "")
}

// ValidateAt is Validate with the rules that are in force on a day; "" for the day of the
// document.
func (v *Validator) ValidateAt(ctx context.Context, doc *model.Document, day Day) (*Report, error) {
	return v.ValidateOn(ctx, doc, DaysOf(doc.Invoice, day, ""))
}

// A NoRulesError is that of a document in a syntax that no rule is for.
type NoRulesError struct{ Syntax model.Syntax }

func (e *NoRulesError) Error() string {
	return fmt.Sprintf("no rule of what was asked for is about documents in %s, so nothing can be said of this one; name other rulesets, or none", e.Syntax.Label())
}

// ValidateOn is Validate with the rules that are in force on some days.
func (v *Validator) ValidateOn(ctx context.Context, doc *model.Document, days Days) (*Report, error) {
	rules, err := v.rulesFor(doc, days)
	if err != nil {
		return nil, err
	}
	if len(rules.rules) == 0 {
		return nil, &NoRulesError{doc.Syntax}
	}
	r := v.runs.Get().(*run)
	defer v.runs.Put(r)
	defer r.end()
	r.begin(ctx, doc, rules, v.observe != nil)
	r.report = &Report{Language: words.English, Syntax: string(doc.Syntax), Rulesets: v.Rulesets(), RulesRun: len(rules.rules), RulesSkipped: rules.skipped, Findings: r.findings[:0]}
	report := r.report
	err = r.all()
	r.findings = report.Findings
	if err != nil {
		return nil, fmt.Errorf("validation stopped: %w", err)
	}
	report.Findings = append(make([]Finding, 0, len(r.findings)), r.findings...)
	if v.observe != nil {
		v.observe(rules.rules, r.decided)
	}
	if len(report.Findings) > 0 {
		sources := rules.sources()
		for i := range report.Findings {
			report.Findings[i].Source = sources[report.Findings[i].Rule]
		}
	}
	report.finish()
	return report, nil
}

// HasRules reports whether any rule applies to a document on a day; "" for the day of the
// document.
func (v *Validator) HasRules(doc *model.Document, day Day) bool {
	rules, err := v.rulesFor(doc, DaysOf(doc.Invoice, day, ""))
	return err != nil || len(rules.rules) > 0 // the error is that of ValidateAt
}

// IsDecidedBy reports whether a day of a kind decides about any of the rules.
func (v *Validator) IsDecidedBy(by string) bool { return len(v.turns[by]) > 0 }
