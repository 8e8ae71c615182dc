package model

import (
	"math"
	"math/big"
	"math/bits"
)

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

// rescale is the coefficient at a larger scale; ok is false on overflow.
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

// bigAt is the coefficient at a scale. It may be shared, so nobody changes it.
func (d Decimal) bigAt(scale int32) *big.Int {
	b := d.bigCoef()
	if n := scale - d.scale; n > 0 {
		return new(big.Int).Mul(b, pow10Big(n))
	}
	return b
}

// pow10Big is 10^n, which nobody changes.
func pow10Big(n int32) *big.Int {
	if int(n) < len(pow10Shared) {
		return pow10Shared[n]
	}
	return new(big.Int).Exp(bigTen, big.NewInt(int64(n)), nil)
}

// pow10Shared are the powers that amounts and quotients need.
var pow10Shared = func() (all [4 * quotientDigits]*big.Int) {
	all[0] = big.NewInt(1)
	for i := 1; i < len(all); i++ {
		all[i] = new(big.Int).Mul(all[i-1], bigTen)
	}
	return all
}()

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

// Div is d ÷ e. The result is exact if it has no more fraction digits than 18, or than
// the operands if these have more; otherwise it is rounded to as many. The error says that e
// is 0.
func (d Decimal) Div(e Decimal) (Decimal, error) {
	if e.Sign() == 0 {
		return Decimal{}, errDivByZero
	}
	if n, ok := e.powerOfTen(); ok { // for percentages: only the decimal point moves
		return Decimal{big: d.big, coef: d.coef, scale: d.scale + n}, nil
	}
	if q, ok := d.divExact(e); ok {
		return q, nil
	}
	scale := max(quotientDigits, d.scale, e.scale)
	num := new(big.Int).Mul(d.bigAt(d.scale+scale+1), pow10Big(e.scale)) // with one digit more, to round
	den := new(big.Int).Mul(e.bigCoef(), pow10Big(d.scale))
	q := fromBig(num.Quo(num, den), scale+1)
	return q.RoundHalfUp(int(scale)).trim(), nil
}

// divExact is the quotient with as few fraction digits as it needs, where it is finite and
// short, as those of prices by quantities are.
func (d Decimal) divExact(e Decimal) (q Decimal, ok bool) {
	if d.big != nil || e.big != nil || d.scale > quotientDigits || e.scale > quotientDigits {
		return Decimal{}, false
	}
	num, scale := d.coef, d.scale-e.scale
	for ; scale <= quotientDigits; scale++ {
		if num%e.coef == 0 && scale >= 0 {
			return Decimal{coef: num / e.coef, scale: scale}.trim(), true
		}
		if num, ok = mulInt64(num, 1); !ok {
			return Decimal{}, false
		}
	}
	return Decimal{}, false
}

// powerOfTen reports whether d is 10^n, for an n up to 18.
func (d Decimal) powerOfTen() (n int32, ok bool) {
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

// trim removes the trailing zeros that a division produced.
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
