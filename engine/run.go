package engine

import (
	"context"
	"errors"

	"einvoice/engine/budget"
	"einvoice/engine/count"
	"einvoice/engine/expr"
	"einvoice/engine/xpath"
	"einvoice/model"
	"einvoice/model/reuse"
	"einvoice/model/source"
)

// A run is one validation. Runs are used again, so that a validation allocates
// little.
type run struct {
	ofDocument
	evaluation xpath.Evaluation
	activation expr.Activation

	spent    ledger
	tallies  reuse.Table[tally] // of rows that count, by their number
	groups   []model.Object     // what a context selects
	index    model.Index        // made when the first finding needs it
	findings []Finding          // of the report, until it has all of them
}

// ofDocument is what a run keeps of one document alone.
type ofDocument struct {
	doc     *model.Document
	rules   *compiledRules
	report  *Report
	budget  *budget.Budget
	root    *xpath.Root    // of the last context over the model
	top     model.Object   // what it is in the document
	indexed bool           // the index is made
	decided map[*Rule]bool // nil unless observed
}

// mostFindingsKept is how many findings a run in the pool has memory for.
const mostFindingsKept = 64

func (r *run) begin(ctx context.Context, doc *model.Document, rules *compiledRules, observed bool) {
	r.doc, r.rules = doc, rules
	r.budget = budget.New(ctx, maxSteps(doc))
	r.evaluation.Begin(doc.Source, r.budget)
	r.activation.Begin(doc, &r.evaluation)
	r.spent.begin(len(rules.rules))
	r.tallies.Begin(rules.tallies + 1) // one for the rows that count nothing
	r.evaluation.All = observed        // an observer hears of rules that hold, too
	if observed {
		r.decided = map[*Rule]bool{}
	}
}

// end clears everything that refers to the document, so that a run in the pool does
// not keep it in memory. Slices without references are used again.
func (r *run) end() {
	r.activation.End()
	r.evaluation.End()
	clear(r.groups[:cap(r.groups)])
	if r.indexed {
		r.index.Forget()
	}
	if cap(r.findings) > mostFindingsKept {
		r.findings = nil
	}
	clear(r.findings)
	r.findings = r.findings[:0]
	r.ofDocument = ofDocument{}
}

// all runs all rules. It returns the error of the context if that ended.
func (r *run) all() error {
	for i := range r.rules.overModel {
		if err := r.overModel(&r.rules.overModel[i]); err != nil {
			return err
		}
	}
	if r.doc.Source == nil {
		return r.ended()
	}
	return r.rules.inSource.Walk(&r.evaluation, func(a asked, at source.Ref, err error) {
		switch {
		case err == nil:
			a.ask(r, at)
		case r.ended() == nil: // otherwise Walk says so
			a.cannotAsk(r, at, err)
		}
	})
}

// ended is the error of the context, nil if it has none. It is called where a budget
// may have stopped because of it.
func (r *run) ended() error { return r.budget.Context().Err() }

// start begins the evaluation of a rule, by its number. It is false for a rule that
// has used up its steps, for which there is a finding already.
func (r *run) start(number int32) bool {
	spent := r.spent.spent(number)
	if spent == exhausted {
		return false
	}
	r.budget.Start(spent)
	return true
}

// stop adds the steps that the evaluation took to those of the rule. An error says
// that the budget ended the evaluation.
func (r *run) stop(number int32) error {
	r.spent.set(number, r.budget.Used())
	if !r.budget.Stopped() {
		return nil
	}
	return r.stopped(number)
}

func (r *run) stopped(number int32) error {
	err := r.budget.Err()
	if errors.Is(err, budget.ErrSteps) {
		r.spent.set(number, exhausted)
	}
	return err
}

// overModel decides the rules of a context over the model.
func (r *run) overModel(m *modelRules) error {
	if m.root != r.root {
		r.root, r.top = m.root, m.root.Of(r.doc)
	}
	if !r.top.Present() || m.first != nil && !r.top.Has(m.first) {
		return nil
	}
	if count.On {
		count.Groups++
	}
	r.budget.Start(0)
	if m.plain.IsEmpty() {
		r.groups = m.selection.Select(&r.evaluation, r.top, r.groups[:0])
	} else {
		r.groups = m.plain.Select(&r.evaluation, r.top, r.groups[:0])
	}
	if err := r.budget.Err(); err != nil {
		if ended := r.ended(); ended != nil {
			return ended
		}
		for _, rule := range m.group.byType[0].rules {
			r.note(rule.form.rule, false)
			r.report.put(r.undecided(rule, 0, err))
		}
		return nil
	}
	for _, group := range r.groups {
		rules := m.only
		if rules == nil {
			rules = m.group.of(group.Type)
		}
		for _, rule := range rules {
			r.activation.SetGroup(group)
			violated, err := r.decide(rule)
			if !violated {
				continue
			}
			if ended := r.ended(); ended != nil {
				return ended
			}
			if r.hasRoom(rule) {
				r.report.put(r.inModel(rule, group, err))
			}
		}
	}
	return r.ended()
}

// decide evaluates a rule for the node that is this. A rule that has no value is
// violated, and err says why.
func (r *run) decide(c *compiledRule) (violated bool, err error) {
	if !c.everywhere && c.leavesAlone(r.doc) {
		r.note(c.form.rule, true)
		return false, nil
	}
	return r.evaluate(c.assertion(), c.number, c)
}

// evaluate is decide with what a rule has for it.
func (r *run) evaluate(assertion expr.Assertion, number int32, c *compiledRule) (violated bool, err error) {
	if !r.start(number) {
		return false, nil
	}
	if count.On {
		count.Asked++
	}
	holds, ok := false, false
	if assertion.Missing() {
		err = c.err
	} else if holds, ok = assertion.Bool(&r.activation); !ok {
		err = r.activation.Err()
	}
	if stopped := r.stop(number); stopped != nil {
		err = stopped
	}
	holds = holds && ok && err == nil
	if r.decided != nil {
		r.note(c.form.rule, holds)
	}
	return !holds, err
}

// hasRoom reports whether the report has room for a finding of a violated rule, and counts
// the finding if not.
func (r *run) hasRoom(c *compiledRule) bool {
	if r.report.takes(c.form.rule.ID) {
		return true
	}
	r.report.omit(c.form.rule.ID, c.form.rule.Layer, r.levelOf(c))
	return false
}

// note records for the observer whether a rule holds.
func (r *run) note(rule *Rule, holds bool) {
	if r.decided == nil {
		return
	}
	before, known := r.decided[rule]
	r.decided[rule] = holds && (before || !known)
}

// asked is what is evaluated at a node of the source document: the rules of a
// context, or a row of a table.
type asked interface {
	ask(r *run, at source.Ref)
	// cannotAsk is called once if finding the nodes takes too many steps.
	cannotAsk(r *run, at source.Ref, err error)
}

func (g *ruleGroup) ask(r *run, at source.Ref) {
	for _, rule := range g.element {
		r.askAt(rule, at)
	}
}

func (b *boundGroup) ask(r *run, at source.Ref) {
	mask := r.evaluation.Mask
	if b.first.rule != nil && b.first.need.MetBy(mask) {
		b.first.ask(r, at)
	}
	if b.more == nil {
		return
	}
	more := *b.more
	for i := range more {
		if more[i].need.MetBy(mask) {
			more[i].ask(r, at)
		}
	}
}

func (l *likelyRule) ask(r *run, at source.Ref) {
	if l.assertion.Missing() {
		r.askAt(l.rule, at)
		return
	}
	r.activation.SetElement(at.Element())
	if violated, err := r.evaluate(l.assertion, l.number, l.rule); violated {
		r.violatedAt(l.rule, at, err)
	}
}

// askAt decides a rule at an element.
func (r *run) askAt(rule *compiledRule, at source.Ref) {
	r.activation.SetElement(at.Element())
	if violated, err := r.decide(rule); violated {
		r.violatedAt(rule, at, err)
	}
}

// violatedAt reports a rule that is violated at an element.
func (r *run) violatedAt(rule *compiledRule, at source.Ref, err error) {
	if r.ended() == nil && r.hasRoom(rule) {
		r.report.put(r.inSource(rule, at.Element(), err))
	}
}

func (g *ruleGroup) cannotAsk(r *run, at source.Ref, err error) {
	for _, rule := range g.element {
		r.cannotAsk(rule, at, err)
	}
}

func (r *run) cannotAsk(rule *compiledRule, at source.Ref, err error) {
	r.note(rule.form.rule, false)
	r.report.put(r.undecided(rule, at, err))
}

func (b *boundGroup) cannotAsk(r *run, at source.Ref, err error) {
	if b.first.rule != nil {
		r.cannotAsk(b.first.rule, at, err)
	}
	if b.more != nil {
		for _, l := range *b.more {
			r.cannotAsk(l.rule, at, err)
		}
	}
}

// An askedRow is a row that a validator runs.
type askedRow struct {
	*Row
	number int32 // among the rules
	tally  int32 // its own in a run, where it counts
}

func (w *askedRow) ask(r *run, at source.Ref) {
	if !r.start(w.number) {
		return
	}
	if count.On {
		count.Rows++
	}
	tally := r.tallies.At(w.tally)
	if w.kind == rowAtMostOnce && tally.count == 0 {
		r.tallies.Use(w.tally)
	}
	violated := w.violated(&r.evaluation, at, tally)
	switch err := r.stop(w.number); {
	case err != nil && r.ended() == nil:
		w.cannotAsk(r, at, err)
	case violated:
		r.note(w.Rule, false)
		if r.report.takes(w.Rule.ID) {
			r.report.put(r.inTable(w.Row, at))
		} else {
			r.report.omit(w.Rule.ID, w.Rule.Layer, w.Rule.Level)
		}
	}
}

func (w *askedRow) cannotAsk(r *run, at source.Ref, err error) {
	r.note(w.Rule, false)
	r.report.put(r.undecidedRow(w.Row, at, err))
}
