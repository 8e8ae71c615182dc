package model

import "math/big"

// RoundHalfUp rounds to n fraction digits, and halves away from zero (-2.5 becomes
// -3). EN 16931 requires this commercial rounding for amounts.
func (d Decimal) RoundHalfUp(n int) Decimal {
	return d.round(int32(n), func(half, neg bool) bool { return half })
}

// RoundXPath rounds to n fraction digits, and halves towards positive infinity (-2.5
// becomes -2), as fn:round of XPath does.
func (d Decimal) RoundXPath(n int) Decimal {
	return d.round(int32(n), func(half, neg bool) bool { return half && !neg })
}

// round rounds to n digits. For an exact half, up decides whether it is rounded away
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

// Floor is the largest integer that is not greater than d.
func (d Decimal) Floor() Decimal {
	r := d.Sub(decimalOneHalf).RoundHalfUp(0)
	if r.Add(NewDecimal(1)).Cmp(d) <= 0 {
		return r.Add(NewDecimal(1))
	}
	return r
}

// IsInteger reports whether all digits after the decimal point are zeros.
func (d Decimal) IsInteger() bool { return d.RoundHalfUp(0).Equal(d) }
