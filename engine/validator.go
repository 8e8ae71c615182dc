package engine

import (
	"context"
	"fmt"
	"sync"

	"einvoice/model"
	"einvoice/model/source"
)

// A Validator runs chosen rulesets. It is made once and used by any number of
// goroutines at a time.
type Validator struct {
	library  *Library
	rulesets []*Ruleset
	plans    map[model.Syntax]func() (*plan, error)
	frames   sync.Pool
	coverage *Coverage // nil unless observed
}

// A plan is the rules that apply to one syntax, grouped by context.
type plan struct {
	groups   []*contextGroup
	dispatch *dispatcher // what selects in the source document
	tallies  int         // rows that count
	rules    []*Rule
	run      int
	skipped  int
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
	return newValidator(l, rulesets), nil
}

// newValidator leaves each plan to the first document of its syntax.
func newValidator(l *Library, rulesets []*Ruleset) *Validator {
	v := &Validator{library: l, rulesets: rulesets, plans: map[model.Syntax]func() (*plan, error){}}
	for _, syntax := range []model.Syntax{"", model.UBL, model.CII} {
		v.plans[syntax] = sync.OnceValues(func() (*plan, error) { return newPlan(l, rulesets, syntax) })
	}
	v.frames.New = func() any { return new(frame) }
	return v
}

func newPlan(l *Library, rulesets []*Ruleset, syntax model.Syntax) (*plan, error) {
	p := &plan{dispatch: newDispatcher()}
	groups := map[string]*contextGroup{}
	parse := contextParser()
	var failures LoadErrors
	for _, s := range rulesets {
		for _, r := range s.Rules {
			form, ok := r.in(syntax)
			if !ok || syntax == "" && (form.context == "" || selectsInSource(form.context)) {
				p.skipped++
				continue
			}
			p.run++
			p.rules = append(p.rules, r)
			if r.row != nil {
				if r.NeverFires != "" {
					continue
				}
				patterns, err := r.row.patterns(parse)
				if err != nil {
					failures = append(failures, errorAt(r.file, form.contextAt, err))
				}
				for _, pattern := range patterns {
					pattern.tally = p.tallies
					p.dispatch.add(pattern)
				}
				if r.row.kind == rowAtMostOnce {
					p.tallies++
				}
				continue
			}
			g := groups[form.context]
			if g == nil {
				var err error
				if g, err = compileContext(form.context); err != nil {
					failures = append(failures, errorAt(r.file, form.contextAt, err))
					continue
				}
				groups[form.context] = g
				p.groups = append(p.groups, g)
			}
			if err := g.add(l, form); err != nil {
				failures = append(failures, errorAt(r.file, form.fieldsAt, err))
			}
		}
	}
	p.dispatchGroups()
	return p, failures.errOrNil()
}

func (p *plan) dispatchGroups() {
	for _, g := range p.groups {
		for _, path := range g.paths {
			p.dispatch.add(&pattern{path: path, group: g})
		}
	}
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
	prepare, ok := v.plans[doc.Syntax]
	if !ok {
		return nil, fmt.Errorf("unknown syntax %q", doc.Syntax)
	}
	p, err := prepare()
	if err != nil {
		return nil, err
	}
	if p.run == 0 {
		return nil, fmt.Errorf("no rule applies to a document of syntax %q, so nothing can be said of it", doc.Syntax)
	}
	f := v.frames.Get().(*frame)
	defer v.frames.Put(f)
	*f = frame{doc: doc, ctx: ctx, tallies: f.tallies}
	f.count(p.tallies + 1) // one for the rows that count nothing
	r := &run{frame: f, report: &Report{Syntax: string(doc.Syntax), Rulesets: v.Rulesets(), RulesRun: p.run, RulesSkipped: p.skipped, Findings: []Finding{}}}
	if v.coverage != nil {
		r.decided = decisions{}
	}
	r.overModel(p)
	if doc.Source != nil {
		r.overSource(p)
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("validation stopped: %w", err)
	}
	if v.coverage != nil {
		v.coverage.add(p, r.decided)
	}
	r.report.finish()
	return r.report, nil
}

// A run is one validation.
type run struct {
	*frame
	report *Report
	index  *model.Index
	nodes  []model.Object

	decided decisions // nil unless observed
}

func (r *run) overModel(p *plan) {
	for _, g := range p.groups {
		if g.onSource() {
			continue
		}
		top := g.selector.root.of(r.doc)
		if !top.Present() {
			continue
		}
		r.nodes = g.selector.selectFrom(top, r.nodes[:0])
		for _, node := range r.nodes {
			for _, rule := range g.byType[node.Type] {
				r.objs[0] = node
				holds, ok := rule.decide(r.frame)
				if r.decided != nil {
					r.decided.add(rule.form.rule, holds && ok)
				}
				if !holds || !ok {
					r.report.Findings = append(r.report.Findings, r.inModel(g.selector.root, rule, node, ok))
				}
			}
		}
		if r.ctx.Err() != nil {
			return
		}
	}
}

// elementsPerCheck is how often a walk looks whether it was cancelled.
const elementsPerCheck = 256

// overSource visits every element and attribute once and asks the patterns that
// select it.
func (r *run) overSource(p *plan) {
	if p.dispatch.empty() {
		return
	}
	t := r.doc.Source
	onAttributes := len(p.dispatch.attributes) > 0
	for n := t.Root(); int(n) < len(t.Elements); n++ {
		if n%elementsPerCheck == 0 && r.ctx.Err() != nil {
			return // Validate says so
		}
		p.dispatch.element(t, n, func(p *pattern) { r.matched(p, n.Ref()) })
		if !onAttributes {
			continue
		}
		first := t.Elements[n].FirstAttr
		for a := first; a < first+source.Attr(t.Elements[n].Attrs); a++ {
			p.dispatch.attribute(t, a, func(p *pattern) { r.matched(p, a.Ref()) })
		}
	}
}

// matched runs what wanted to know of a node.
func (r *run) matched(p *pattern, at source.Ref) {
	if p.row != nil {
		if p.row.violated(r.doc.Source, at, &r.tallies[p.tally]) {
			if r.decided != nil {
				r.decided.add(p.row.rule, false)
			}
			r.report.Findings = append(r.report.Findings, r.inTable(p.row, at))
		}
		return
	}
	for _, rule := range p.group.element {
		r.frame.nodes[0] = at.Element()
		holds, ok := rule.decide(r.frame)
		if r.decided != nil {
			r.decided.add(rule.form.rule, holds && ok)
		}
		if !holds || !ok {
			r.report.Findings = append(r.report.Findings, r.inSource(rule, at.Element(), ok))
		}
	}
}
