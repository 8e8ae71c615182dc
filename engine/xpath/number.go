package xpath

import (
	"strings"

	"einvoice/model"
)

// A number is what XPath calculates with: an exact decimal where XPath 1.0 has
// a floating-point number, or NaN. There is no infinity: a division by zero is NaN.
type number struct {
	decimal model.Decimal
	nan     bool
}

func integer(i int) number { return number{decimal: model.NewDecimal(int64(i))} }

// toNumber converts a text: digits with at most one point, a minus before them
// and white space around; anything else, a plus too, is NaN.
func toNumber(s string) number {
	d, err := model.ParseDecimal(s)
	return number{decimal: d, nan: err != nil || strings.IndexByte(s, '+') >= 0}
}

// text is how XPath writes a number: without zeros at the end of a fraction,
// and without an exponent.
func (n number) text() string {
	if n.nan {
		return "NaN"
	}
	s := n.decimal.String()
	if n.decimal.FractionDigits() > 0 {
		s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	}
	return s
}

func (n number) boolean() bool { return !n.nan && n.decimal.Sign() != 0 }

// is reports whether the number is a position.
func (n number) is(position int) bool {
	return !n.nan && n.decimal.Cmp(model.NewDecimal(int64(position))) == 0
}

func (n number) negative() number { return number{decimal: n.decimal.Neg(), nan: n.nan} }

func (n number) plus(m number) number {
	return number{decimal: n.decimal.Add(m.decimal), nan: n.nan || m.nan}
}

// calculations are the arithmetic of XPath 1.0, which rules do not have.
var calculations = map[Op]func(a, b number) number{
	add:      number.plus,
	subtract: func(a, b number) number { return a.plus(b.negative()) },
	multiply: func(a, b number) number { return number{decimal: a.decimal.Mul(b.decimal), nan: a.nan || b.nan} },
	divide: func(a, b number) number {
		quotient, err := a.decimal.Div(b.decimal)
		return number{decimal: quotient, nan: a.nan || b.nan || err != nil}
	},
	modulo: func(a, b number) number { // has the sign of a
		of, by := a.decimal.Abs(), b.decimal.Abs()
		quotient, err := of.Div(by)
		rest := of.Sub(quotient.Floor().Mul(by))
		if rest.Sign() < 0 { // the quotient was rounded up
			rest = rest.Add(by)
		}
		if a.decimal.Sign() < 0 {
			rest = rest.Neg()
		}
		return number{decimal: rest, nan: a.nan || b.nan || err != nil}
	},
}

// rounded is the number after rounding by a function of decimals.
func (n number) rounded(round func(model.Decimal) model.Decimal) number {
	if n.nan {
		return n
	}
	return number{decimal: round(n.decimal)}
}

// numberFunctions are the functions that round.
var numberFunctions = map[string]func(model.Decimal) model.Decimal{"floor": floor, "ceiling": ceiling, "round": round}

func floor(d model.Decimal) model.Decimal   { return d.Floor() }
func ceiling(d model.Decimal) model.Decimal { return d.Neg().Floor().Neg() }
func round(d model.Decimal) model.Decimal   { return d.RoundXPath(0) }

// compareNumbers makes a comparison of what an operator says of an order; NaN
// is unequal to everything, itself too.
func compareNumbers(op Op) func(a, b number) bool {
	decide := orderings[op]
	return func(a, b number) bool {
		if a.nan || b.nan {
			return op == NotEqual
		}
		return decide(a.decimal.Cmp(b.decimal))
	}
}

// orderings say what a comparison makes of an order.
var orderings = map[Op]func(order int) bool{
	Equal:          func(order int) bool { return order == 0 },
	NotEqual:       func(order int) bool { return order != 0 },
	Less:           func(order int) bool { return order < 0 },
	LessOrEqual:    func(order int) bool { return order <= 0 },
	Greater:        func(order int) bool { return order > 0 },
	GreaterOrEqual: func(order int) bool { return order >= 0 },
}
