// Package compute fills in what follows from the rest of an invoice: the amounts
// of lines, allowances and charges, the VAT breakdown, the totals.
//
//	compute.Complete(invoice, compute.Options{})
//
// Only what is absent is computed. What is there stays as it is, and what is
// computed from it builds on it, so that a rule finds one wrong amount once
// instead of the package hiding it. VAT is computed per category and rate: the
// amounts of a group are added up, the rate applied once, the result rounded
// once, to two digits, halves away from zero. There is no floating point.
package compute
