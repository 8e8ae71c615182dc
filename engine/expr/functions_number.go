package expr

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"einvoice/model"
	"einvoice/model/quote"

	"github.com/google/cel-go/common/types"
)

// Functions of numbers.
var numberFunctions = []function{
	{"roundHalfUp", "Rounds to so many fraction digits, halves away from zero: commercial rounding (-2.5 becomes -3).", `roundHalfUp(decimal("-2.5"), 0) == -3`,
		[]overload{rounding(model.Decimal.RoundHalfUp)}},
	{"roundXPath", "Rounds to so many fraction digits, halves upwards, as XPath's round (-2.5 becomes -2): only where a published rule does so.", `roundXPath(decimal("-2.5"), 0) == -2`,
		[]overload{rounding(model.Decimal.RoundXPath)}},
	{"binary", "The exact value of the 64 bit floating point number next to this one, which is what XPath's sum of untyped values gives (0.01 becomes a little more), or of the one that a text without a type is, which may have an exponent: only where a published rule is decided by it.", `binary(decimal("0.01")) > 0.01 && binary(decimal("0.25")) == 0.25 && binary("3.8e2") == 380`,
		[]overload{
			global(func(a []compiled) compiled { return asNumber(decimals1(a[0].decimal, binaryValue)) }, decimalType, decimalType),
			global(func(a []compiled) compiled { return asNumber(readNumber(a[0].text, untyped)) }, decimalType, types.StringType),
		}},
	{"abs", "The number without its sign.", `abs(decimal("-2.50")) == 2.5`,
		[]overload{global(func(a []compiled) compiled { return asNumber(decimals1(a[0].decimal, model.Decimal.Abs)) }, decimalType, decimalType)}},
	{"fractionDigits", "How many digits follow the point, as written or as computed (12.50 has two).", `fractionDigits(decimal("12.50")) == 2`,
		[]overload{global(func(a []compiled) compiled {
			return asInt(decimals1(a[0].decimal, func(d model.Decimal) int64 { return int64(d.FractionDigits()) }))
		}, types.IntType, decimalType)}},
	{"decimal", "The decimal number that a text or an integer is.", `decimal("0.1") + decimal("0.2") == decimal("0.3")`,
		[]overload{
			{args: []*types.Type{types.StringType}, result: decimalType, compile: compileDecimal},
			global(func(a []compiled) compiled { return asNumber(asDecimal(a[0])) }, decimalType, types.IntType),
		}},
}

func rounding(round func(model.Decimal, int) model.Decimal) overload {
	return global(func(a []compiled) compiled {
		digits := a[1].integer
		return asNumber(func(act *Activation) (model.Decimal, bool) {
			d, ok := a[0].decimal(act)
			if !ok || !act.payDigits(d) {
				return d, false
			}
			n, ok := digits(act)
			if !ok {
				return d, false
			}
			if n < -maxDigits || n > maxDigits {
				act.fail(errOther, nil, fmt.Sprintf("cannot round to %d fraction digits", n))
				return d, false
			}
			return round(d, int(n)), true
		})
	}, decimalType, decimalType, types.IntType)
}

// binaryValue is the exact value of the float64 next to d.
func binaryValue(d model.Decimal) model.Decimal {
	f, err := strconv.ParseFloat(d.String(), 64)
	if err != nil {
		return d // too large for one
	}
	if exact, ok := exactly(f); ok {
		return exact
	}
	return d
}

// exactly is a floating point number as a decimal one; false for one that is too large.
func exactly(f float64) (model.Decimal, bool) {
	exact, err := model.ParseDecimal(strings.TrimRight(new(big.Float).SetFloat64(f).Text('f', 80), "0"))
	return exact, err == nil
}

// untyped is the number that a text is where XPath compares it with one; false for INF and
// NaN as well, and for what is too large for a decimal.
func untyped(s string) (model.Decimal, bool) {
	s = strings.Trim(s, " \t\r\n")
	if strings.Trim(s, "0123456789+-.eE") != "" { // ParseFloat takes more
		return model.Decimal{}, false
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return model.Decimal{}, false
	}
	return exactly(f)
}

// compileDecimal refuses a literal that is not a number when the rule loads.
func compileDecimal(_ *Environment, args []compiled) (compiled, error) {
	if text, is := args[0].literal.(string); is {
		if _, err := model.ParseDecimal(text); err != nil {
			return compiled{}, fmt.Errorf("%q is not a number: write it as 1000.50", quote.Shorten(text, most))
		}
	}
	return asNumber(readNumber(args[0].text, func(s string) (model.Decimal, bool) {
		d, err := model.ParseDecimal(s)
		return d, err == nil
	})), nil
}

func readNumber(text fn[string], read func(string) (model.Decimal, bool)) fn[model.Decimal] {
	return func(act *Activation) (model.Decimal, bool) {
		s, ok := text(act)
		if !ok || !act.pay(len(s)) {
			return model.Decimal{}, false
		}
		d, ok := read(s)
		if !ok {
			act.notNumber(s)
		}
		return d, ok
	}
}
