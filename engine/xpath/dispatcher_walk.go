package xpath

import (
	"errors"

	"einvoice/engine/budget"
	"einvoice/engine/count"
	"einvoice/model/reuse"
	"einvoice/model/source"
)

const (
	// stepsPerLook is after how many steps a walk looks whether its context has
	// ended: some hundred microseconds.
	stepsPerLook = 1 << 14
	// visitsPerLook is after how many visits it looks at the latest. What a visitor
	// spends is unknown here; each evaluation in it looks as well, after some steps.
	visitsPerLook = 1 << 6
)

// A Visit is told of each node that a selection has, in document order. With
// budget.ErrSteps, deciding about this node and all after it would take more
// steps than the budget allows; no other node of this selection is reported then.
type Visit[T any] func(to T, at source.Ref, err error)

// Walk visits every element and attribute once. What the paths of one selection
// cost is counted together, against the limit of the budget. Walk starts the
// budget again for every decision, so visit may do so as well. It returns the
// error of the context if that ended.
func (d *Dispatcher[T]) Walk(e *Evaluation, visit Visit[T]) error {
	if d.Empty() {
		return nil
	}
	e.selections.Begin(d.counted)
	w := walk[T]{dispatcher: d, evaluation: e, visit: visit, age: d.age()}
	w.withAttributes = len(d.attributes)+len(d.wild[ofAttribute]) > 0
	d.survey(e)
	w.stands = d.stands(e, len(*d.routes.Load()))
	for n := e.Tree.Root(); int(n) < len(e.Tree.Elements); n++ {
		w.at(int(e.survey.routes[n]), n.Ref(), ofElement)
		if w.withAttributes {
			for a, end := attributesOf(e.Tree, n.Ref()); a < end; a++ {
				w.at(int(e.survey.ofAttributes[a]), a.Ref(), ofAttribute)
			}
		}
		if w.steps++; w.steps >= stepsPerLook {
			w.steps = 0
			if err := e.Budget.Context().Err(); err != nil {
				return err
			}
		}
	}
	return e.Budget.Context().Err()
}

// A walk is one pass of a dispatcher over a document.
type walk[T any] struct {
	dispatcher *Dispatcher[T]
	evaluation *Evaluation
	visit      Visit[T]
	steps      int64 // since the last look at the context

	age            int32
	withAttributes bool
	stands         *reuse.Table[stand[T]] // on routes, by number
}

// at decides about a node on a route.
func (w *walk[T]) at(number int, node source.Ref, target int) {
	if count.On {
		count.Nodes++
	}
	if number >= w.stands.Len() || w.evaluation.All {
		w.evaluation.Mask = Everything
		w.node(node, target)
		return
	}
	at := w.stands.At(int32(number))
	if at.plan == nil {
		at = w.standAt(number)
	}
	if at.plan.nothing {
		return
	}
	w.evaluation.Mask = at.mask
	if at.plan.foreign {
		w.node(node, target)
		return
	}
	w.follow(at.plan, node)
}

func (w *walk[T]) node(r source.Ref, target int) {
	t, d := w.evaluation.Tree, w.dispatcher
	if r == t.Root().Ref() {
		for _, p := range d.atRoot {
			if p.fitsName(t.NameOf(t.Name(t.Root()))) {
				w.decide(p, r)
			}
		}
	}
	name := nameNumber(t, r)
	if !name.Known() { // no trie has it
		q := t.NameOf(name)
		for _, p := range d.wild[target] {
			if p.fitsName(q) {
				w.decide(p, r)
			}
		}
		return
	}
	entry := d.entry(name, target)
	if entry.trie != nil {
		w.match(entry.trie, r, r)
	}
	for _, p := range entry.wild {
		if p.leaf && t.FirstChild(r.Element()) != 0 {
			w.steps++
			continue
		}
		w.decide(p, r)
	}
}

// match goes up from a node whose own name led to this trie node; at is the
// node that was matched last.
func (w *walk[T]) match(node *trieNode[T], r, at source.Ref) {
	w.steps++
	t := w.evaluation.Tree
	w.complete(&node.anywhere, r)
	parent := parentOf(t, at)
	if parent == 0 {
		w.complete(&node.atRoot, r)
		return
	}
	if next := node.above[t.Name(parent.Element())]; next != nil {
		w.match(next, r, parent)
	}
	if node.any != nil {
		w.match(node.any, r, parent)
	}
}

// complete decides the patterns of a place.
func (w *walk[T]) complete(at *place[T], r source.Ref) {
	for i := range at.patterns {
		w.decideLeaf(&at.patterns[i], r)
	}
	for _, c := range at.cases {
		w.decideCases(c, r)
	}
}

// follow decides the patterns of a plan whose needs are met.
func (w *walk[T]) follow(p *plan[T], r source.Ref) {
	mask := w.evaluation.Mask
	for i, gate := range p.gates {
		if gate != 0 && mask&gate == 0 {
			continue
		}
		if one := &p.patterns[i]; one.need.MetBy(mask) {
			w.decideLeaf(one, r)
		}
	}
	if p.switches {
		for _, c := range p.cases {
			w.decideCases(c, r)
		}
	}
}

// decideLeaf is decide for a pattern that may select elements without others inside alone.
func (w *walk[T]) decideLeaf(p *pattern[T], r source.Ref) {
	if p.leaf && w.evaluation.Tree.FirstChild(r.Element()) != 0 {
		w.steps++
		return
	}
	w.decide(p, r)
}

// decide visits a node whose names fit, if the path selects it.
func (w *walk[T]) decide(p *pattern[T], r source.Ref) {
	if count.On {
		count.Tried++
	}
	if p.state < 0 {
		w.tell(p.to, r, nil)
		return
	}
	state := w.evaluation.selections.At(p.state)
	if state.steps == 0 {
		w.evaluation.selections.Use(p.state)
	}
	state.steps++
	if state.ended || state.last == r {
		return
	}
	b := w.evaluation.Budget
	b.Start(state.steps)
	fits := b.Spend(0) && (!p.verify || w.verify(p, r))
	w.steps += b.Used() - state.steps
	state.steps = b.Used()
	switch err := b.Err(); {
	case err != nil:
		state.ended = true
		if errors.Is(err, budget.ErrSteps) {
			w.tell(p.to, r, err)
		}
	case fits:
		state.last = r
		w.tell(p.to, r, nil)
	}
}

// verify decides what names do not.
func (w *walk[T]) verify(p *pattern[T], r source.Ref) bool {
	if count.On {
		count.Decided++
	}
	if p.lastAlone {
		return w.evaluation.Budget.Step() && p.path.last().keeps(w.evaluation, r)
	}
	return p.path.matchesNamed(w.evaluation, r)
}

func (w *walk[T]) tell(to T, r source.Ref, err error) {
	w.visit(to, r, err)
	w.steps += stepsPerLook / visitsPerLook
}

// A selectionState is what a walk remembers of a selection.
type selectionState struct {
	steps int64      // that deciding took so far
	last  source.Ref // the node that was looked at last, of several paths
	ended bool       // it took too many steps
}
