package schema

import "slices"

// A glushkov makes the content model of nested model groups by Glushkov's
// construction: it computes for each position which positions can follow it.
type glushkov struct {
	model  *contentModel
	follow [][]int32 // by position
}

// A fragment is what the construction computes for a particle.
type fragment struct {
	nullable    bool    // the particle can match nothing
	first, last []int32 // the positions that it can begin and end with
}

func (g *glushkov) group(p particle) fragment {
	var out fragment
	switch p.group {
	case sequence:
		out.nullable = true
		for _, inner := range p.particles {
			next := g.repeat(inner)
			g.join(out.last, next.first)
			if out.nullable {
				out.first = append(out.first, next.first...)
			}
			if !next.nullable {
				out.last = nil
			}
			out.last = append(out.last, next.last...)
			out.nullable = out.nullable && next.nullable
		}
	case choice:
		for _, inner := range p.particles {
			next := g.repeat(inner)
			out.first = append(out.first, next.first...)
			out.last = append(out.last, next.last...)
			out.nullable = out.nullable || next.nullable
		}
	default:
		position := int32(g.model.add(p))
		g.follow = append(g.follow, nil)
		out = fragment{first: []int32{position}, last: []int32{position}}
	}
	return out
}

// repeat applies the occurrence of a particle. An element that can occur up to a
// certain number of times becomes a sequence of as many copies.
func (g *glushkov) repeat(p particle) fragment {
	if copies := max(p.min, p.max); copies > 1 {
		all := particle{group: sequence}
		for i := range copies {
			one := p
			one.min, one.max = min(max(p.min-i, 0), 1), 1
			if p.max == unbounded && i == copies-1 {
				one.max = unbounded
			}
			all.particles = append(all.particles, one)
		}
		return g.group(all)
	}
	out := g.group(p)
	if p.max == unbounded {
		g.join(out.last, out.first)
	}
	out.nullable = out.nullable || p.min == 0
	return out
}

// join lets every position in to follow every position in from.
func (g *glushkov) join(from, to []int32) {
	for _, f := range from {
		for _, t := range to {
			if !slices.Contains(g.follow[f], t) {
				g.follow[f] = append(g.follow[f], t)
			}
		}
	}
}

// finish makes the states of the content model: the initial one, and one after each
// position.
func (g *glushkov) finish(all fragment) {
	g.model.next = []int32{}
	leadTo := func(state int, next []int32, final bool) {
		from := len(g.model.next)
		g.model.next = append(g.model.next, next...)
		g.model.states[state].leadsTo(from, len(g.model.next), final)
	}
	leadTo(0, all.first, all.nullable)
	for position, next := range g.follow {
		leadTo(position+1, next, slices.Contains(all.last, int32(position)))
	}
}
