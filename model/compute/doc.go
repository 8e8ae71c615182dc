// Package compute computes the amounts that follow from the rest of an invoice: those of
// lines, allowances and charges, the VAT breakdown, and the totals.
//
//	compute.Complete(invoice, compute.Options{})
//
// Only absent terms are computed. Terms that are present are not changed, and others
// are computed from them. A wrong amount is therefore not hidden, and a rule reports it
// once. VAT is computed per category and rate: the amounts with the same category and
// rate are added, the rate is applied once, and the result is rounded once, to two
// digits, with halves away from zero. There is no floating point.
package compute
