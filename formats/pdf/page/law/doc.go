// Package law has what the law of a country wants invoices to say: a file of each country, with
// the condition, the sentence, the clause and where it can be read.
package law
