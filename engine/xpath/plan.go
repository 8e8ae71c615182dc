package xpath

import (
	"slices"

	"einvoice/model/reuse"
	"einvoice/model/source"
)

// A plan is what may be decided at a route, with what that needs. What each document reads is
// in its first 64 bytes, and the whole is 128, so that these are one line of the processor's
// cache.
type plan[T any] struct {
	age      int32  // of the dispatcher when it was learned
	texts    int32  // how many texts its facts know
	foreign  bool   // of something whose name nobody interned: it is looked at element by element
	nothing  bool   // there is nothing to decide
	switches bool   // it has cases
	facts    []fact // by the bits of a mask
	// gates are the first numbers of what the patterns need, 0 where they need nothing: most
	// are left out, without a look at them.
	gates []uint64

	place[T]
	_ [16]byte
}

// learned is what a plan was learned from.
type learned[T any] struct {
	bound []Bindable[T] // what was bound, and
	known int           // how many of their needs were known then
}

// knowsMore reports whether more needs are known now of what was bound.
func (l *learned[T]) knowsMore() bool {
	known := 0
	for _, b := range l.bound {
		known += b.Known()
	}
	return known != l.known
}

// A Condition is a need at a route. The facts that the needs of the route ask for are the bits
// of a mask; of the bits of each number, the document must have one. Without numbers it is met
// by every document.
type Condition []uint64

// MetBy reports whether a document whose facts are the bits of a mask has what is needed.
func (c Condition) MetBy(mask uint64) bool {
	for _, one := range c {
		if mask&one == 0 {
			return false
		}
	}
	return true
}

// A Gate is a condition whose first two numbers are not behind a pointer, because those of
// most decide. Without a second, it is the first again.
type Gate struct {
	first, second uint64 // 0 without a condition
	rest          *Condition
}

// Gate is the condition in this form. Some document must meet the condition: a gate cannot say
// never, and what is never needed is left out before.
func (c Condition) Gate() Gate {
	switch len(c) {
	case 0:
		return Gate{}
	case 1:
		return Gate{c[0], c[0], nil}
	case 2:
		return Gate{c[0], c[1], nil}
	}
	rest := c[2:]
	return Gate{c[0], c[1], &rest}
}

// MetBy is that of the condition.
func (g *Gate) MetBy(mask uint64) bool {
	return g.first == 0 || mask&g.first != 0 && mask&g.second != 0 && (g.rest == nil || g.rest.MetBy(mask))
}

// AnyOfConditions returns a condition that a document meets if it meets any of some conditions. It
// has one number of each, so that other documents may meet it as well. Of no conditions, no
// document meets it.
func AnyOfConditions(some []Condition) Condition {
	if len(some) == 1 {
		return some[0]
	}
	one := uint64(0)
	for _, c := range some {
		if len(c) == 0 {
			return nil
		}
		one |= c[0]
	}
	return Condition{one}
}

// Everything is the mask of a document of which nothing is known.
const Everything = ^uint64(0)

// A Bindable is who wants to know of what is selected, if some needs are met.
type Bindable[T any] interface {
	// BindTo returns what is told at a route instead, and the condition without which it need
	// not be told. The conditions there are about Evaluation.Mask.
	BindTo(condition func(*Need) Condition) (to T, without Condition)
	// Known counts the needs that are known. BindTo returns something else only after it has
	// grown.
	Known() int
}

// ages are after how many documents a dispatcher learns. What rules need is known once they
// were asked, so that few documents, such as the one of a program that then ends, pay for
// nothing, and many learn it again until all was asked that ever is.
var ages = [...]int64{8, 64, 512, 4096}

// age counts a document, and says how old the dispatcher is.
func (d *Dispatcher[T]) age() int32 {
	walked, age := d.walked.Add(1), int32(0)
	for int(age) < len(ages) && walked > ages[age] {
		age++
	}
	return age
}

// A stand is what a walk knows of a route in its document.
type stand[T any] struct {
	plan *plan[T] // nil before it is asked for
	mask uint64
}

// stands are those of all routes, in memory that the last document used.
func (d *Dispatcher[T]) stands(e *Evaluation, routes int) *reuse.Table[stand[T]] {
	kept, ok := e.stands.(*reuse.Table[stand[T]])
	if !ok {
		kept = new(reuse.Table[stand[T]])
		e.stands = kept
	}
	kept.Begin(routes)
	return kept
}

// standAt finds the plan of a route, and which of its facts the document has.
func (w *walk[T]) standAt(number int) *stand[T] {
	at := w.stands.At(int32(number))
	w.stands.Use(int32(number))
	p := w.dispatcher.plans[number].Load()
	if p == nil || p.age < w.age {
		p = w.dispatcher.learn(number, w.age)
	}
	e := w.evaluation
	s := &e.survey
	at.plan = p
	if p.texts > 0 && (s.texts == nil || p.texts > s.texts.count) || len(e.Tree.Unknown) > 0 && s.interned != source.Count() {
		at.mask = Everything // it asks for what was not looked for
		return at
	}
	for i, f := range p.facts {
		if s.facts.has(int(f)) {
			at.mask |= 1 << i
		}
	}
	return at
}

// learn finds what can be decided at a route, and what that needs.
func (d *Dispatcher[T]) learn(number int, age int32) *plan[T] {
	d.learning.Lock()
	defer d.learning.Unlock()
	last := d.plans[number].Load()
	if last != nil && last.age >= age {
		return last
	}
	p, from := &plan[T]{}, d.learned[number]
	if last != nil && last.age > 0 && !from.knowsMore() {
		*p = *last // nothing is known that was not
		p.age = age
	} else {
		from = &learned[T]{}
		d.learnAnew((*d.routes.Load())[number], age, p, from)
		d.learned[number] = from
	}
	if p.nothing { // as many are, so that one in the cache is that of all
		if d.nothing[age] == nil {
			d.nothing[age] = p
		}
		p = d.nothing[age]
	}
	d.plans[number].Store(p)
	return p
}

func (d *Dispatcher[T]) learnAnew(r *route[T], age int32, p *plan[T], from *learned[T]) {
	p.age, p.foreign = age, r.name == source.NoName
	if !p.foreign {
		d.learnPatterns(r, p, from)
	}
	p.switches = len(p.cases) > 0
	p.nothing = !p.foreign && len(p.patterns) == 0 && !p.switches
}

func (d *Dispatcher[T]) learnPatterns(r *route[T], p *plan[T], from *learned[T]) {
	s := resolver[T]{d: d, at: r}
	at := spotOf(r)
	type binding struct {
		to      T
		without Condition
	}
	bound := map[int32]binding{}
	for _, c := range d.candidates(r) {
		if p.age == 0 || r.foreign {
			addPattern(&p.place, c)
			continue
		}
		need := conditionOf(s.context(c.path))
		if !need.MetBy(Everything) {
			continue
		}
		b, known := bound[c.id]
		if !known {
			b.to = c.to
			if to, ok := any(c.to).(Bindable[T]); ok {
				from.bound = append(from.bound, to)
				from.known += to.Known() // before: what is asked meanwhile is known the next time
				b.to, b.without = to.BindTo(func(n *Need) Condition { return conditionOf(s.resolve(n, at)) })
			}
			bound[c.id] = b
		}
		if need = slices.Concat(need, b.without).short(); !need.MetBy(Everything) {
			continue
		}
		q := *c
		q.need, q.to = need.Gate(), b.to
		addPattern(&p.place, &q)
	}
	p.facts = together(&d.facts, s.facts)
	gates := make([]uint64, len(p.patterns))
	for i := range p.patterns {
		gates[i] = p.patterns[i].need.first
	}
	p.gates = together(&d.gates, gates)
	if known := d.texts.Load(); known != nil {
		p.texts = known.count
	}
}

// together copies what a plan has to behind what the plan before it has, so that what is read
// one after another lies so in memory as well.
func together[E any](room *[]E, some []E) []E {
	if len(some) > cap(*room)-len(*room) {
		*room = make([]E, 0, max(len(some), roomAtOnce))
	}
	from := len(*room)
	*room = append(*room, some...)
	return (*room)[from:len(*room):len(*room)]
}

// roomAtOnce is how much room there is for that nobody has asked for.
const roomAtOnce = 1 << 9

// context is what the predicates of a path need that selects at the route: those of all steps
// of which it is known where on the route they are.
func (r *resolver[T]) context(p *SourcePath) *terms {
	all := &terms{op: needAll}
	for i := range p.steps {
		at := r.routeOf(p.steps, i)
		if at == nil || len(p.steps[i].asked) == 0 {
			continue
		}
		switch needed := r.resolve(needOfAll(p.steps[i].asked), spotOf(at)); needed {
		case nil:
		case neverTerms:
			return neverTerms
		default:
			all.args = append(all.args, needed)
		}
	}
	if len(all.args) == 0 {
		return nil
	}
	return all
}

// routeOf is the route that a step is at: as far from the top as there are steps before it, or
// from the end as there are after it, without // between.
func (r *resolver[T]) routeOf(steps []sourceStep, i int) *route[T] {
	isDown := func(s sourceStep) bool { return s.descendant }
	above := len(steps) - 1 - i
	if slices.ContainsFunc(steps[i+1:], isDown) {
		if slices.ContainsFunc(steps[:i+1], isDown) {
			return nil
		}
		depth := 0
		for at := r.at; at != r.d.top(); at = at.up {
			depth++
		}
		above = depth - 1 - i
	}
	at := r.at
	for ; above > 0 && at != r.d.top(); above-- {
		at = at.up
	}
	if above < 0 || at == r.d.top() {
		return nil
	}
	return at
}

// mostClauses is how many numbers a condition has; a longer one is cut off, and is then met
// by more documents.
const mostClauses = 6

// conditionOf writes terms as a condition.
func conditionOf(t *terms) (c Condition) {
	if t == nil {
		return nil
	}
	switch t.op {
	case needPath:
		return Condition{1 << t.bit}
	case needAll:
		for _, arg := range t.args {
			c = append(c, conditionOf(arg)...)
		}
	case needAny: // each number of one with each of the other
		c = Condition{0}
		for _, arg := range t.args {
			with := conditionOf(arg)
			next := Condition(nil)
			for _, a := range c {
				for _, b := range with {
					next = append(next, a|b)
				}
			}
			c = next.short()
		}
	default:
		return Condition{0}
	}
	return c.short()
}

// short is the condition without what is said twice, cut off where it is long.
func (c Condition) short() Condition {
	slices.Sort(c)
	c = slices.Compact(c)
	return c[:min(len(c), mostClauses)]
}
