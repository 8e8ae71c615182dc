// Package xpath is the XPath of rules: XPath 1.0, as far as rules have it, over the
// normalized invoice and over the source document (docs/adr/0033-xpath.md).
//
//	u, err := xpath.Parse("/invoice/lines[vat/categoryCode = 'E']")
//	selection, err := xpath.OverModel(u)
//	evaluation := new(xpath.Evaluation)
//	evaluation.Begin(document.Source, budget)
//	lines := selection.Select(evaluation, model.ObjectOf(document.Invoice), nil)
//	err = budget.Err()
//
// Over the source document a path either leads from an element to others
// (SourcePath.Each), or a Dispatcher of many paths finds, in one walk over the
// document, which of them select each node. An Expression is any XPath 1.0, for
// people who try out what they write.
//
// The package knows no rules. Whatever walks over nodes spends from the budget of
// its evaluation and ends when that has stopped; what it returns is worth nothing
// then, so that the caller looks at the budget afterwards.
package xpath
