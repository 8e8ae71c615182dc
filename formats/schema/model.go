package schema

import (
	"slices"

	"einvoice/model/source"
)

// unbounded stands for "n" in an occurrence.
const unbounded = -1

// A particle is a part of a content model as the data writes it.
type particle struct {
	min, max int
	group    byte // 's'equence, 'c'hoice, 0 for a leaf
	parts    []particle
	// Of a leaf: the element, or else the wildcard.
	element  *element
	wildcard *wildcard
}

// A wildcard allows any element, but for one namespace.
type wildcard struct {
	process process
	except  string // and elements without namespace, if this is not empty
}

// A model decides which child elements may follow one another. Each leaf of
// the particles is a position; a state says which positions may come next. No
// name can be at two of these, as the rules of XML Schema guarantee.
//
// Most models are plain sequences. Their next positions are neighbours, so a
// state needs no list of them.
type model struct {
	names     []source.Name // of the positions; NoName for a wildcard
	elements  []*element    // nil for a wildcard
	wildcards []*wildcard   // nil where there are none at all
	states    []state       // 0 is the beginning, i+1 is behind position i
	// next are the positions that the states' spans select from; nil in a
	// plain sequence, where they are the positions themselves.
	next []int32
}

// A state is a place between two child elements.
type state struct {
	from, to int32 // the span of what may come next
	final    bool  // nothing need come next
}

func (m *model) plain() bool { return m.next == nil }

// position is what the i-th place in a state's span stands for.
func (m *model) position(i int32) int {
	if m.next != nil {
		return int(m.next[i])
	}
	return int(i)
}

// find gives the position of a name among those that may come next, or -1.
func (m *model) find(at int, name source.Name, t *source.Tree) int {
	s := m.states[at]
	if m.next == nil && m.wildcards == nil {
		for i, n := range m.names[s.from:s.to] {
			if n == name {
				return int(s.from) + i
			}
		}
		return -1
	}
	for i := s.from; i < s.to; i++ {
		p := m.position(i)
		if m.names[p] == name || m.names[p] == source.NoName && m.wildcards[p].allows(t.NameOf(name)) {
			return p
		}
	}
	return -1
}

func (w *wildcard) allows(q source.QName) bool {
	return w.except == "" || q.URI != w.except && q.URI != ""
}

// mostPositions bounds a model, whose size can be the square of this.
const mostPositions = 1_000

// size gives how many positions particles make.
func size(parts []particle) int {
	n := 0
	for _, p := range parts {
		n += max(p.min, p.max, 1)
		if p.group != 0 {
			n += size(p.parts)
		}
	}
	return n
}

// compile makes a model of the particles in a sequence.
func compile(parts []particle) *model {
	m := &model{}
	nested := false
	for _, p := range parts {
		nested = nested || p.group != 0
	}
	if nested {
		c := compiler{m: m}
		c.finish(c.group(particle{min: 1, max: 1, group: 's', parts: parts}))
		return m
	}
	// A plain sequence: behind each position come itself if it repeats, and all
	// after it up to the first that is required.
	var required, repeats []bool
	for _, p := range parts {
		for i := range max(p.min, p.max, 1) {
			m.add(p)
			required = append(required, i < p.min)
			repeats = append(repeats, p.max == unbounded && i == max(p.min, 1)-1)
		}
	}
	n := len(m.names)
	m.states = make([]state, n+1)
	to := n
	final := true
	for i := n; i >= 0; i-- {
		if i < n && required[i] {
			to, final = i+1, false
		}
		from := i
		if i > 0 && repeats[i-1] {
			from = i - 1
		}
		m.states[i] = state{from: int32(from), to: int32(to), final: final}
	}
	return m
}

// add makes a position of a leaf.
func (m *model) add(p particle) int {
	name := source.NoName
	if p.element != nil {
		name = p.element.name
	}
	m.names = append(m.names, name)
	m.elements = append(m.elements, p.element)
	if p.wildcard != nil || m.wildcards != nil {
		for len(m.wildcards) < len(m.names) {
			m.wildcards = append(m.wildcards, nil)
		}
		m.wildcards[len(m.names)-1] = p.wildcard
	}
	return len(m.names) - 1
}

// A compiler builds the model of nested groups by the construction of Glushkov.
type compiler struct {
	m      *model
	follow [][]int32 // by position
}

// A part is what the construction knows of a particle.
type part struct {
	empty       bool    // it may be left out
	first, last []int32 // positions it may begin and end with
}

func (c *compiler) group(p particle) part {
	var out part
	switch p.group {
	case 's':
		out = part{empty: true}
		for _, inner := range p.parts {
			next := c.repeat(inner)
			c.join(out.last, next.first)
			if out.empty {
				out.first = append(out.first, next.first...)
			}
			if !next.empty {
				out.last = nil
			}
			out.last = append(out.last, next.last...)
			out.empty = out.empty && next.empty
		}
	case 'c':
		for _, inner := range p.parts {
			next := c.repeat(inner)
			out.first = append(out.first, next.first...)
			out.last = append(out.last, next.last...)
			out.empty = out.empty || next.empty
		}
	default:
		at := int32(c.m.add(p))
		c.follow = append(c.follow, nil)
		out = part{first: []int32{at}, last: []int32{at}}
	}
	return out
}

// repeat applies the occurrence of a particle. An element that may occur a
// certain number of times is written out that often.
func (c *compiler) repeat(p particle) part {
	if copies := max(p.min, p.max); copies > 1 {
		all := particle{group: 's'}
		for i := range copies {
			one := p
			one.min, one.max = min(max(p.min-i, 0), 1), 1
			if p.max == unbounded && i == copies-1 {
				one.max = unbounded
			}
			all.parts = append(all.parts, one)
		}
		return c.group(all)
	}
	out := c.group(p)
	if p.max == unbounded {
		c.join(out.last, out.first)
	}
	out.empty = out.empty || p.min == 0
	return out
}

func (c *compiler) join(from, to []int32) {
	for _, f := range from {
		for _, t := range to {
			if !slices.Contains(c.follow[f], t) {
				c.follow[f] = append(c.follow[f], t)
			}
		}
	}
}

func (c *compiler) finish(all part) {
	c.m.next = []int32{}
	behind := func(next []int32, final bool) {
		from := len(c.m.next)
		c.m.next = append(c.m.next, next...)
		c.m.states = append(c.m.states, state{from: int32(from), to: int32(len(c.m.next)), final: final})
	}
	behind(all.first, all.empty)
	for i, next := range c.follow {
		behind(next, slices.Contains(all.last, int32(i)))
	}
}
