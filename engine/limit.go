package engine

import (
	"einvoice/model"
)

// One rule may take this many steps on one document, counted over all nodes that
// it is evaluated for. That is enough to look at each element several times, and
// too few to look at all elements from each element. Most shipped rules take at
// most five steps for each element, however long the document is; docs/security.md
// names those that do not.
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
