package model

import (
	"errors"
	"math"
	"math/big"
	"strings"
)

// A Decimal is an exact decimal number: coefficient × 10^-scale. It keeps the number
// of fraction digits that it was written with (1.50 has two), because some rules count
// them; comparing ignores it. The zero value is 0.
//
// The coefficient of nearly every amount fits into an int64; others use a big.Int.
type Decimal struct {
	big   *big.Int // the coefficient when it does not fit coef, else nil
	coef  int64
	scale int32
}

const (
	// MaxDigits bounds the time that a hostile number can cost.
	MaxDigits = 200
	// quotientDigits is how many fraction digits a division has whose result is not
	// finite. Common XPath processors keep as many for xs:decimal.
	quotientDigits = 18
)

var (
	errNotDecimal  = errors.New("not a decimal number")
	errTooLong     = errors.New("number has more than 200 digits")
	errDivByZero   = errors.New("division by zero")
	pow10Int64     = [...]int64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18}
	bigTen         = big.NewInt(10)
	decimalOneHalf = Decimal{coef: 5, scale: 1}
)

// NewDecimal is an integer as a Decimal.
func NewDecimal(i int64) Decimal {
	if i == math.MinInt64 { // its absolute value does not fit into an int64
		return Decimal{big: big.NewInt(i)}
	}
	return Decimal{coef: i}
}

// ParseDecimal reads the lexical form of xs:decimal: an optional sign, digits, and at
// most one decimal point (".5" and "5." are allowed, "1e3" and "INF" are not). XML
// white space around it is allowed.
func ParseDecimal(s string) (Decimal, error) {
	s = trimXMLSpace(s)
	neg := false
	if s != "" && (s[0] == '-' || s[0] == '+') {
		neg = s[0] == '-'
		s = s[1:]
	}
	var coef uint64
	digits, scale, point := 0, int32(0), false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= '0' && c <= '9':
			digits++
			if point {
				scale++
			}
			if digits > 18 {
				return parseLong(s, neg)
			}
			coef = coef*10 + uint64(c-'0')
		case c == '.' && !point:
			point = true
		default:
			return Decimal{}, errNotDecimal
		}
	}
	if digits == 0 {
		return Decimal{}, errNotDecimal
	}
	d := Decimal{coef: int64(coef), scale: scale}
	if neg {
		d.coef = -d.coef
	}
	return d, nil
}

func parseLong(s string, neg bool) (Decimal, error) {
	whole, fraction, _ := strings.Cut(s, ".")
	digits := whole + fraction
	for i := 0; i < len(digits); i++ {
		if digits[i] < '0' || digits[i] > '9' {
			return Decimal{}, errNotDecimal
		}
	}
	if len(digits) > MaxDigits {
		return Decimal{}, errTooLong
	}
	b, _ := new(big.Int).SetString(digits, 10)
	if neg {
		b.Neg(b)
	}
	return fromBig(b, int32(len(fraction))), nil
}

// IsTooLong reports whether a text is a number, and one with more than MaxDigits digits, which
// ParseDecimal does not read.
func IsTooLong(text string) bool {
	_, err := ParseDecimal(text)
	return errors.Is(err, errTooLong)
}

// MustDecimal is ParseDecimal for literals in code. It panics on an error.
func MustDecimal(s string) Decimal {
	d, err := ParseDecimal(s)
	if err != nil {
		panic("model.MustDecimal(" + s + "): " + err.Error())
	}
	return d
}

func fromBig(b *big.Int, scale int32) Decimal {
	if b.IsInt64() {
		if i := b.Int64(); i != math.MinInt64 {
			return Decimal{coef: i, scale: scale}
		}
	}
	return Decimal{big: b, scale: scale}
}

func (d Decimal) bigCoef() *big.Int {
	if d.big != nil {
		return d.big
	}
	return big.NewInt(d.coef)
}

// FractionDigits is the number of digits after the decimal point, as written.
func (d Decimal) FractionDigits() int { return int(d.scale) }

// Length is about how many digits the number has; of one as short as amounts are,
// those after the point. The digits double with every multiplication of a number by
// itself, so code that computes with numbers of a document bounds them by this.
func (d Decimal) Length() int {
	if d.big == nil {
		return int(d.scale)
	}
	return d.digits()
}

func (d Decimal) digits() int { return max(int(d.scale), d.big.BitLen()*3/10) }

// String writes all digits, including trailing zeros, without an exponent.
func (d Decimal) String() string { return string(d.Append(nil)) }

// Append appends the result of String to b.
func (d Decimal) Append(b []byte) []byte {
	if d.Sign() < 0 {
		b = append(b, '-')
	}
	digits := d.Abs().bigCoef().Append(nil, 10)
	if n := int(d.scale) + 1 - len(digits); n > 0 {
		digits = append([]byte(strings.Repeat("0", n)), digits...)
	}
	point := len(digits) - int(d.scale)
	b = append(b, digits[:point]...)
	if d.scale > 0 {
		b = append(b, '.')
		b = append(b, digits[point:]...)
	}
	return b
}

func trimXMLSpace(s string) string {
	for s != "" && isXMLSpace(s[0]) {
		s = s[1:]
	}
	for s != "" && isXMLSpace(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

func isXMLSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
