package xpath

import (
	"slices"

	"einvoice/model/source"
)

// Matches reports whether an absolute path that only goes down selects a node.
func (p *SourcePath) Matches(e *Evaluation, r source.Ref) bool {
	return p.last().named(e.Tree, r) && p.matchesNamed(e, r)
}

// matchesNamed is Matches for a node whose name fits the last step.
func (p *SourcePath) matchesNamed(e *Evaluation, r source.Ref) bool {
	if last := p.last(); last.descendant && len(p.steps) == 1 && !last.positional {
		return e.Budget.Step() && last.hold(e, r)
	}
	m := match{path: p, e: e}
	return m.fromNamed(r, len(p.steps)-1) == selected
}

// A match looks upwards whether steps of a path lead from a node above to
// another.
type match struct {
	path  *SourcePath
	e     *Evaluation
	from  source.Ref
	first int // the first of the steps
}

// An outcome says whether steps lead to a node.
type outcome uint8

const (
	// differs: the node, or one of those around it that are tied to it by /, does
	// not fit.
	differs outcome = iota
	// hopeless: these fit, and what must be further up is not there. A node
	// further up that fits in their place has even less above it, so that nothing
	// needs to be tried again: with k steps after //, this takes as many steps as
	// the document is deep, and not their k-th power.
	hopeless
	selected
)

// upTo decides about a node and the steps up to i.
func (m *match) upTo(r source.Ref, i int) outcome {
	if !m.path.steps[i].named(m.e.Tree, r) {
		return differs
	}
	return m.fromNamed(r, i)
}

// fromNamed is upTo for a node whose name fits the step.
func (m *match) fromNamed(r source.Ref, i int) outcome {
	if !m.e.Budget.Step() {
		return hopeless
	}
	s := &m.path.steps[i]
	above := parentOf(m.e.Tree, r)
	if !s.descendant && (i == m.first) != (above == m.from) || !s.keeps(m.e, r) {
		return differs
	}
	switch {
	case i == m.first:
		return selected
	case !s.descendant:
		return m.upTo(above, i-1)
	}
	for ; above != m.from && m.e.Budget.Step(); above = parentOf(m.e.Tree, above) {
		if found := m.upTo(above, i-1); found != differs {
			return found
		}
	}
	return hopeless
}

// keeps reports whether the predicates of the step keep a node that it leads to.
func (s *sourceStep) keeps(e *Evaluation, r source.Ref) bool {
	if !s.positional {
		return s.hold(e, r)
	}
	kept := s.keep(e, parentOf(e.Tree, r))
	_, found := slices.BinarySearchFunc(kept, r, func(a, b source.Ref) int { return compareOrder(e.Tree, a, b) })
	return found
}
