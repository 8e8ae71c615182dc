// Package madepages makes pages of invoices in many layouts and seven languages, with
// what is printed on them, to measure how well package parse reads. The layouts are
// data (families.yaml), and so are the words (words.yaml). The same seed gives the same
// pages.
//
//	made := madepages.Make(madepages.Families()[0], "de", 1)
package madepages
