package engine

import (
	"context"
	"errors"
	"fmt"

	"einvoice/engine/budget"
	"einvoice/engine/expr"
	"einvoice/engine/xpath"
	"einvoice/model"
	"einvoice/model/source"
)

// A Value is what an expression gives at one node.
type Value struct {
	Line, Column int    // of the node in the document; 0 in none
	Location     string // the XPath of the node, over the invoice or the document
	// Value is of one of the types of expr.Program.Value; nil with Err.
	Value any
	Err   error // why there is no value
	// Term is the term that the expression reads, if it is nothing more; Of is not
	// present otherwise.
	Term model.Term
}

// Evaluate evaluates an expression as rules do, once for each node that a context
// selects, which is this. A mistake in either is an *xpath.Error or *expr.Error.
// It ends after the first node for which the steps of one rule are not enough.
func (l *Library) Evaluate(ctx context.Context, doc *model.Document, contextPath, expression string) ([]Value, error) {
	return evaluate(ctx, l.env, doc, contextPath, expression, nil)
}

// evaluate is Evaluate at some of the nodes, by their numbers in the order of the context;
// nil is for all.
func evaluate(ctx context.Context, env *expr.Environment, doc *model.Document, contextPath, expression string, nodes map[int]bool) ([]Value, error) {
	g, err := newRuleGroup(contextPath)
	if err != nil {
		return nil, fmt.Errorf("context %s: %w", contextPath, err)
	}
	e := &evaluation{doc: doc, nodes: nodes, programs: map[*model.Type]*expr.Program{}}
	if err := e.compile(env, g, expression); err != nil {
		return nil, err
	}
	e.budget = budget.New(ctx, maxSteps(doc))
	e.xpath.Begin(doc.Source, e.budget)
	e.activation.Begin(doc, &e.xpath)
	if g.onSource() {
		err = e.overSource(g)
	} else {
		err = e.overModel(g)
	}
	if ended := ctx.Err(); ended != nil {
		return nil, ended
	}
	return e.values, err
}

// An evaluation is one use of Evaluate.
type evaluation struct {
	doc        *model.Document
	nodes      map[int]bool                  // those that are evaluated; nil for all
	programs   map[*model.Type]*expr.Program // by the type of this; nil for an element
	budget     *budget.Budget
	xpath      xpath.Evaluation
	activation expr.Activation
	spent      int64
	values     []Value
}

func (e *evaluation) compile(env *expr.Environment, g *ruleGroup, expression string) (err error) {
	if g.onSource() {
		e.programs[nil], err = env.Compile(expression, expr.Element())
		return err
	}
	for _, t := range g.Selection.Types() {
		if e.programs[t], err = env.Compile(expression, expr.Group(t)); err != nil {
			return err
		}
	}
	return nil
}

func (e *evaluation) overModel(g *ruleGroup) error {
	root := g.Selection.Root()
	top := root.Of(e.doc)
	if !top.Present() {
		return nil
	}
	groups := g.Selection.Select(&e.xpath, top, nil)
	if err := e.budget.Err(); err != nil {
		return fmt.Errorf("selecting the nodes: %w", err)
	}
	index := model.NewIndex(e.doc)
	for i, o := range groups {
		if !e.wants(i) {
			continue
		}
		at := o.Ref()
		for around := o; at == 0 && around.Present(); around = index.Parent(around) {
			at = around.Ref()
		}
		e.activation.SetGroup(o)
		if !e.add(o.Type, at, rootPath(root.Name, index.Path(o))) {
			return nil
		}
	}
	return nil
}

func (e *evaluation) overSource(g *ruleGroup) error {
	if e.doc.Source == nil {
		return nil
	}
	d := xpath.NewDispatcher[struct{}]()
	d.Add(struct{}{}, g.paths...)
	var selected []source.Ref
	var failed error
	err := d.Walk(&e.xpath, func(_ struct{}, at source.Ref, err error) {
		if err != nil {
			failed = fmt.Errorf("selecting the nodes: %w", err)
			return
		}
		selected = append(selected, at)
	})
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	for i, at := range selected {
		if !e.wants(i) {
			continue
		}
		e.activation.SetElement(at.Element())
		if !e.add(nil, at, e.doc.Source.Path(at)) {
			return nil
		}
	}
	return nil
}

func (e *evaluation) wants(node int) bool { return e.nodes == nil || e.nodes[node] }

// add evaluates at the node that is this; false when the steps are used up.
func (e *evaluation) add(this *model.Type, at source.Ref, location string) bool {
	v := Value{Location: location}
	if e.doc.Source != nil && at != 0 {
		position := e.doc.Source.Position(at)
		v.Line, v.Column = position.Line, position.Column
	}
	e.budget.Start(e.spent)
	v.Value, v.Err = e.programs[this].Value(&e.activation)
	v.Term, _ = e.programs[this].Term(&e.activation)
	e.spent = e.budget.Used()
	stopped := e.budget.Err()
	if errors.Is(stopped, budget.ErrSteps) {
		v.Err = fmt.Errorf("it takes more than %d steps on this document; let the expression go through fewer elements", e.budget.Limit())
	}
	e.values = append(e.values, v)
	return stopped == nil
}
