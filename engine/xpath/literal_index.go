package xpath

import (
	"slices"

	"einvoice/model/source"
)

// Rules ask for the same elements with one literal after the other:
// //cac:TaxCategory[cbc:ID='S'], ='E', ='Z'. What they compare is looked at once a
// document, and each then finds the elements that have its literal.

// A comparedPath is what such paths share: the path without its last conditions, and
// what these compare first.
type comparedPath struct {
	base      *SourcePath
	comparand *comparand
}

// A literalIndex is what a comparedPath leads to in a document, with the texts that it
// compares there.
type literalIndex []comparedNode

type comparedNode struct {
	text string
	node source.Ref
}

// mostCompared is how many nodes an index may have, since it is searched from its
// beginning. Paths that lead to more are remembered each by itself.
const mostCompared = 32

// shareComparand finds what a path from the root shares with others, if it has
// conditions in its last step alone and the first compares with a literal.
func (p *SourcePath) shareComparand() {
	last := len(p.steps) - 1
	if !p.byName || p.steps[last].comparand == nil {
		return
	}
	key := ""
	for i := range p.steps {
		s := &p.steps[i]
		if s.any || s.anyNode || i < last && len(s.all) > 0 {
			return
		}
		if key += "/"; s.descendant {
			key += "/"
		}
		key += s.name.QName().String()
	}
	key += "[" + p.steps[last].comparand.text
	base := &SourcePath{absolute: true, steps: slices.Clone(p.steps)}
	base.steps[last].predicates = predicates[source.Ref]{}
	base.plan()
	p.compared, _ = sharedComparisons.of([]byte(key), func() (*comparedPath, error) { return &comparedPath{base, p.steps[last].comparand}, nil })
}

// visitCompared visits what a path leads to, out of the index that it shares with
// others. It is not done if the index is too large, or if the budget stopped it.
func (p *SourcePath) visitCompared(e *Evaluation, visit visitor[source.Ref]) (all, done bool) {
	index, ok := e.literalIndex(p.compared)
	if !ok {
		return false, false
	}
	last := p.last()
	for i := range index {
		if index[i].text != last.comparand.literal || slices.Contains(index[:i], index[i]) {
			continue
		}
		if !e.Budget.Step() || last.hold(e, index[i].node) && !visit(e, index[i].node) {
			return false, true
		}
	}
	return !e.Budget.Stopped(), true
}

// literalIndex is the index of a path in the document, made when it is asked for.
func (e *Evaluation) literalIndex(of *comparedPath) (index literalIndex, ok bool) {
	if known, ok := e.compared[of]; ok {
		return known, known != nil
	}
	if e.comparing { // a condition of another such path asks; its nodes are being gathered
		return nil, false
	}
	e.comparing = true
	first := len(e.comparedNodes)
	all := of.base.search(e, 0, func(e *Evaluation, r source.Ref) bool {
		before := len(e.texts)
		whole := of.comparand.push(e, r)
		for _, text := range e.texts[before:] {
			e.comparedNodes = append(e.comparedNodes, comparedNode{text, r})
		}
		e.texts = e.texts[:before]
		return whole && len(e.comparedNodes)-first <= mostCompared
	})
	e.comparing = false
	if e.Budget.Stopped() {
		return nil, false
	}
	index = literalIndex(e.comparedNodes[first:len(e.comparedNodes):len(e.comparedNodes)])
	if index == nil {
		index = literalIndex{}
	}
	if !all {
		index = nil
	}
	if e.compared == nil {
		e.compared = map[*comparedPath]literalIndex{}
	}
	e.compared[of] = index
	return index, index != nil
}
