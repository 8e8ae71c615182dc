package xpath

import (
	"math/bits"
	"sync/atomic"

	"einvoice/model/source"
)

// A route is the names on the way from the document element to an element or attribute.
// Invoices have few hundred routes however many elements they have, so that what names
// decide is decided once a route, and not once an element: which contexts can select there
// (candidates), and what they and their rules need (plan.go).
type route[T any] struct {
	number    int
	name      source.Name // source.NoName for every name that nobody interned
	attribute bool
	foreign   bool      // it, or one above it, has a name that nobody interned
	up        *route[T] // the route of the element around; that of the document element begins at the top
	below     atomic.Pointer[routeTable[T]]
	plan      atomic.Pointer[plan[T]] // nil before something there was met
}

// mostRoutes bounds how many routes are kept, since documents come from strangers. What is
// on further ones is looked at element by element.
const mostRoutes = 1 << 12

// noRoute is the number of further ones.
const noRoute = 1<<16 - 1

// A routeTable finds routes below another by their name: a hash table with open addressing,
// which is replaced by a larger one and never changed where something is.
type routeTable[T any] struct {
	slots []*route[T]
	shift int // of a hash, to have a slot
	used  int
}

func routeKey(name source.Name, attribute bool) uint32 {
	key := uint32(name) << 1
	if attribute {
		key++
	}
	return key
}

const spread = 0x9E3779B1 // 2^32 by the golden ratio

func (t *routeTable[T]) find(key uint32) *route[T] {
	for i := int(key * spread >> t.shift); ; i = (i + 1) & (len(t.slots) - 1) {
		r := t.slots[i]
		if r == nil || routeKey(r.name, r.attribute) == key {
			return r
		}
	}
}

// with is the table with one more route.
func (t *routeTable[T]) with(r *route[T]) *routeTable[T] {
	size := 4
	if t != nil {
		if size = len(t.slots); 2*(t.used+1) > size {
			size *= 2
		}
	}
	next := &routeTable[T]{slots: make([]*route[T], size), shift: 32 - bits.TrailingZeros(uint(size))}
	if t != nil {
		for _, have := range t.slots {
			next.put(have)
		}
	}
	next.put(r)
	return next
}

func (t *routeTable[T]) put(r *route[T]) {
	if r == nil {
		return
	}
	i := int(routeKey(r.name, r.attribute) * spread >> t.shift)
	for t.slots[i] != nil {
		i = (i + 1) & (len(t.slots) - 1)
	}
	t.slots[i] = r
	t.used++
}

// routeBelow is the route of what has a name below another route; nil if there are too
// many. Names that nobody interned share one.
func (d *Dispatcher[T]) routeBelow(up *route[T], name source.Name, attribute bool) *route[T] {
	if up == nil {
		return nil
	}
	if !name.Known() {
		name = source.NoName
	}
	key := routeKey(name, attribute)
	if t := up.below.Load(); t != nil {
		if r := t.find(key); r != nil {
			return r
		}
	}
	d.routesMu.Lock()
	defer d.routesMu.Unlock()
	table := up.below.Load()
	if table != nil {
		if r := table.find(key); r != nil {
			return r
		}
	}
	known := *d.routes.Load()
	if len(known) == mostRoutes {
		return nil
	}
	r := &route[T]{number: len(known), name: name, attribute: attribute, up: up, foreign: up.foreign || name == source.NoName}
	known = append(known, r)
	d.routes.Store(&known) // before it can be found
	up.below.Store(table.with(r))
	return r
}

// top is the route of the root of a document, above its element.
func (d *Dispatcher[T]) top() *route[T] { return (*d.routes.Load())[0] }

// documentElement is the route of the document element above a route.
func (d *Dispatcher[T]) documentElement(r *route[T]) *route[T] {
	top := d.top()
	for r.up != top {
		r = r.up
	}
	return r
}

// candidates are the patterns that may select what is on a route, as its names say. The
// name of the route itself is known.
func (d *Dispatcher[T]) candidates(r *route[T]) []*pattern[T] {
	target := ofElement
	if r.attribute {
		target = ofAttribute
	}
	var found []*pattern[T]
	if r.up == d.top() {
		for _, p := range d.atRoot {
			if p.fitsName(r.name.QName()) {
				found = append(found, p)
			}
		}
	}
	found = d.climb(d.trie(target)[r.name], r, found)
	for _, p := range d.wild[target] {
		if p.fitsName(r.name.QName()) {
			found = append(found, p)
		}
	}
	return decidedByNames(d.top(), r, found)
}

// climb collects what is complete in the trie from a node on; at is the route that led to
// the node.
func (d *Dispatcher[T]) climb(node *trieNode[T], at *route[T], found []*pattern[T]) []*pattern[T] {
	if node == nil {
		return found
	}
	found = node.anywhere.appendTo(found)
	if at.up == d.top() {
		return node.atRoot.appendTo(found)
	}
	found = d.climb(node.above[at.up.name], at.up, found)
	return d.climb(node.any, at.up, found)
}

func (p *place[T]) appendTo(found []*pattern[T]) []*pattern[T] {
	found = append(found, p.patterns...)
	for _, c := range p.cases {
		found = append(found, c.patterns...)
	}
	return found
}

// decidedByNames leaves out patterns whose names do not lead to the route, and says of the
// others what is left to decide.
func decidedByNames[T any](top, r *route[T], found []*pattern[T]) []*pattern[T] {
	var left []*pattern[T]
	sure := map[*selection[T]]bool{}
	for _, p := range found {
		if r.foreign {
			left = append(left, p)
			continue
		}
		steps := p.path.steps
		if sure[p.selection] || !namesLead(steps, len(steps)-1, top, r) {
			continue
		}
		q := *p
		q.lastAlone, q.verify = true, false
		for i := range steps {
			conditions := len(steps[i].all) > 0 || steps[i].positional
			q.verify = q.verify || conditions
			q.lastAlone = q.lastAlone && (!conditions || i == len(steps)-1)
		}
		if !q.verify { // the names decide, whatever other paths there are
			s := *p.selection
			s.number = -1
			q.selection, sure[p.selection] = &s, true
		}
		left = append(left, &q)
	}
	var out []*pattern[T]
	for _, p := range left {
		if p.selection.number < 0 || !sure[p.selection] {
			out = append(out, p)
		}
	}
	return out
}

// namesLead reports whether the names of steps up to i lead to a route.
func namesLead[T any](steps []sourceStep, i int, top, r *route[T]) bool {
	s := &steps[i]
	switch {
	case r == top || r.attribute != (s.axis == Attribute):
		return false
	case !s.any && s.name != r.name, s.any && s.fits != nil && !s.fits(r.name.QName()):
		return false
	case i == 0:
		return s.descendant || r.up == top
	case !s.descendant:
		return namesLead(steps, i-1, top, r.up)
	}
	for up := r.up; up != top; up = up.up {
		if namesLead(steps, i-1, top, up) {
			return true
		}
	}
	return false
}
