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
	wild       []*pattern[T] // those that end in *, decided by name once
	verified   int           // patterns that names alone do not decide
	none       nameEntry[T]  // of a name that nothing matches

	mu     sync.Mutex
	byName atomic.Pointer[[]*nameEntry[T]] // by Name, filled as names are seen
}

// A pattern is one path, and who wants to know what it selects.
type pattern[T any] struct {
	path   *SourcePath
	to     T
	verify bool // names alone do not decide: there are predicates, or // within the path
	number int  // among those that are verified
}

// nameEntry is what can match an element of one name.
type nameEntry[T any] struct {
	trie *trieNode[T]
	wild []*pattern[T]
}

type trieNode[T any] struct {
	above    map[source.Name]*trieNode[T]
	any      *trieNode[T]  // whatever the name: the * of /*
	anywhere []*pattern[T] // complete here, wherever the node is
	atRoot   []*pattern[T] // complete if this is the document element
}

// NewDispatcher makes a dispatcher without paths. All are added before the
// first walk; then any number of goroutines may walk at a time.
func NewDispatcher[T any]() *Dispatcher[T] {
	return &Dispatcher[T]{elements: map[source.Name]*trieNode[T]{}, attributes: map[source.Name]*trieNode[T]{}}
}

// Empty reports whether there is nothing to look for.
func (d *Dispatcher[T]) Empty() bool {
	return len(d.elements) == 0 && len(d.attributes) == 0 && len(d.wild) == 0
}

// Add adds an absolute path and who wants to know what it selects.
func (d *Dispatcher[T]) Add(path *SourcePath, to T) {
	p := &pattern[T]{path: path, to: to, verify: path.needsMoreThanNames()}
	if p.verify {
		p.number = d.verified
		d.verified++
	}
	steps := path.steps
	last := &steps[len(steps)-1]
	if last.any {
		d.wild = append(d.wild, p)
		return
	}
	start := d.elements
	if last.axis == Attribute {
		start = d.attributes
	}
	node := child(start, last.name)
	for i := len(steps) - 1; ; i-- {
		if steps[i].descendant { // what is above is verified, if anything
			node.anywhere = append(node.anywhere, p)
			return
		}
		if i == 0 {
			node.atRoot = append(node.atRoot, p)
			return
		}
		if above := &steps[i-1]; above.any {
			if node.any == nil {
				node.any = &trieNode[T]{}
			}
			node = node.any
		} else {
			if node.above == nil {
				node.above = map[source.Name]*trieNode[T]{}
			}
			node = child(node.above, above.name)
		}
	}
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
		if len(s.predicates) > 0 || s.any && s.fits != nil || i > 0 && s.descendant {
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

// elementsPerLook is how often a walk looks whether its context has ended.
const elementsPerLook = 256

// A Visit is told of each node that a path selects, in document order. With an
// error, deciding about this node and all after it would take more steps than
// the budget allows; no other node is reported for this path then.
type Visit[T any] func(to T, at source.Ref, err error)

// Walk visits every element and attribute once. What the predicates of one path
// cost is counted together, against the limit of the budget. Walk starts the
// budget anew for every decision, so visit may do so as well. It returns the
// error of the context if that ended.
func (d *Dispatcher[T]) Walk(e *Evaluation, visit Visit[T]) error {
	if d.Empty() {
		return nil
	}
	if cap(e.spent) < d.verified {
		e.spent = make([]int64, d.verified)
	}
	e.spent = e.spent[:d.verified]
	clear(e.spent)
	w := walk[T]{dispatcher: d, evaluation: e, visit: visit}
	t := e.Tree
	for n := t.Root(); int(n) < len(t.Elements); n++ {
		if n%elementsPerLook == 0 {
			if err := e.Budget.Context().Err(); err != nil {
				return err
			}
		}
		w.element(n)
		if len(d.attributes) == 0 {
			continue
		}
		first := t.Elements[n].FirstAttr
		for a := first; a < first+source.Attr(t.Elements[n].Attrs); a++ {
			w.attribute(a)
		}
	}
	return e.Budget.Context().Err()
}

// A walk is one pass of a dispatcher over a document.
type walk[T any] struct {
	dispatcher *Dispatcher[T]
	evaluation *Evaluation
	visit      Visit[T]
}

func (w *walk[T]) element(n source.Node) {
	t := w.evaluation.Tree
	entry := w.dispatcher.entry(t, t.Name(n))
	if entry.trie != nil {
		w.match(entry.trie, n.Ref(), n)
	}
	for _, p := range entry.wild {
		w.decide(p, n.Ref())
	}
}

func (w *walk[T]) attribute(a source.Attr) {
	t := w.evaluation.Tree
	if node := w.dispatcher.attributes[t.Interned(t.Attributes[a].Name)]; node != nil {
		w.match(node, a.Ref(), 0)
	}
}

// match goes up from a node whose own name led to this trie node; at is the
// element that was matched last, 0 for an attribute itself.
func (w *walk[T]) match(node *trieNode[T], r source.Ref, at source.Node) {
	t := w.evaluation.Tree
	for _, p := range node.anywhere {
		w.decide(p, r)
	}
	parent := t.Owner(r)
	if at != 0 {
		parent = t.Parent(at)
	}
	if parent == 0 {
		for _, p := range node.atRoot {
			w.decide(p, r)
		}
		return
	}
	if next := node.above[t.Name(parent)]; next != nil {
		w.match(next, r, parent)
	}
	if node.any != nil {
		w.match(node.any, r, parent)
	}
}

// exhausted marks a pattern that used up its steps.
const exhausted = -1

// decide visits a node whose names fit, if the path selects it.
func (w *walk[T]) decide(p *pattern[T], r source.Ref) {
	if !p.verify {
		w.visit(p.to, r, nil)
		return
	}
	spent := &w.evaluation.spent[p.number]
	if *spent == exhausted {
		return
	}
	b := w.evaluation.Budget
	b.Start(*spent)
	selected := p.path.Matches(w.evaluation, r)
	*spent = b.Used()
	switch err := b.Err(); {
	case err != nil:
		*spent = exhausted
		w.visit(p.to, r, err)
	case selected:
		w.visit(p.to, r, nil)
	}
}

// entry looks a name up, and works it out when it is new.
func (d *Dispatcher[T]) entry(t *source.Tree, name source.Name) *nameEntry[T] {
	if !name.Known() {
		return d.workOut(t.NameOf(name), name)
	}
	if known := d.byName.Load(); known != nil && int(name) < len(*known) && (*known)[name] != nil {
		return (*known)[name]
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	var next []*nameEntry[T]
	if known := d.byName.Load(); known != nil {
		next = append(next, *known...)
	}
	for int(name) >= len(next) {
		next = append(next, nil)
	}
	next[name] = d.workOut(name.QName(), name)
	d.byName.Store(&next)
	return next[name]
}

func (d *Dispatcher[T]) workOut(q source.QName, name source.Name) *nameEntry[T] {
	var wild []*pattern[T]
	for _, p := range d.wild {
		if last := &p.path.steps[len(p.path.steps)-1]; last.fits == nil || last.fits(q) {
			wild = append(wild, p)
		}
	}
	trie := d.elements[name]
	if trie == nil && wild == nil {
		return &d.none
	}
	return &nameEntry[T]{trie: trie, wild: wild}
}
