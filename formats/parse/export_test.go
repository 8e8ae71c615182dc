package parse

import (
	"einvoice/formats/parse/candidate"
	"einvoice/formats/parse/ranker"
)

// What tests of other packages see of the scorer.

// FeaturesOf are the features of a value.
func FeaturesOf(f *Field) []float64 { return f.features }

// GroupOf is the group of a field; empty where it has none.
func GroupOf(pointer string) string { return groupOf(pointer) }

// Logistic is the probability that weights give to features.
func Logistic(weights, features []float64) float64 { return logistic(weights, features) }

// WithoutChain are limits with which totals are read by their labels alone.
func WithoutChain() Limits { return Limits{withoutChain: true} }

// WithoutRepair are limits with which wrongly recognised numbers are not set right.
func WithoutRepair() Limits { return Limits{withoutRepair: true} }

// RawConfidence is what the rules say of a value.
func RawConfidence(f *Field) float64 { return f.raw }

// SetRanker exchanges what ranks values.
func SetRanker(m *ranker.Model) { rankerOf = func() *ranker.Model { return m } }

// PagesOf are the pages of a PDF, laid out.
func PagesOf(data []byte) (*candidate.Pages, error) {
	sheets, err := readSheets(data, Limits{}.withDefaults())
	return candidate.Of(sheets), err
}
