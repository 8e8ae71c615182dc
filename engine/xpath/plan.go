package xpath

import (
	"math/bits"
	"slices"
	"sync/atomic"

	"einvoice/model/source"
)

// A plan is what is decided at a route, in documents that agree in the facts that are
// asked for there. It is made when the first of them comes.
type plan[T any] struct {
	place[T]
	foreign bool // of something whose name nobody interned: it is looked at element by element
}

// plans are those of a route.
type plans[T any] struct {
	age      int // of the dispatcher when they were learned
	found    []*pattern[T]
	whole    *plan[T]                  // where nothing is known
	contexts []*terms                  // what each of found needs
	rules    map[*Need]*terms          // what those need that want to know
	facts    []fact                    // by the bits of a mask
	texts    int                       // how many texts these know
	made     []atomic.Pointer[made[T]] // by a hash of the mask
}

type made[T any] struct {
	mask uint64
	plan *plan[T]
}

// mostPlans is how many plans of a route are kept.
const mostPlans = 256

// ages are after how many documents a dispatcher learns. What rules need is known once they
// were asked, so that few documents, such as the one of a program that then ends, pay for
// nothing, and many learn it again until all was asked that ever is.
var ages = []int64{8, 64, 512, 4096}

// age counts a document, and says how old the dispatcher is.
func (d *Dispatcher[T]) age() int {
	walked, age := d.walked.Add(1), 0
	for age < len(ages) && walked > ages[age] {
		age++
	}
	return age
}

// planOf is the plan of a route for the document of a walk.
func (w *walk[T]) planOf(r *route[T]) *plan[T] {
	p := r.plans.Load()
	if p == nil || p.age < w.age {
		p = w.dispatcher.learn(r, w.age)
	}
	e := w.evaluation
	s := &e.survey
	if w.age == 0 || e.AskAll || p.texts > 0 && (s.texts == nil || p.texts > s.texts.count) ||
		len(e.Tree.Unknown) > 0 && s.interned != source.Count() {
		return p.whole
	}
	mask := uint64(0)
	for i := range p.facts {
		if s.has(p.facts[i]) {
			mask |= 1 << i
		}
	}
	slot := &p.made[int(mask*0x9E3779B97F4A7C15>>56)&(len(p.made)-1)]
	if m := slot.Load(); m != nil && m.mask == mask {
		return m.plan
	}
	m := &made[T]{mask, w.dispatcher.narrowed(p, mask)}
	slot.Store(m)
	return m.plan
}

// learn finds what can be decided at a route, and what that needs.
func (d *Dispatcher[T]) learn(r *route[T], age int) *plans[T] {
	d.learning.Lock()
	defer d.learning.Unlock()
	if p := r.plans.Load(); p != nil && p.age >= age {
		return p
	}
	p := &plans[T]{age: age, whole: &plan[T]{foreign: r.name == source.NoName}, rules: map[*Need]*terms{}}
	if !p.whole.foreign {
		p.found = d.candidates(r)
	}
	for _, c := range p.found {
		addPattern(&p.whole.place, c)
	}
	if age > 0 {
		d.learnNeeds(r, p)
	}
	r.plans.Store(p)
	return p
}

func (d *Dispatcher[T]) learnNeeds(r *route[T], p *plans[T]) {
	s := resolver[T]{d: d, at: r}
	at := spotOf(r)
	for _, c := range p.found {
		var needed *terms
		if !r.foreign {
			needed = s.context(c.path)
		}
		p.contexts = append(p.contexts, needed)
		if d.Narrow != nil && needed != neverTerms {
			d.Narrow(c.selection.to, func(n *Need) bool {
				if n != nil && !r.foreign {
					p.rules[n] = s.resolve(n, at)
				}
				return true
			})
		}
	}
	p.facts = s.facts
	if known := d.texts.Load(); known != nil {
		p.texts = known.count
	}
	size := mostPlans
	if len(p.facts) < bits.TrailingZeros(mostPlans) {
		size = 1 << len(p.facts)
	}
	p.made = make([]atomic.Pointer[made[T]], size)
}

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
	before, after := len(steps)-1-i, i
	if slices.ContainsFunc(steps[i+1:], isDown) {
		if slices.ContainsFunc(steps[:i+1], isDown) {
			return nil
		}
		depth := 0
		for at := r.at; at != r.d.top(); at = at.up {
			depth++
		}
		before = depth - 1 - after
	}
	at := r.at
	for ; before > 0 && at != r.d.top(); before-- {
		at = at.up
	}
	if before < 0 || at == r.d.top() {
		return nil
	}
	return at
}

// narrowed is the plan without what cannot be in documents with these facts.
func (d *Dispatcher[T]) narrowed(p *plans[T], mask uint64) *plan[T] {
	out := &plan[T]{foreign: p.whole.foreign}
	may := func(n *Need) bool { return n == nil || p.rules[n].hold(mask) }
	narrowed := map[*selection[T]]*selection[T]{}
	for i, c := range p.found {
		if !p.contexts[i].hold(mask) {
			continue
		}
		if d.Narrow != nil {
			s, known := narrowed[c.selection]
			if !known {
				if to, any := d.Narrow(c.selection.to, may); any {
					s = &selection[T]{to, c.selection.number}
				}
				narrowed[c.selection] = s
			}
			if s == nil {
				continue
			}
			q := *c
			q.selection, c = s, &q
		}
		addPattern(&out.place, c)
	}
	return out
}
