package engine

import (
	"sync"
	"sync/atomic"

	"einvoice/model/source"
)

// A dispatcher finds the patterns that an element or attribute matches. It is a
// trie over names from the last step upwards, so that its cost depends on the
// depth of the document and not on the number of patterns: there are well over
// a thousand.
type dispatcher struct {
	elements   map[source.Name]*trieNode
	attributes map[source.Name]*trieNode
	wild       []*pattern // those that end in *, decided by name once

	mu     sync.Mutex
	byName atomic.Pointer[[]*nameEntry] // by Name, filled as names are seen
}

// nameEntry is what can match an element of one name.
type nameEntry struct {
	trie *trieNode
	wild []*pattern
}

// A pattern is one way to select a node, and who wants to know.
type pattern struct {
	path   *sourcePath
	group  *contextGroup // rules with an assertion, or
	row    *row          // a row of a table
	tally  int           // the row's own in the frame, where it counts
	verify bool          // names alone do not decide: there are predicates, or // within the path
}

type trieNode struct {
	above    map[source.Name]*trieNode
	any      *trieNode  // whatever the name: the * of /*
	anywhere []*pattern // complete here, wherever the node stands
	atRoot   []*pattern // complete if this is the document element
}

func newDispatcher() *dispatcher {
	return &dispatcher{elements: map[source.Name]*trieNode{}, attributes: map[source.Name]*trieNode{}}
}

func (d *dispatcher) empty() bool {
	return len(d.elements) == 0 && len(d.attributes) == 0 && len(d.wild) == 0
}

func (d *dispatcher) add(p *pattern) {
	steps := p.path.steps
	last := &steps[len(steps)-1]
	for i := range steps {
		if len(steps[i].tests) > 0 || steps[i].axis == axisAny && steps[i].fits != nil || i > 0 && steps[i].descendant {
			p.verify = true
		}
	}
	if last.axis == axisAny {
		d.wild = append(d.wild, p)
		return
	}
	start := d.elements
	if last.axis == axisAttribute {
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
		if above := &steps[i-1]; above.axis == axisAny {
			if node.any == nil {
				node.any = &trieNode{}
			}
			node = node.any
		} else {
			if node.above == nil {
				node.above = map[source.Name]*trieNode{}
			}
			node = child(node.above, above.name)
		}
	}
}

func child(m map[source.Name]*trieNode, name source.Name) *trieNode {
	n := m[name]
	if n == nil {
		n = &trieNode{}
		m[name] = n
	}
	return n
}

// element yields the patterns that select an element.
func (d *dispatcher) element(t *source.Tree, n source.Node, yield func(*pattern)) {
	entry := d.entry(t, t.Name(n))
	if entry.trie != nil {
		entry.trie.match(t, n.Ref(), n, yield)
	}
	for _, p := range entry.wild {
		if p.path.matches(t, n.Ref()) {
			yield(p)
		}
	}
}

// attribute yields the patterns that select an attribute.
func (d *dispatcher) attribute(t *source.Tree, a source.Attr, yield func(*pattern)) {
	if node := d.attributes[t.Known(t.Attributes[a].Name)]; node != nil {
		node.match(t, a.Ref(), 0, yield)
	}
}

// match goes up from a node whose own name led to this trie node; at is the
// element that was matched last, 0 for an attribute itself.
func (node *trieNode) match(t *source.Tree, r source.Ref, at source.Node, yield func(*pattern)) {
	for _, p := range node.anywhere {
		if !p.verify || p.path.matches(t, r) {
			yield(p)
		}
	}
	parent := t.Owner(r)
	if at != 0 {
		parent = t.Parent(at)
	}
	if parent == 0 {
		for _, p := range node.atRoot {
			if !p.verify || p.path.matches(t, r) {
				yield(p)
			}
		}
		return
	}
	if next := node.above[t.Name(parent)]; next != nil {
		next.match(t, r, parent, yield)
	}
	if node.any != nil {
		node.any.match(t, r, parent, yield)
	}
}

var nothing = &nameEntry{}

// entry looks a name up, and works it out when it is new.
func (d *dispatcher) entry(t *source.Tree, name source.Name) *nameEntry {
	if !name.Known() {
		return d.workOut(t.NameOf(name), name)
	}
	if known := d.byName.Load(); known != nil && int(name) < len(*known) && (*known)[name] != nil {
		return (*known)[name]
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	var next []*nameEntry
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

func (d *dispatcher) workOut(q source.QName, name source.Name) *nameEntry {
	e := &nameEntry{trie: d.elements[name]}
	for _, p := range d.wild {
		if last := &p.path.steps[len(p.path.steps)-1]; last.fits == nil || last.fits(q) {
			e.wild = append(e.wild, p)
		}
	}
	if e.trie == nil && e.wild == nil {
		return nothing
	}
	return e
}
