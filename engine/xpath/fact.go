package xpath

import (
	"slices"

	"einvoice/model/source"
)

// What needs ask of a document are facts: that there is something on a route, or of a name,
// or that something of a name says a text. A document is surveyed once, before its walk, and
// then has the answer to each in a set of bits.

// A fact is a bit of the set: the number of a route, a name or a text, and what is asked of it.
type fact int32

func factOf(kind factKind, number int32) fact { return fact(number<<2 | int32(kind)) }

type factKind uint8

const (
	onRoute        factKind = iota // something is there
	elementNamed                   // somewhere
	attributeNamed                 // somewhere
	saysText                       // by the number in texts; 0 for nothing but white space
)

// A bitset is a set of small numbers.
type bitset []uint64

func (b bitset) has(i int) bool { return i>>6 < len(b) && b[i>>6]>>(i&63)&1 != 0 }

// add adds a number, and reports whether it is new.
func (b *bitset) add(i int) bool {
	if i>>6 >= len(*b) {
		b.grow(i)
	}
	word, bit := &(*b)[i>>6], uint64(1)<<(i&63)
	isNew := *word&bit == 0
	*word |= bit
	return isNew
}

func (b *bitset) grow(i int) {
	for i>>6 >= len(*b) {
		*b = append(*b, 0)
	}
}

// texts are those that needs ask for, by the names of what says them. They are replaced
// when further ones are asked for, and never changed.
type texts struct {
	of    [2]map[source.Name]map[string]int32 // by target; the numbers of the texts
	asked [2]bitset                           // names that have any
	count int32                               // of the numbers, with that for nothing
}

// number is the number of a text, which is added if it is new.
func (d *Dispatcher[T]) textNumber(name source.Name, target int, text string) int32 {
	known := d.texts.Load()
	if known != nil {
		if number, ok := known.of[target][name][text]; ok {
			return number
		}
	}
	next := &texts{count: 1}
	if known != nil {
		next.count = known.count
	}
	for i := range next.of {
		next.of[i] = map[source.Name]map[string]int32{}
		if known != nil {
			next.asked[i] = slices.Clone(known.asked[i])
			for n, said := range known.of[i] {
				next.of[i][n] = said
			}
		}
	}
	said := map[string]int32{text: next.count}
	for t, number := range next.of[target][name] {
		said[t] = number
	}
	next.of[target][name] = said
	next.asked[target].add(int(name))
	next.count++
	d.texts.Store(next)
	return next.count - 1
}

// A survey is what a document has.
type survey struct {
	routes, ofAttributes []uint16 // the numbers of their routes, by element and attribute
	facts                bitset
	texts                *texts // that were looked for; nil for none
	interned             int    // names, when it was made

	// follows has the step that was taken last after each route, as a routeTable has it.
	// Documents name the same things one after another, so that the next step is most often
	// this one, and the steps lie together in memory. of is the dispatcher that numbered them.
	follows []uint64
	before  uint16 // the route of what was surveyed last
	of      any
}

// survey goes through a document once.
func (d *Dispatcher[T]) survey(e *Evaluation) {
	s, t := &e.survey, e.Tree
	clear(s.facts)
	s.texts, s.interned = d.texts.Load(), source.Count()
	s.routes = slices.Grow(s.routes[:0], len(t.Elements))[:len(t.Elements)]
	s.ofAttributes = s.ofAttributes[:0]
	s.routes[0] = 0
	s.begin(d, len(*d.routes.Load()))
	nothing := false
	for n := 1; n < len(t.Elements); n++ {
		element := &t.Elements[n]
		name := t.Interned(element.Name)
		r := d.step(s, s.routes[element.Parent], name, false)
		leaf := int(element.End) == n+1
		nothing = nothing || leaf && isBlank(t.Text(source.Node(n)))
		s.routes[n] = r
		s.note(r, name, elementNamed)
		if s.texts != nil && s.texts.asked[ofElement].has(int(name)) {
			said := s.texts.of[ofElement][name]
			if leaf {
				s.noteText(said, t.Text(source.Node(n)))
			} else { // together, the texts inside may say anything
				for _, number := range said {
					s.facts.add(int(factOf(saysText, number)))
				}
			}
		}
		for a := element.FirstAttr; a < element.FirstAttr+source.Attr(element.Attrs); a++ {
			attribute := &t.Attributes[a]
			nothing = nothing || isBlank(attribute.Value)
			name := t.Interned(attribute.Name)
			below := d.step(s, r, name, true)
			s.ofAttributes = append(s.ofAttributes, below)
			s.note(below, name, attributeNamed)
			if s.texts != nil && s.texts.asked[ofAttribute].has(int(name)) {
				s.noteText(s.texts.of[ofAttribute][name], attribute.Value)
			}
		}
	}
	if nothing {
		s.facts.add(int(factOf(saysText, 0)))
	}
}

// begin prepares for a document of a dispatcher that knows some routes.
func (s *survey) begin(d any, routes int) {
	if s.of != d {
		clear(s.follows)
		s.of = d
	}
	if more := routes - len(s.follows); more > 0 {
		s.follows = append(s.follows, make([]uint64, more)...)
	}
	s.before = 0
}

// step is numberBelow for the next element or attribute of a survey.
func (d *Dispatcher[T]) step(s *survey, up uint16, name source.Name, attribute bool) (number uint16) {
	if up == noRoute {
		return noRoute
	}
	step := routeStep(up, name, attribute)
	guess := &s.follows[0]
	if int(s.before) < len(s.follows) {
		guess = &s.follows[s.before]
	}
	if *guess>>bitsOfRoute == step {
		number = uint16(*guess & (mostRoutes - 1))
	} else if number = d.numberBelow(up, name, attribute); number != noRoute {
		*guess = step<<bitsOfRoute | uint64(number)
	}
	s.before = number
	return number
}

// note notes that there is something on a route, of a name.
func (s *survey) note(number uint16, name source.Name, kind factKind) {
	if number != noRoute && !s.facts.add(int(factOf(onRoute, int32(number)))) {
		return
	}
	if name.Known() {
		s.facts.add(int(factOf(kind, int32(name))))
	}
}

func (s *survey) noteText(said map[string]int32, text string) {
	if number, ok := said[NormalizeSpace(text)]; ok {
		s.facts.add(int(factOf(saysText, number)))
	}
}

// isBlank reports whether a text has nothing but white space.
func isBlank(s string) bool { return s == "" || s[0] <= ' ' && NormalizeSpace(s) == "" }

// A terms is a need at a route, in facts: a tree of all and any with bits of a mask as its
// leaves. nil is true.
type terms struct {
	op   needOp // needNever, needAll, needAny, or needPath for a bit
	args []*terms
	bit  int
}

// A resolver finds the facts that needs at a route ask for.
type resolver[T any] struct {
	d     *Dispatcher[T]
	at    *route[T]
	facts []fact
}

// mostFacts is how many facts the needs at one route may ask for; what asks for more is
// asked always.
const mostFacts = 64

// bit is the term of a fact.
func (r *resolver[T]) bit(kind factKind, number int32) *terms {
	f := factOf(kind, number)
	i := slices.Index(r.facts, f)
	if i < 0 {
		if len(r.facts) == mostFacts {
			return nil
		}
		i, r.facts = len(r.facts), append(r.facts, f)
	}
	return &terms{op: needPath, bit: i}
}

var neverTerms = &terms{op: needNever}

func truth(is bool) *terms {
	if is {
		return nil
	}
	return neverTerms
}

// A spot is where a path has led to: a route, or somewhere.
type spot[T any] struct {
	route     *route[T] // nil for somewhere
	name      source.Name
	attribute bool
}

func spotOf[T any](r *route[T]) spot[T] { return spot[T]{r, r.name, r.attribute} }

// resolve is what a need at a spot asks for.
func (r *resolver[T]) resolve(n *Need, at spot[T]) *terms {
	if n == nil {
		return nil
	}
	switch n.op {
	case needNever:
		return neverTerms
	case needAll, needAny:
		out := &terms{op: n.op}
		for _, arg := range n.args {
			a := r.resolve(arg, at)
			switch {
			case a == nil && n.op == needAny:
				return nil
			case a == neverTerms && n.op == needAll:
				return neverTerms
			case a != nil && a != neverTerms:
				out.args = append(out.args, a)
			}
		}
		if len(out.args) == 0 {
			return truth(n.op == needAll)
		}
		return out
	case needPath:
		return r.path(n, at)
	}
	if n.op == needEmpty {
		return r.bit(saysText, 0)
	}
	if at.route == nil || at.route.foreign {
		return nil
	}
	switch n.op {
	case needNamed:
		return truth(at.name.String() == n.name)
	case needNotNamed:
		return truth(at.name.String() != n.name)
	}
	for up := at.route.up; up != r.d.top(); up = up.up {
		if up.name.String() == n.name {
			return truth(n.op == needInside)
		}
	}
	return truth(n.op == needOutside)
}

// path is what a path asks for that must lead to something.
func (r *resolver[T]) path(n *Need, at spot[T]) *terms {
	if n.path.Absolute {
		at = spotOf(r.d.top())
	}
	all := &terms{op: needAll}
	ask := func(t *terms) bool {
		if t != nil {
			all.args = append(all.args, t)
		}
		return t != neverTerms
	}
	for i := range n.path.Steps {
		step := &n.path.Steps[i]
		var asked *terms
		if asked, at = r.step(step, at); !ask(asked) {
			return neverTerms
		}
		for p := range step.Predicates {
			if !ask(r.resolve(step.Predicates[p].need(), at)) {
				return neverTerms
			}
		}
	}
	if n.literal != "" && at.name.Known() {
		target := ofElement
		if at.attribute {
			target = ofAttribute
		}
		ask(r.bit(saysText, r.d.textNumber(at.name, target, n.literal)))
	}
	if len(all.args) == 0 {
		return nil
	}
	return all
}

// step is where a step leads, and what must be there.
func (r *resolver[T]) step(step *Step, at spot[T]) (*terms, spot[T]) {
	somewhere := spot[T]{attribute: step.Axis == Attribute}
	var name source.Name
	wild := step.Name == anyNode || step.Name[len(step.Name)-1] == '*'
	if !wild {
		q, err := source.ParseQName(step.Name)
		if err != nil {
			return nil, somewhere
		}
		name = source.Intern(q)[0]
	}
	switch {
	case step.Axis == Self:
		if !wild && at.route != nil && !at.route.foreign && at.name != name {
			return neverTerms, at
		}
		return nil, at
	case step.Axis == Parent:
		if at.route == nil || at.route.up == nil {
			return nil, somewhere
		}
		at = spotOf(at.route.up)
		if !wild && at.name != name && at.name.Known() {
			return neverTerms, at
		}
		return nil, at
	case step.Axis != Child && step.Axis != Attribute: // beside or around it
		return nil, spot[T]{}
	case wild:
		if at.route == r.d.top() && step.Axis == Child && !step.Descendant && step.Name == "*" {
			return nil, spotOf(r.d.documentElement(r.at))
		}
		return nil, somewhere
	}
	target, kind := ofElement, elementNamed
	if step.Axis == Attribute {
		target, kind = ofAttribute, attributeNamed
	}
	somewhere.name = name
	if at.route == nil || step.Descendant {
		return r.bit(kind, int32(name)), somewhere
	}
	if at.route == r.d.top() {
		if element := r.d.documentElement(r.at); element.name.Known() {
			return truth(element.name == name && target == ofElement), spotOf(element)
		}
		return nil, somewhere
	}
	there := r.d.routeBelow(at.route, name, target == ofAttribute)
	if there == nil {
		return r.bit(kind, int32(name)), somewhere
	}
	return r.bit(onRoute, there.number), spotOf(there)
}
