package model

import (
	"errors"
	"math"
	"math/big"
	"math/bits"
	"strings"
)

// A Decimal is an exact decimal number: coefficient × 10^-scale. It keeps the
// fraction digits it was written with (1.50 has two), so that rules can count
// them; comparing ignores them. The zero value is 0.
//
// Nearly every amount fits the int64; what does not is carried on in a big.Int.
type Decimal struct {
	big   *big.Int // the coefficient when it does not fit coef, else nil
	coef  int64
	scale int32
}

const (
	// maxDigits bounds the work a hostile number can cause.
	maxDigits = 200
	// quotientDigits are the fraction digits kept by a division that does not
	// end, as many as the common XPath processors keep for xs:decimal.
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
	if i == math.MinInt64 { // its absolute value is no int64
		return Decimal{big: big.NewInt(i)}
	}
	return Decimal{coef: i}
}

// ParseDecimal reads the lexical form of xs:decimal: an optional sign, digits,
// at most one point (".5" and "5." are allowed, "1e3" and "INF" are not), with
// XML white space around it.
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
	if len(digits) > maxDigits {
		return Decimal{}, errTooLong
	}
	b, _ := new(big.Int).SetString(digits, 10)
	if neg {
		b.Neg(b)
	}
	return fromBig(b, int32(len(fraction))), nil
}

// MustDecimal is ParseDecimal for literals in code.
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

// Sign is -1, 0 or 1.
func (d Decimal) Sign() int {
	if d.big != nil {
		return d.big.Sign()
	}
	switch {
	case d.coef < 0:
		return -1
	case d.coef > 0:
		return 1
	}
	return 0
}

// FractionDigits counts the digits after the point, as written.
func (d Decimal) FractionDigits() int { return int(d.scale) }

// Length is about how many digits the number has; of one as short as amounts are,
// those after the point. Digits double with every multiplication of a number by
// itself: what computes with numbers of a document bounds them by this.
func (d Decimal) Length() int {
	if d.big == nil {
		return int(d.scale)
	}
	return d.digits()
}

func (d Decimal) digits() int { return max(int(d.scale), d.big.BitLen()*3/10) }

// rescale brings the coefficient to a larger scale; ok is false on overflow.
func (d Decimal) rescale(scale int32) (coef int64, ok bool) {
	if d.big != nil {
		return 0, false
	}
	return mulInt64(d.coef, scale-d.scale)
}

func mulInt64(coef int64, tens int32) (int64, bool) {
	if tens == 0 || coef == 0 {
		return coef, true
	}
	if int(tens) >= len(pow10Int64) {
		return 0, false
	}
	return mulCheck(coef, pow10Int64[tens])
}

func mulCheck(a, b int64) (int64, bool) {
	neg := (a < 0) != (b < 0)
	hi, lo := bits.Mul64(absUint(a), absUint(b))
	if hi != 0 || lo > math.MaxInt64 {
		return 0, false
	}
	if neg {
		return -int64(lo), true
	}
	return int64(lo), true
}

func absUint(i int64) uint64 {
	if i < 0 {
		return uint64(-i)
	}
	return uint64(i)
}

func (d Decimal) bigAt(scale int32) *big.Int {
	b := new(big.Int).Set(d.bigCoef())
	if n := scale - d.scale; n > 0 {
		b.Mul(b, pow10Big(n))
	}
	return b
}

func pow10Big(n int32) *big.Int { return new(big.Int).Exp(bigTen, big.NewInt(int64(n)), nil) }

// Add is d + e.
func (d Decimal) Add(e Decimal) Decimal {
	scale := max(d.scale, e.scale)
	if a, ok := d.rescale(scale); ok {
		if b, ok := e.rescale(scale); ok {
			if sum := a + b; (sum > a) == (b > 0) && sum != math.MinInt64 {
				return Decimal{coef: sum, scale: scale}
			}
		}
	}
	return fromBig(new(big.Int).Add(d.bigAt(scale), e.bigAt(scale)), scale)
}

// Sub is d - e.
func (d Decimal) Sub(e Decimal) Decimal { return d.Add(e.Neg()) }

// Neg is -d.
func (d Decimal) Neg() Decimal {
	if d.big != nil {
		return fromBig(new(big.Int).Neg(d.big), d.scale)
	}
	return Decimal{coef: -d.coef, scale: d.scale}
}

// Abs is d without its sign.
func (d Decimal) Abs() Decimal {
	if d.Sign() < 0 {
		return d.Neg()
	}
	return d
}

// Mul is d × e.
func (d Decimal) Mul(e Decimal) Decimal {
	scale := d.scale + e.scale
	if d.big == nil && e.big == nil {
		if p, ok := mulCheck(d.coef, e.coef); ok {
			return Decimal{coef: p, scale: scale}
		}
	}
	return fromBig(new(big.Int).Mul(d.bigCoef(), e.bigCoef()), scale)
}

// Div is d ÷ e, exact where the quotient ends within 18 fraction digits or the
// operands' own, cut to the nearest otherwise.
func (d Decimal) Div(e Decimal) (Decimal, error) {
	if e.Sign() == 0 {
		return Decimal{}, errDivByZero
	}
	if n, ok := e.tens(); ok { // the usual case, a percentage: the point moves
		return Decimal{big: d.big, coef: d.coef, scale: d.scale + n}, nil
	}
	scale := max(quotientDigits, d.scale, e.scale)
	num := d.bigAt(d.scale + scale + 1) // one digit more, to round by
	num.Mul(num, pow10Big(e.scale))
	den := new(big.Int).Mul(e.bigCoef(), pow10Big(d.scale))
	q := fromBig(num.Quo(num, den), scale+1)
	return q.RoundHalfUp(int(scale)).trim(), nil
}

// tens reports whether d is 10^n, for n that needs no more digits.
func (d Decimal) tens() (n int32, ok bool) {
	if d.big != nil || d.scale != 0 {
		return 0, false
	}
	for i, p := range pow10Int64 {
		if d.coef == p {
			return int32(i), true
		}
	}
	return 0, false
}

// trim drops trailing zeros that only a division produced.
func (d Decimal) trim() Decimal {
	for d.big == nil && d.scale > 0 && d.coef%10 == 0 {
		d.coef /= 10
		d.scale--
	}
	return d
}

// Cmp compares by value: -1, 0 or 1.
func (d Decimal) Cmp(e Decimal) int {
	if d.big == nil && e.big == nil {
		if d.scale == e.scale {
			return cmpInt64(d.coef, e.coef)
		}
		scale := max(d.scale, e.scale)
		if a, ok := d.rescale(scale); ok {
			if b, ok := e.rescale(scale); ok {
				return cmpInt64(a, b)
			}
		}
	}
	scale := max(d.scale, e.scale)
	return d.bigAt(scale).Cmp(e.bigAt(scale))
}

func cmpInt64(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// Equal compares by value: 1.50 equals 1.5.
func (d Decimal) Equal(e Decimal) bool { return d.Cmp(e) == 0 }

// RoundHalfUp rounds to n fraction digits, halves away from zero: commercial
// rounding, as EN 16931 wants for amounts (-2.5 becomes -3).
func (d Decimal) RoundHalfUp(n int) Decimal {
	return d.round(int32(n), func(half, neg bool) bool { return half })
}

// RoundXPath rounds to n fraction digits, halves towards positive infinity, as
// fn:round does (-2.5 becomes -2).
func (d Decimal) RoundXPath(n int) Decimal {
	return d.round(int32(n), func(half, neg bool) bool { return half && !neg })
}

// round cuts to n digits; up decides on an exact half whether it moves away
// from zero.
func (d Decimal) round(n int32, up func(half, neg bool) bool) Decimal {
	if d.scale <= n {
		return d
	}
	if n < 0 { // tens, hundreds: the point cannot be behind the last digit
		tens := Decimal{big: d.big, coef: d.coef, scale: d.scale - n}.round(0, up)
		return fromBig(new(big.Int).Mul(tens.bigCoef(), pow10Big(-n)), 0)
	}
	drop := d.scale - n
	neg := d.Sign() < 0
	if d.big == nil && int(drop) < len(pow10Int64) {
		unit := pow10Int64[drop]
		q, r := d.coef/unit, absUint(d.coef%unit)
		if twice := r * 2; twice > uint64(unit) || up(twice == uint64(unit), neg) {
			if neg {
				q--
			} else {
				q++
			}
		}
		return Decimal{coef: q, scale: n}
	}
	unit := pow10Big(drop)
	q, r := new(big.Int).QuoRem(d.bigCoef(), unit, new(big.Int))
	r.Abs(r).Lsh(r, 1)
	if c := r.Cmp(unit); c > 0 || up(c == 0, neg) {
		if neg {
			q.Sub(q, big.NewInt(1))
		} else {
			q.Add(q, big.NewInt(1))
		}
	}
	return fromBig(q, n)
}

// Floor is the largest integer that is not above d.
func (d Decimal) Floor() Decimal {
	r := d.Sub(decimalOneHalf).RoundHalfUp(0)
	if r.Add(NewDecimal(1)).Cmp(d) <= 0 {
		return r.Add(NewDecimal(1))
	}
	return r
}

// IsInteger reports whether nothing but zeros follows the point.
func (d Decimal) IsInteger() bool { return d.RoundHalfUp(0).Equal(d) }

// String writes all digits, trailing zeros included, without an exponent.
func (d Decimal) String() string { return string(d.Append(nil)) }

// Append appends what String returns.
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
