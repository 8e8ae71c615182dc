package xpath

import "einvoice/model/source"

// Most paths of rules are names alone: children of children, perhaps an attribute at the end.
// These are followed without looking at what other paths can have.

// A bareStep is a step that is a name alone.
type bareStep struct {
	name      source.Name
	attribute bool
}

// bareSteps are those of a plain path without conditions; nil for others.
func (p *SourcePath) bareSteps() []bareStep {
	if !p.plain {
		return nil
	}
	bare := make([]bareStep, len(p.steps))
	for i := range p.steps {
		s := &p.steps[i]
		if s.any || len(s.all) > 0 || s.axis == Attribute && i < len(p.steps)-1 {
			return nil
		}
		bare[i] = bareStep{s.name, s.axis == Attribute}
	}
	return bare
}

// eachBare visits what the steps from i on lead to from an element, until visit returns
// false or the budget stops it. Among many children, those of the name are found in an
// index.
func (p *SourcePath) eachBare(e *Evaluation, from source.Node, i int, visit visitor[source.Ref]) bool {
	if !e.Budget.Step() {
		return false
	}
	t, s, last := e.Tree, p.bare[i], i == len(p.bare)-1
	if s.attribute {
		if a, ok := t.Attr(from, s.name); ok {
			return visit(e, a.Ref())
		}
		return true
	}
	end := t.Elements[from].End
	walked := 0
	for c := from + 1; c < end; c = t.Elements[c].End {
		if walked++; walked > source.Few {
			return p.eachNamed(e, t.FollowingNamed(c, s.name), i, visit)
		}
		if t.Name(c) != s.name {
			continue
		}
		if last && (!e.Budget.Step() || !visit(e, c.Ref())) || !last && !p.eachBare(e, c, i+1, visit) {
			return false
		}
	}
	return true
}

// eachNamed is the rest of eachBare where the children of the name are known.
func (p *SourcePath) eachNamed(e *Evaluation, named []source.Node, i int, visit visitor[source.Ref]) bool {
	last := i == len(p.bare)-1
	for _, c := range named {
		if last && (!e.Budget.Step() || !visit(e, c.Ref())) || !last && !p.eachBare(e, c, i+1, visit) {
			return false
		}
	}
	return true
}

// firstBare is the first that eachBare would visit.
func (p *SourcePath) firstBare(e *Evaluation, from source.Node, i int) (r source.Ref, ok bool) {
	if !e.Budget.Step() {
		return 0, false
	}
	t, s, last := e.Tree, p.bare[i], i == len(p.bare)-1
	if s.attribute {
		a, ok := t.Attr(from, s.name)
		return a.Ref(), ok
	}
	end := t.Elements[from].End
	walked := 0
	for c := from + 1; c < end; c = t.Elements[c].End {
		if walked++; walked > source.Few {
			e.first = 0
			none := p.eachNamed(e, t.FollowingNamed(c, s.name), i, keepFirst)
			return e.first, !none && !e.Budget.Stopped()
		}
		if t.Name(c) != s.name {
			continue
		}
		if last {
			return c.Ref(), true
		}
		if r, ok := p.firstBare(e, c, i+1); ok || e.Budget.Stopped() {
			return r, ok
		}
	}
	return 0, false
}
