// Package ranker is a second opinion on what the fields of an invoice are: for each printed day,
// amount, number and name it says how well it fits a field, by the words, labels and places around
// it. A logistic regression does that, whose weights were learned from pages (model.yaml). It knows
// nothing of what the rules of the other packages chose, so that the two seldom make one mistake. Where they find nothing,
// its candidate may be taken.
package ranker
