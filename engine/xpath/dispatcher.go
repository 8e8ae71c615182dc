package xpath

import (
	"sync"
	"sync/atomic"

	"einvoice/model/source"
)

// A Dispatcher finds which of many paths select each element and attribute of a
// document, in one walk over it. It is a trie over names from the last step
// upwards, so that its cost depends on the depth of the document and not on the
// number of paths: there are well over a thousand. T is whatever wants to know.
type Dispatcher[T any] struct {
	elements   map[source.Name]*trieNode[T]
	attributes map[source.Name]*trieNode[T]
	wild       [2][]*pattern[T] // those that end in * or @*, decided by name once
	atRoot     []*pattern[T]    // those that end in * and select the document element alone
	added      int32            // selections
	counted    int              // those that have a state
	none       nameEntry[T]     // of a name that nothing matches

	mu     sync.Mutex
	byName [2]atomic.Pointer[[]*nameEntry[T]] // by Name, filled as names are seen

	walked   atomic.Int64
	routesMu sync.Mutex
	routes   atomic.Pointer[[]*route[T]]         // by number; the first is the top
	table    atomic.Pointer[routeTable]          // of their numbers
	plans    [mostRoutes]atomic.Pointer[plan[T]] // by the numbers of routes; nil before something there was met
	nothing  [len(ages) + 1]*plan[T]             // by age, of all routes where there is nothing to decide
	learning sync.Mutex
	learned  map[int]*learned[T] // by the numbers of routes
	facts    []fact              // room for those of plans, while learning
	gates    []uint64            // the same
	texts    atomic.Pointer[texts]
}

// What the last step of a path leads to: elements or attributes.
const (
	ofElement = iota
	ofAttribute
)

// A pattern is one path of a selection. Patterns of a place are beside each other in memory,
// because a walk goes through many.
type pattern[T any] struct {
	need      Gate // at the route that it was copied for
	leaf      bool // it ends in * and selects elements without others inside alone, which is soon seen
	verify    bool // names alone do not decide: there are predicates, or // within the path
	lastAlone bool // of what is to be verified, only the predicates of the last step are left
	selection[T]
	path *SourcePath
}

// A selection is paths that select together, each node once, and who wants to
// know about it.
type selection[T any] struct {
	id    int32 // the same for all of its paths
	state int32 // the number of its state in a walk, -1 without: one path that names decide
	to    T
}

// nameEntry is what can match an element or attribute of one name.
type nameEntry[T any] struct {
	trie *trieNode[T]
	wild []*pattern[T]
}

type trieNode[T any] struct {
	above    map[source.Name]*trieNode[T]
	any      *trieNode[T] // whatever the name: the * of /*
	anywhere place[T]     // complete here, wherever the node is
	atRoot   place[T]     // complete if this is the document element
}

// A place has the patterns that are complete there.
type place[T any] struct {
	patterns []pattern[T]
	cases    []*literalCases[T]
}

// NewDispatcher makes a dispatcher without paths. All are added before the
// first walk; then any number of goroutines may walk at a time.
func NewDispatcher[T any]() *Dispatcher[T] {
	d := &Dispatcher[T]{elements: map[source.Name]*trieNode[T]{}, attributes: map[source.Name]*trieNode[T]{}, learned: map[int]*learned[T]{}}
	d.routes.Store(&[]*route[T]{{}})
	d.table.Store(newRouteTable(slotsAtFirst))
	return d
}

// Empty reports whether there is nothing to look for.
func (d *Dispatcher[T]) Empty() bool {
	return len(d.elements)+len(d.attributes)+len(d.wild[ofElement])+len(d.wild[ofAttribute])+len(d.atRoot) == 0
}

// Add adds paths that select together, made by ContextOverSource, and who wants
// to know what they select.
func (d *Dispatcher[T]) Add(to T, paths ...*SourcePath) {
	s := selection[T]{to: to, id: d.added, state: -1}
	d.added++
	if len(paths) > 1 || paths[0].needsMoreThanNames() {
		s.state = int32(d.counted)
		d.counted++
	}
	for _, path := range paths {
		d.add(&pattern[T]{path: path, selection: s, verify: path.needsMoreThanNames(), leaf: path.last().leaf})
	}
}

func (d *Dispatcher[T]) add(p *pattern[T]) {
	steps := p.path.steps
	last := &steps[len(steps)-1]
	switch {
	case last.any && len(steps) == 1 && !last.descendant && last.axis == Child:
		d.atRoot = append(d.atRoot, p)
		return
	case last.any:
		d.wild[last.target()] = append(d.wild[last.target()], p)
		return
	}
	node := child(d.trie(last.target()), last.name)
	for i := len(steps) - 1; ; i-- {
		if steps[i].descendant { // what is above is verified, if anything
			addPattern(&node.anywhere, p)
			return
		}
		if i == 0 {
			addPattern(&node.atRoot, p)
			return
		}
		node = node.to(&steps[i-1])
	}
}

func (d *Dispatcher[T]) trie(target int) map[source.Name]*trieNode[T] {
	if target == ofAttribute {
		return d.attributes
	}
	return d.elements
}

func (s *sourceStep) target() int {
	if s.axis == Attribute {
		return ofAttribute
	}
	return ofElement
}

// to is the trie node of the step before.
func (n *trieNode[T]) to(step *sourceStep) *trieNode[T] {
	if step.any {
		if n.any == nil {
			n.any = &trieNode[T]{}
		}
		return n.any
	}
	if n.above == nil {
		n.above = map[source.Name]*trieNode[T]{}
	}
	return child(n.above, step.name)
}

// needsMoreThanNames reports whether the names from the last step upwards do not
// decide whether the path selects a node. The last step's own * is decided by
// name as well, but not by the trie.
func (p *SourcePath) needsMoreThanNames() bool {
	last := len(p.steps) - 1
	if p.steps[last].any {
		return true
	}
	for i := range p.steps {
		s := &p.steps[i]
		if len(s.all) > 0 || s.any && s.fits != nil || i > 0 && s.descendant {
			return true
		}
	}
	return false
}

func child[T any](m map[source.Name]*trieNode[T], name source.Name) *trieNode[T] {
	n := m[name]
	if n == nil {
		n = &trieNode[T]{}
		m[name] = n
	}
	return n
}

// entry looks a known name up, and works it out when it is new here.
func (d *Dispatcher[T]) entry(name source.Name, target int) *nameEntry[T] {
	byName := &d.byName[target]
	if known := byName.Load(); known != nil && int(name) < len(*known) && (*known)[name] != nil {
		return (*known)[name]
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	var next []*nameEntry[T]
	if known := byName.Load(); known != nil {
		next = append(next, *known...)
	}
	for int(name) >= len(next) {
		next = append(next, nil)
	}
	next[name] = d.workOut(name, target)
	byName.Store(&next)
	return next[name]
}

func (d *Dispatcher[T]) workOut(name source.Name, target int) *nameEntry[T] {
	var wild []*pattern[T]
	for _, p := range d.wild[target] {
		if p.fitsName(name.QName()) {
			wild = append(wild, p)
		}
	}
	trie := d.trie(target)[name]
	if trie == nil && wild == nil {
		return &d.none
	}
	return &nameEntry[T]{trie: trie, wild: wild}
}

// fitsName reports whether the last step of a path that ends in * keeps a name.
func (p *pattern[T]) fitsName(q source.QName) bool {
	last := &p.path.steps[len(p.path.steps)-1]
	return last.fits == nil || last.fits(q)
}
