// Package lexicon has the words that invoices are written with (lexicon.yaml): labels in
// many languages, names of units, currencies, countries and months, and the shapes of
// identifiers.
package lexicon
