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
	number    int32
	name      source.Name // source.NoName for every name that nobody interned
	attribute bool
	foreign   bool      // it, or one above it, has a name that nobody interned
	up        *route[T] // the route of the element around; that of the document element begins at the top
}

// mostRoutes bounds how many routes are kept, since documents come from strangers. What is
// on further ones is looked at element by element.
const mostRoutes = 1 << 12

// noRoute is the number of further ones.
const noRoute = 1<<16 - 1

// A routeTable finds the number of a route by that of the route above and its name: a hash
// table with open addressing. Each slot is one number, a step and then the route that it leads
// to, and is written once. A table that is half full is replaced by a larger one.
type routeTable struct {
	slots []atomic.Uint64
	shift int // of a hash, to have a slot
	used  int
}

// bitsOfRoute is how many bits of a slot have the number of the route, which is below mostRoutes.
const bitsOfRoute = 12

// slotsAtFirst suffices for the routes of a few invoices.
const slotsAtFirst = 512

func newRouteTable(size int) *routeTable {
	return &routeTable{slots: make([]atomic.Uint64, size), shift: 64 - bits.TrailingZeros(uint(size))}
}

// routeStep is a step from a route to what has a name below it.
func routeStep(up uint16, name source.Name, attribute bool) uint64 {
	step := uint64(uint32(name))<<1 | 1 // so that no slot in use is 0
	step = step<<bitsOfRoute | uint64(up)
	step <<= 1
	if attribute {
		step++
	}
	return step
}

const spread = 0x9E3779B97F4A7C15 // 2^64 by the golden ratio

// find is the number of the route that a step leads to.
func (t *routeTable) find(step uint64) (number uint16, ok bool) {
	for i := int(step * spread >> t.shift); ; i = (i + 1) & (len(t.slots) - 1) {
		slot := t.slots[i].Load()
		if slot>>bitsOfRoute == step {
			return uint16(slot & (mostRoutes - 1)), true
		}
		if slot == 0 {
			return 0, false
		}
	}
}

// put adds a step that is not there.
func (t *routeTable) put(step uint64, number uint16) {
	i := int(step * spread >> t.shift)
	for t.slots[i].Load() != 0 {
		i = (i + 1) & (len(t.slots) - 1)
	}
	t.slots[i].Store(step<<bitsOfRoute | uint64(number))
	t.used++
}

// larger is the table with twice as many slots.
func (t *routeTable) larger() *routeTable {
	next := newRouteTable(2 * len(t.slots))
	for i := range t.slots {
		if slot := t.slots[i].Load(); slot != 0 {
			next.put(slot>>bitsOfRoute, uint16(slot&(mostRoutes-1)))
		}
	}
	return next
}

// numberBelow is the number of the route of what has a name below another route; noRoute if
// there are too many. Names that nobody interned share one.
func (d *Dispatcher[T]) numberBelow(up uint16, name source.Name, attribute bool) uint16 {
	if up == noRoute {
		return noRoute
	}
	if !name.Known() {
		name = source.NoName
	}
	step := routeStep(up, name, attribute)
	if number, ok := d.table.Load().find(step); ok {
		return number
	}
	d.routesMu.Lock()
	defer d.routesMu.Unlock()
	table := d.table.Load()
	if number, ok := table.find(step); ok {
		return number
	}
	known := *d.routes.Load()
	if len(known) == mostRoutes {
		return noRoute
	}
	if 2*(table.used+1) > len(table.slots) {
		table = table.larger()
	}
	above := known[up]
	number := uint16(len(known))
	known = append(known, &route[T]{number: int32(number), name: name, attribute: attribute, up: above, foreign: above.foreign || name == source.NoName})
	d.routes.Store(&known) // before it can be found
	table.put(step, number)
	d.table.Store(table)
	return number
}

// routeBelow is the route of what has a name below another route; nil if there are too many.
func (d *Dispatcher[T]) routeBelow(up *route[T], name source.Name, attribute bool) *route[T] {
	number := d.numberBelow(uint16(up.number), name, attribute)
	if number == noRoute {
		return nil
	}
	return (*d.routes.Load())[number]
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
	for i := range p.patterns {
		found = append(found, &p.patterns[i])
	}
	for _, c := range p.cases {
		for i := range c.patterns {
			found = append(found, &c.patterns[i])
		}
	}
	return found
}

// decidedByNames leaves out patterns whose names do not lead to the route, and says of the
// others what is left to decide.
func decidedByNames[T any](top, r *route[T], found []*pattern[T]) []*pattern[T] {
	var left []*pattern[T]
	sure := map[int32]bool{}
	for _, p := range found {
		if r.foreign {
			left = append(left, p)
			continue
		}
		steps := p.path.steps
		if sure[p.id] || !namesLead(steps, len(steps)-1, top, r) {
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
			q.state, sure[p.id] = -1, true
		}
		left = append(left, &q)
	}
	var out []*pattern[T]
	for _, p := range left {
		if p.state < 0 || !sure[p.id] {
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
