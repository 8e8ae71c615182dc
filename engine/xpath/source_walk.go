package xpath

import (
	"slices"

	"einvoice/model/source"
)

// Each yields every element or attribute that the path leads to from n, each
// once and in document order, until yield returns false or the budget stops it;
// the root of the document, above the root element, is 0. It reports whether it
// went through all of them.
func (p *SourcePath) Each(e *Evaluation, n source.Node, yield func(source.Ref) bool) bool {
	return p.each(e, n.Ref(), func(_ *Evaluation, r source.Ref) bool { return yield(r) })
}

func (p *SourcePath) each(e *Evaluation, from source.Ref, visit visitor[source.Ref]) bool {
	if p.joined != nil {
		return p.eachOfJoined(e, from, visit)
	}
	if p.absolute {
		if p.compared != nil {
			if all, done := p.visitCompared(e, visit); done {
				return all
			}
		}
		if p.nameAlone {
			for _, n := range e.elementsNamed(p.steps[0].name) {
				if !e.Budget.Step() || !visit(e, n.Ref()) {
					return false
				}
			}
			return true
		}
		if nodes, ok := e.fromRoot(p); ok {
			return visitAll(e, nodes, visit)
		}
		from = 0
	}
	if p.bare != nil && from > 0 {
		return p.eachBare(e, from.Element(), 0, visit)
	}
	return p.search(e, from, visit)
}

func (p *SourcePath) eachOfJoined(e *Evaluation, from source.Ref, visit visitor[source.Ref]) bool {
	var nodes []source.Ref
	for _, one := range p.joined {
		if !one.each(e, from, func(_ *Evaluation, r source.Ref) bool { nodes = append(nodes, r); return true }) {
			return false
		}
	}
	nodes = inDocumentOrder(e, nodes)
	return !e.Budget.Stopped() && visitAll(e, nodes, visit)
}

// search is each without what is remembered.
func (p *SourcePath) search(e *Evaluation, from source.Ref, visit visitor[source.Ref]) bool {
	if p.byName && (p.down < len(p.steps) || len(e.elementsNamed(p.last().name)) <= source.Few) {
		return p.walkNamed(e, visit)
	}
	if p.sorted == len(p.steps) {
		return p.walk(e, from, 0, visit)
	}
	nodes := []source.Ref{}
	gather := func(_ *Evaluation, r source.Ref) bool { nodes = append(nodes, r); return true }
	if !p.walk(e, from, 0, gather) {
		return false
	}
	for i := p.sorted; i < len(p.steps); i++ {
		step := SourcePath{steps: p.steps[i : i+1 : i+1]}
		step.plan()
		step.sorted = 1 // what one step leads to is sorted below
		last := nodes
		nodes = nil
		for _, r := range last {
			if !step.walk(e, r, 0, gather) {
				return false
			}
		}
		if nodes = inDocumentOrder(e, nodes); e.Budget.Stopped() {
			return false
		}
	}
	return visitAll(e, nodes, visit)
}

// First is the first element or attribute that the path leads to from n; ok is false
// if it leads to none, or if the budget stopped it.
func (p *SourcePath) First(e *Evaluation, n source.Node) (r source.Ref, ok bool) {
	return p.first(e, n.Ref())
}

func (p *SourcePath) first(e *Evaluation, from source.Ref) (source.Ref, bool) {
	switch {
	case p.anyChild && from > 0:
		c := e.Tree.FirstChild(from.Element())
		return c.Ref(), c != 0 && e.Budget.Step()
	case p.bare != nil && from > 0:
		return p.firstBare(e, from.Element(), 0)
	case p.plain:
		return p.firstBelow(e, from, 0)
	}
	e.first = 0
	none := p.each(e, from, keepFirst)
	return e.first, !none && !e.Budget.Stopped()
}

func keepFirst(e *Evaluation, r source.Ref) bool {
	e.first = r
	return false
}

// firstBelow is first for a plain path, from its step i on.
func (p *SourcePath) firstBelow(e *Evaluation, from source.Ref, i int) (source.Ref, bool) {
	if !e.Budget.Step() {
		return 0, false
	}
	if i == len(p.steps) {
		return from, true
	}
	s := &p.steps[i]
	if s.axis == Attribute {
		for a, end := attributesOf(e.Tree, from); a < end && e.Budget.Step(); a++ {
			if s.named(e.Tree, a.Ref()) && s.hold(e, a.Ref()) {
				return a.Ref(), true
			}
		}
		return 0, false
	}
	for children := s.children(e.Tree, from); ; {
		c := children.next()
		if c == 0 || s.any && !e.Budget.Step() {
			return 0, false
		}
		if s.any && !s.named(e.Tree, c.Ref()) || !s.hold(e, c.Ref()) {
			continue
		}
		if r, ok := p.firstBelow(e, c.Ref(), i+1); ok || e.Budget.Stopped() {
			return r, ok
		}
	}
}

// walkNamed visits those of the elements with the name of the last step that the
// whole path leads to.
func (p *SourcePath) walkNamed(e *Evaluation, visit visitor[source.Ref]) bool {
	for _, n := range e.elementsNamed(p.last().name) {
		if !e.Budget.Step() || p.matchesNamed(e, n.Ref()) && !visit(e, n.Ref()) {
			return false
		}
	}
	return true
}

// walk visits what the steps from i on lead to from one node.
func (p *SourcePath) walk(e *Evaluation, from source.Ref, i int, visit visitor[source.Ref]) bool {
	if !e.Budget.Step() {
		return false
	}
	if i == p.sorted {
		return visit(e, from)
	}
	if i == p.down {
		return p.walkDown(e, from, visit)
	}
	s := &p.steps[i]
	if s.positional && s.axis != Parent && s.axis != Self {
		for _, r := range s.keep(e, from) {
			if !p.walk(e, r, i+1, visit) {
				return false
			}
		}
		return !e.Budget.Stopped()
	}
	switch s.axis {
	case Child:
		return p.walkChildren(e, from, i, visit)
	case Attribute:
		return p.walkAttributes(e, from, i, visit)
	case Parent:
		if from == 0 {
			return true
		}
		from = parentOf(e.Tree, from)
	case Ancestor, FollowingSibling, PrecedingSibling:
		for _, r := range s.around(e, from) {
			if !e.Budget.Step() || s.hold(e, r) && !p.walk(e, r, i+1, visit) {
				return false
			}
		}
		return true
	}
	return !s.named(e.Tree, from) || !s.hold(e, from) || p.walk(e, from, i+1, visit)
}

// around are the nodes on one of the axes that lead to several elements around a node, in
// the order of the axis.
func (s *sourceStep) around(e *Evaluation, from source.Ref) (out []source.Ref) {
	t := e.Tree
	add := func(n source.Node) bool {
		if s.named(t, n.Ref()) {
			out = append(out, n.Ref())
		}
		return e.Budget.Step()
	}
	if from == 0 {
		return nil
	}
	if s.axis == Ancestor {
		for at := parentOf(t, from); at > 0 && add(at.Element()); at = parentOf(t, at) {
		}
		return out
	}
	if from < 0 {
		return nil // an attribute has no siblings
	}
	if s.axis == FollowingSibling {
		for n := t.NextSibling(from.Element()); n != 0 && add(n); n = t.NextSibling(n) {
		}
		return out
	}
	if parent := t.Parent(from.Element()); parent != 0 {
		for n := t.FirstChild(parent); n != from.Element() && add(n); n = t.NextSibling(n) {
		}
	}
	slices.Reverse(out)
	return out
}

// walkChildren takes a step for each child only where all of them may fit: looking
// for a name at few of them belongs to the step that led here.
func (p *SourcePath) walkChildren(e *Evaluation, from source.Ref, i int, visit visitor[source.Ref]) bool {
	s := &p.steps[i]
	for children := s.children(e.Tree, from); ; {
		c := children.next()
		switch {
		case c == 0:
			return true
		case s.any && !e.Budget.Step():
			return false
		case (!s.any || s.named(e.Tree, c.Ref())) && s.hold(e, c.Ref()) && !p.walk(e, c.Ref(), i+1, visit):
			return false
		}
	}
}

func (p *SourcePath) walkAttributes(e *Evaluation, from source.Ref, i int, visit visitor[source.Ref]) bool {
	s := &p.steps[i]
	first, end := attributesOf(e.Tree, from)
	for a := first; a < end; a++ {
		r := a.Ref()
		if !e.Budget.Step() || s.named(e.Tree, r) && s.hold(e, r) && !p.walk(e, r, i+1, visit) {
			return false
		}
	}
	return true
}

// attributesOf is the run of attributes of a node, from the first up to and
// without the other.
func attributesOf(t *source.Tree, r source.Ref) (first, end source.Attr) {
	if r <= 0 {
		return 0, 0
	}
	n := &t.Elements[r]
	return n.FirstAttr, n.FirstAttr + source.Attr(n.Attrs)
}

// attributesInside is the run of attributes of a run of elements: they are in document
// order, as the elements are.
func attributesInside(t *source.Tree, first, end source.Node) (from, to source.Attr) {
	before := func(n source.Node) source.Attr {
		i, _ := slices.BinarySearchFunc(t.Attributes, n, func(a source.Attribute, n source.Node) int { return int(a.Owner) - int(n) })
		return source.Attr(i)
	}
	return before(first), before(end)
}

// children goes through the elements inside a node that may fit a step: through
// few children one by one; those of an element with many are found by name.
type children struct {
	tree   *source.Tree
	step   *sourceStep
	at     source.Node
	walked int
	named  []source.Node
}

func (s *sourceStep) children(t *source.Tree, of source.Ref) children {
	c := children{tree: t, step: s}
	switch {
	case of == 0:
		c.at = t.Root()
	case of > 0:
		c.at = t.FirstChild(of.Element())
	}
	return c
}

// next is the next child that may fit, 0 after the last.
func (c *children) next() source.Node {
	if c.named != nil {
		return c.nextNamed()
	}
	if c.step.any || c.step.anyNode {
		n := c.at
		if n != 0 {
			c.at = c.tree.NextSibling(n)
		}
		return n
	}
	for n := c.at; n != 0; n = c.tree.NextSibling(n) {
		if c.walked++; c.walked > source.Few {
			c.named = c.tree.FollowingNamed(n, c.step.name)
			return c.nextNamed()
		}
		if c.tree.Name(n) == c.step.name {
			c.at = c.tree.NextSibling(n)
			return n
		}
	}
	c.at = 0
	return 0
}

func (c *children) nextNamed() source.Node {
	if len(c.named) == 0 {
		return 0
	}
	n := c.named[0]
	c.named = c.named[1:]
	return n
}

// walkDown visits, of everything below a node, what the steps with // and after
// it lead to.
func (p *SourcePath) walkDown(e *Evaluation, from source.Ref, visit visitor[source.Ref]) bool {
	if from < 0 {
		return true
	}
	last := p.sorted - 1
	s := &p.steps[last]
	first, end := inside(e.Tree, from)
	if s.axis == Attribute && from > 0 {
		first = from.Element() // its own attributes too
	}
	if s.axis == Child && !s.any {
		for _, n := range e.elementsInside(from, s.name) {
			if !e.Budget.Step() || !p.walkMatching(e, n.Ref(), from, visit) {
				return false
			}
		}
		return true
	}
	if s.axis == Attribute {
		for a, end := attributesInside(e.Tree, first, end); a < end; a++ {
			if !e.Budget.Step() || s.named(e.Tree, a.Ref()) && !p.walkMatching(e, a.Ref(), from, visit) {
				return false
			}
		}
		return true
	}
	for n := first; n < end; n++ {
		if !e.Budget.Step() || s.named(e.Tree, n.Ref()) && !p.walkMatching(e, n.Ref(), from, visit) {
			return false
		}
	}
	return true
}

// walkMatching goes on from a node whose name fits the last of these steps.
func (p *SourcePath) walkMatching(e *Evaluation, r, from source.Ref, visit visitor[source.Ref]) bool {
	m := match{p, e, from, p.down}
	return m.fromNamed(r, p.sorted-1) != selected || p.walk(e, r, p.sorted, visit)
}

// keptBy names what a step with positional predicates keeps: it is asked for
// again at every node that the step may lead to.
type keptBy struct {
	step *sourceStep
	from source.Ref
}

// keep is what the step leads to from one node, after its predicates.
func (s *sourceStep) keep(e *Evaluation, from source.Ref) []source.Ref {
	by := keptBy{s, from}
	if kept, known := e.kept[by]; known {
		return kept
	}
	kept := s.filter(e, s.candidates(e, from))
	if e.Budget.Stopped() {
		return nil
	}
	if e.kept == nil {
		e.kept = map[keptBy][]source.Ref{}
	}
	e.kept[by] = kept
	return kept
}

// candidates are the nodes that the step leads to by axis and name.
func (s *sourceStep) candidates(e *Evaluation, from source.Ref) []source.Ref {
	bare := sourceStep{axis: s.axis, anyNode: s.anyNode, any: s.any, name: s.name, fits: s.fits}
	path := SourcePath{steps: []sourceStep{bare}, down: 1, sorted: 1}
	var out []source.Ref
	path.walk(e, from, 0, func(_ *Evaluation, r source.Ref) bool { out = append(out, r); return true })
	return out
}

func visitAll[N any](e *Evaluation, nodes []N, visit visitor[N]) bool {
	for _, n := range nodes {
		if !e.Budget.Step() || !visit(e, n) {
			return false
		}
	}
	return true
}

// inDocumentOrder sorts nodes and keeps each once.
func inDocumentOrder(e *Evaluation, nodes []source.Ref) []source.Ref {
	e.Budget.Spend(int64(len(nodes)))
	slices.SortFunc(nodes, func(a, b source.Ref) int { return compareOrder(e.Tree, a, b) })
	return slices.Compact(nodes)
}

// compareOrder compares places in the document: an element is before its
// attributes, and these are before what is inside it.
func compareOrder(t *source.Tree, a, b source.Ref) int {
	if by := int(t.Owner(a)) - int(t.Owner(b)); by != 0 {
		return by
	}
	return max(0, -int(a)) - max(0, -int(b))
}
