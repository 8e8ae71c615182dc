// Package inspect collects the facts about a PDF that rules ask for: what it claims
// to be, how the invoice is attached, what it has that PDF/A forbids, and what its
// pages show.
//
//	container, err := pdf.Open(data, pdf.Limits{})
//	invoice, err := container.Invoice()
//	facts, err := inspect.Container(ctx, container, invoice)
//	fmt.Println(facts.Claim.Part.Raw, facts.InvoiceFile.Relationship.Raw, len(facts.Pages))
//
// Nothing is decided here: whether a fact is a fault is the matter of the rules in
// rulesets/container.
package inspect
