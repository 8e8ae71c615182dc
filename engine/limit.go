package engine

import (
	"einvoice/model"
)

// How many steps one rule may take on one document, over all nodes that it is
// asked about: enough for what a rule may well do with each element, and not for
// looking at all of them from each of them. The rules that are shipped take five
// steps an element at most, on any document.
const (
	baseSteps       = 3_000_000
	stepsPerElement = 20
	// elementsPerGroup is how many elements a group of an invoice counts for that
	// came without a document.
	elementsPerGroup = 10
)

// maxSteps is the limit for a document.
func maxSteps(doc *model.Document) int64 {
	if doc.Source != nil {
		return baseSteps + stepsPerElement*int64(len(doc.Source.Elements))
	}
	return baseSteps + stepsPerElement*elementsPerGroup*groupsIn(model.ObjectOf(doc.Invoice))
}

// groupsIn counts the groups of lists inside a group.
func groupsIn(o model.Object) (count int64) {
	for i := range o.Type.Fields {
		switch f := &o.Type.Fields[i]; f.Kind {
		case model.KindGroup:
			if g := o.Group(f); g.Present() {
				count += groupsIn(g)
			}
		case model.KindList:
			list := o.List(f)
			for i := range list.Len() {
				count += 1 + groupsIn(list.At(i))
			}
		}
	}
	return count
}
