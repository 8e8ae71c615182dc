package candidate

import (
	"slices"

	"einvoice/formats/parse/lexicon"
)

// OtherReadings are the values of a number with what its words were read as another time.
func (d *Pages) OtherReadings(n *Number) (values []int64) {
	for i, w := range n.Words {
		if w.Other == "" {
			continue
		}
		changed := *w
		changed.Text = w.Other
		of := slices.Clone(n.Words)
		of[i] = &changed
		if other, used := d.Notation.At(of); used == len(of) && other.Value != n.Value && other.Percent == n.Percent {
			values = append(values, other.Value)
		}
	}
	return values
}

// LikeValues are the values that a number has with one digit exchanged for one that looks
// alike.
func LikeValues(n *Number) (values []int64) {
	return WithDigits(n, func(digit int64) []int64 { return lexicon.Words().LikeDigits[digit] })
}

// WithDigits are the values that a number has with one of its digits exchanged.
func WithDigits(n *Number, others func(digit int64) []int64) (values []int64) {
	unit := int64(UnitsPerOne) // what one of the last digit counts
	for range n.Decimals {
		unit /= 10
	}
	for rest := Abs(n.Value) / unit; rest > 0; rest /= 10 {
		for _, other := range others(rest % 10) {
			changed := Abs(n.Value) + (other-rest%10)*unit
			if n.Value < 0 {
				changed = -changed
			}
			values = append(values, changed)
		}
		unit *= 10
	}
	return values
}
