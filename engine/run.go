package engine

import (
	"context"
	"slices"

	"einvoice/engine/budget"
	"einvoice/engine/expr"
	"einvoice/engine/xpath"
	"einvoice/model"
	"einvoice/model/source"
)

// maxSteps bounds one evaluation of one rule.
const maxSteps = 20_000_000

// A run is one validation. Runs are used again, so that a validation allocates
// little.
type run struct {
	doc        *model.Document
	rules      *compiledRules
	report     *Report
	budget     *budget.Budget
	evaluation xpath.Evaluation
	activation expr.Activation

	groups  []model.Object // what a context selects
	tallies []tally        // of rows that count, by their number
	index   *model.Index   // made when the first finding needs it
	decided map[*Rule]bool // nil unless observed
}

func (r *run) begin(ctx context.Context, doc *model.Document, rules *compiledRules, observed bool) {
	r.doc, r.rules = doc, rules
	r.budget = budget.New(ctx, maxSteps)
	r.evaluation.Begin(doc.Source, r.budget)
	r.activation.Begin(doc, &r.evaluation)
	n := rules.tallies + 1 // one for the rows that count nothing
	r.tallies = slices.Grow(r.tallies[:0], n)[:n]
	clear(r.tallies)
	if observed {
		r.decided = map[*Rule]bool{}
	}
}

// end forgets the document, so that a run that waits for the next one keeps
// nothing of it alive. Memory without references stays.
func (r *run) end() {
	r.activation.End()
	r.evaluation.End()
	clear(r.groups[:cap(r.groups)])
	*r = run{evaluation: r.evaluation, groups: r.groups[:0], tallies: r.tallies}
}

// all runs all rules. It returns the error of the context if that ended.
func (r *run) all() error {
	for _, g := range r.rules.overModel {
		r.overModel(g)
		if err := r.budget.Context().Err(); err != nil {
			return err
		}
	}
	if r.doc.Source == nil {
		return nil
	}
	return r.rules.inSource.Walk(&r.evaluation, func(a asked, at source.Ref, err error) { a.ask(r, at, err) })
}

// overModel decides the rules of a context over the model.
func (r *run) overModel(g *ruleGroup) {
	root := g.selection.Root()
	top := root.Of(r.doc)
	if !top.Present() {
		return
	}
	r.budget.Start(0)
	r.groups = g.selection.Select(&r.evaluation, top, r.groups[:0])
	if err := r.budget.Err(); err != nil {
		for _, rule := range g.byType[g.selection.Types()[0]] {
			r.note(rule.form.rule, false)
			r.report.Findings = append(r.report.Findings, r.inModel(root, rule, top, err))
		}
		return
	}
	for _, group := range r.groups {
		for _, rule := range g.byType[group.Type] {
			r.activation.SetGroup(group)
			holds, err := rule.decide(r)
			r.note(rule.form.rule, holds)
			if !holds {
				r.report.Findings = append(r.report.Findings, r.inModel(root, rule, group, err))
			}
		}
	}
}

// note remembers for the observer what a rule decided.
func (r *run) note(rule *Rule, holds bool) {
	if r.decided == nil {
		return
	}
	before, known := r.decided[rule]
	r.decided[rule] = holds && (before || !known)
}

// asked is what a node of the source document is shown to: the rules of a
// context, or a row of a table. With an error, the budget did not suffice to find
// out which nodes they are asked at.
type asked interface {
	ask(r *run, at source.Ref, err error)
}

func (g *ruleGroup) ask(r *run, at source.Ref, err error) {
	for _, rule := range g.element {
		holds, err := false, err
		if err == nil {
			r.activation.SetElement(at.Element())
			holds, err = rule.decide(r)
		}
		r.note(rule.form.rule, holds)
		if !holds {
			r.report.Findings = append(r.report.Findings, r.inSource(rule, at.Element(), err))
		}
	}
}

// An askedRow is a row that a validator runs.
type askedRow struct {
	*Row
	tally int // its own in a run, where it counts
}

func (w *askedRow) ask(r *run, at source.Ref, err error) {
	violated := false
	if err == nil {
		r.budget.Start(0)
		violated = w.violated(&r.evaluation, at, &r.tallies[w.tally])
		err = r.budget.Err()
	}
	if violated || err != nil {
		r.note(w.rule, false)
		r.report.Findings = append(r.report.Findings, r.inTable(w.Row, at, err))
	}
}
