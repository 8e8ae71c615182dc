package schema

import (
	"einvoice/model/source"
)

// unbounded is the maximum that the data writes as "n".
const unbounded = -1

// A particle is a part of a content model as the data writes it: an element, a
// wildcard, or a model group of other particles.
type particle struct {
	min, max  int
	group     groupKind
	particles []particle // of a group
	// Without a group, either element or wildcard is set.
	element  *elementDecl
	wildcard *wildcard
}

// A groupKind is a kind of model group.
type groupKind uint8

const (
	noGroup groupKind = iota
	sequence
	choice
)

// A wildcard allows any element, or any except those of one namespace.
type wildcard struct {
	process processContents
	// except is the namespace that is not allowed. If it is set, elements without a
	// namespace are not allowed either.
	except string
}

// A contentModel decides which child elements may follow each other. Each element
// and each wildcard of the particles is a position, and a state is a set of
// positions that may come next. XML Schema guarantees that no name is at two
// positions of one state.
//
// Most content models are plain: a sequence without groups in it. The positions of
// each of their states are neighbours, so that a state needs no list of them.
type contentModel struct {
	states []state // 0 is the initial state, i+1 is that after position i
	// next are the positions of all states, of which each state has a range. It is nil
	// in a plain model, in which the range itself is the positions.
	next      []int32
	wildcards []*wildcard   // by position; nil as a whole if there are none
	names     []source.Name // by position, for messages
}

// A state is a position and what may come next after it. Both are asked for one after the
// other, so they lie together.
type state struct {
	element  *elementDecl // at the position; nil for a wildcard
	name     source.Name  // of the element; NoName for a wildcard
	from, to int32        // the range of the positions that may come next
	final    bool         // the content is complete
}

// element is the element at a position; nil for a wildcard.
func (m *contentModel) element(at int) *elementDecl { return m.states[at+1].element }

func (m *contentModel) plain() bool { return m.next == nil }

// position is the position at index i of a state's range.
func (m *contentModel) position(i int32) int {
	if m.next != nil {
		return int(m.next[i])
	}
	return int(i)
}

// find returns the position of a name among those that may come next in a state, or
// -1.
func (m *contentModel) find(at int, name source.Name, t *source.Tree) int {
	s := &m.states[at]
	if m.next == nil {
		next := m.states[s.from+1 : s.to+1]
		for i := range next {
			if next[i].name == name {
				return int(s.from) + i
			}
		}
		if m.wildcards == nil {
			return -1
		}
	}
	for i := s.from; i < s.to; i++ {
		p := m.position(i)
		if have := m.states[p+1].name; have == name || have == source.NoName && m.wildcards[p].allows(t.NameOf(name)) {
			return p
		}
	}
	return -1
}

func (w *wildcard) allows(q source.QName) bool {
	return w.except == "" || q.URI != w.except && q.URI != ""
}

// maxPositions bounds a content model, whose memory can be the square of it.
const maxPositions = 1_000

// size is how many positions particles make.
func size(particles []particle) int {
	n := 0
	for _, p := range particles {
		n += max(p.min, p.max, 1)
		n += size(p.particles)
	}
	return n
}

// newContentModel makes the content model of the particles of a sequence.
func newContentModel(particles []particle) *contentModel {
	for _, p := range particles {
		if p.group != noGroup {
			g := glushkov{model: &contentModel{states: make([]state, 1, size(particles)+1)}}
			g.finish(g.group(particle{min: 1, max: 1, group: sequence, particles: particles}))
			return g.model
		}
	}
	return newPlainModel(particles)
}

// newPlainModel makes the content model of a sequence without groups. After each
// position come the position itself if it repeats, and all positions after it up to
// the first required one.
func newPlainModel(particles []particle) *contentModel {
	m := &contentModel{states: make([]state, 1, size(particles)+1)}
	var required, repeats []bool
	for _, p := range particles {
		for i := range max(p.min, p.max, 1) {
			m.add(p)
			required = append(required, i < p.min)
			repeats = append(repeats, p.max == unbounded && i == max(p.min, 1)-1)
		}
	}
	n := len(m.names)
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
		m.states[i].leadsTo(from, to, final)
	}
	return m
}

// leadsTo sets what may come next after a state.
func (s *state) leadsTo(from, to int, final bool) {
	s.from, s.to, s.final = int32(from), int32(to), final
}

// add adds the position of an element or a wildcard.
func (m *contentModel) add(p particle) int {
	name := source.NoName
	if p.element != nil {
		name = p.element.name
	}
	m.names = append(m.names, name)
	m.states = append(m.states, state{element: p.element, name: name})
	if p.wildcard != nil || m.wildcards != nil {
		for len(m.wildcards) < len(m.names) {
			m.wildcards = append(m.wildcards, nil)
		}
		m.wildcards[len(m.names)-1] = p.wildcard
	}
	return len(m.names) - 1
}
