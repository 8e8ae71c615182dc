package engine

import (
	"context"
	"fmt"
	"sync"

	"einvoice/engine/words"
	"einvoice/engine/xpath"
	"einvoice/model"
)

// A Validator runs chosen rulesets. It is made once and used by any number of
// goroutines at a time.
type Validator struct {
	rulesets []*Ruleset
	bySyntax map[model.Syntax]func() (*compiledRules, error)
	runs     sync.Pool // of *run
	observe  Observer  // nil unless observed
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
	overModel []*ruleGroup
	inSource  *xpath.Dispatcher[asked]
	tallies   int // rows that count
	rules     []*Rule
	skipped   int
	sources   func() map[string]*Source // by the ids of rules
}

// Validator prepares rulesets to be run, each given as "family/version" or
// "family" for its newest version.
func (l *Library) Validator(refs ...string) (*Validator, error) {
	var rulesets []*Ruleset
	for _, ref := range refs {
		s, err := l.Ruleset(ref)
		if err != nil {
			return nil, err
		}
		rulesets = append(rulesets, s)
	}
	return l.newValidator(rulesets), nil
}

// ValidatorOf prepares some rules of the library to be run by themselves.
func (l *Library) ValidatorOf(rules ...*Rule) *Validator {
	return l.newValidator([]*Ruleset{{Rules: rules}})
}

// newValidator compiles the rules for a syntax when its first document is validated.
func (l *Library) newValidator(rulesets []*Ruleset) *Validator {
	v := &Validator{rulesets: rulesets, bySyntax: map[model.Syntax]func() (*compiledRules, error){}}
	for _, syntax := range syntaxes {
		v.bySyntax[syntax] = sync.OnceValues(func() (*compiledRules, error) { return l.compileRules(rulesets, syntax) })
	}
	v.runs.New = func() any { return new(run) }
	return v
}

// syntaxes are those that rules are compiled for; "" is an invoice without a
// document.
var syntaxes = append([]model.Syntax{""}, model.Syntaxes()...)

func (l *Library) compileRules(rulesets []*Ruleset, syntax model.Syntax) (*compiledRules, error) {
	b := &ruleCompiler{
		library: l,
		out: &compiledRules{
			inSource: xpath.NewDispatcher[asked](),
			sources:  sync.OnceValue(func() map[string]*Source { return sourcesOf(rulesets) }),
		},
		groups: map[string]*ruleGroup{},
		parse:  contextParser(),
	}
	for _, s := range rulesets {
		for _, r := range s.Rules {
			form, ok := r.Form(syntax)
			if !ok || syntax == "" && (form.Context.Value == "" || xpath.SelectsInSource(form.Context.Value)) {
				b.out.skipped++
				continue
			}
			b.add(r, form)
		}
	}
	return b.out, b.failures.errOrNil()
}

// A ruleCompiler compiles the rules that apply to one syntax.
type ruleCompiler struct {
	library  *Library
	out      *compiledRules
	groups   map[string]*ruleGroup // by context
	parse    func(string) (*xpath.Union, error)
	failures LoadErrors
}

func (b *ruleCompiler) add(r *Rule, form Form) {
	b.out.rules = append(b.out.rules, r)
	if r.Row != nil {
		if err := b.addRow(r.Row); err != nil {
			b.failures = append(b.failures, form.Context.mistake(r.file, err))
		}
		return
	}
	g := b.groups[form.Context.Value]
	if g == nil {
		var err error
		if g, err = newRuleGroup(form.Context.Value); err != nil {
			b.failures = append(b.failures, form.Context.mistake(r.file, err))
			return
		}
		b.addGroup(form.Context.Value, g)
	}
	if err := g.add(b.library.env, form, len(b.out.rules)-1); err != nil {
		b.failures = append(b.failures, form.Fields.mistake(r.file, err))
	}
}

func (b *ruleCompiler) addGroup(context string, g *ruleGroup) {
	b.groups[context] = g
	if g.onSource() {
		b.out.inSource.Add(g, g.paths...)
	} else {
		b.out.overModel = append(b.out.overModel, g)
	}
}

func (b *ruleCompiler) addRow(w *Row) error {
	if w.rule.NeverFires != "" {
		return nil
	}
	paths, err := w.selecting(b.parse)
	if err != nil {
		return err
	}
	asked := &askedRow{Row: w, number: len(b.out.rules) - 1, tally: b.out.tallies}
	b.out.inSource.Add(asked, paths...)
	if w.Kind == RowAtMostOnce {
		b.out.tallies++
	}
	return nil
}

// Rulesets describes what the validator runs.
func (v *Validator) Rulesets() []RulesetInfo {
	infos := make([]RulesetInfo, len(v.rulesets))
	for i, s := range v.rulesets {
		infos[i] = RulesetInfo{Name: s.Name, Version: s.Version, SHA256: s.SHA256, Rules: len(s.Rules)}
	}
	return infos
}

// Validate runs every rule over the document. It fails only if no rule could be
// run at all or ctx ended; what is wrong with the invoice is in the report.
func (v *Validator) Validate(ctx context.Context, doc *model.Document) (*Report, error) {
	compile, ok := v.bySyntax[doc.Syntax]
	if !ok {
		return nil, fmt.Errorf("unknown syntax %q", doc.Syntax)
	}
	rules, err := compile()
	if err != nil {
		return nil, err
	}
	if len(rules.rules) == 0 {
		return nil, fmt.Errorf("no rule applies to a document of syntax %q, so nothing can be said of it", doc.Syntax)
	}
	r := v.runs.Get().(*run)
	defer v.runs.Put(r)
	defer r.end()
	r.begin(ctx, doc, rules, v.observe != nil)
	r.report = &Report{Language: words.English, Syntax: string(doc.Syntax), Rulesets: v.Rulesets(), RulesRun: len(rules.rules), RulesSkipped: rules.skipped, Findings: []Finding{}}
	report := r.report
	if err := r.all(); err != nil {
		return nil, fmt.Errorf("validation stopped: %w", err)
	}
	if v.observe != nil {
		v.observe(rules.rules, r.decided)
	}
	for i := range report.Findings {
		report.Findings[i].Source = rules.sources()[report.Findings[i].Rule]
	}
	report.finish()
	return report, nil
}
