package candidate

import (
	"math/bits"
	"strconv"
	"strings"
)

// AmountText writes an amount with two decimals at least.
func AmountText(value int64) string {
	if value%Cent != 0 {
		return DecimalText(value, 0)
	}
	return DecimalText(value, 2)
}

// DecimalText writes a number with some decimals, or with 0 as few as it has.
func DecimalText(value int64, decimals int) string {
	sign := ""
	if value < 0 {
		sign, value = "-", -value
	}
	s := strconv.FormatInt(value, 10)
	if len(s) <= maxDecimals {
		s = strings.Repeat("0", maxDecimals+1-len(s)) + s
	}
	whole, fraction := s[:len(s)-maxDecimals], s[len(s)-maxDecimals:]
	for decimals == 0 && fraction != "" && fraction[len(fraction)-1] == '0' { // as few as there are
		fraction = fraction[:len(fraction)-1]
	}
	if decimals == 0 {
		decimals = len(fraction)
	}
	if decimals == 0 {
		return sign + whole
	}
	return sign + whole + "." + fraction[:decimals]
}

// TooLarge is what a product is that would not fit, which equals no printed number.
const TooLarge = int64(1) << 60

// Times multiplies two numbers and rounds the result, halves away from zero.
func Times(a, b int64) int64 {
	high, low := bits.Mul64(uint64(Abs(a)), uint64(Abs(b)))
	if high >= UnitsPerOne {
		return TooLarge
	}
	product, rest := bits.Div64(high, low, UnitsPerOne)
	if 2*rest >= UnitsPerOne {
		product++
	}
	if product > uint64(TooLarge) {
		return TooLarge
	}
	if (a < 0) != (b < 0) {
		return -int64(product)
	}
	return int64(product)
}

// Share is a percentage of an amount, to the cent.
func Share(of, percent int64) int64 { return ToCent(Times(of, percent) / 100) }

// ToCent rounds to cents, halves away from zero.
func ToCent(v int64) int64 {
	if v < 0 {
		return -ToCent(-v)
	}
	return (v + Cent/2) / Cent * Cent
}

// Abs is a number without its sign.
func Abs(v int64) int64 { return max(v, -v) }
