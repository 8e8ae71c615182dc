// Package xpath is the XPath of rules: a strict grammar, and the selection of
// nodes over the normalized invoice and over the source document.
//
//	u, err := xpath.Parse("/invoice/lines[vat/categoryCode='E']")
//	selection, err := xpath.OverModel(u)
//	lines := selection.Select(model.ObjectOf(invoice), budget, nil)
//
// Over the source document a path either leads from an element to others
// (SourcePath.Each), or a Dispatcher of many paths finds, in one walk over the
// document, which of them select each node.
//
// The package knows no rules. Whatever walks over a document asks the budget of
// its evaluation and ends when that has stopped; the caller looks at the budget
// afterwards.
package xpath
