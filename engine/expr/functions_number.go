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
	{"binary", "The exact value of the 64 bit floating point number next to this one, which is what XPath's sum of untyped values gives (0.01 becomes a little more): only where a published rule is decided by it.", `binary(decimal("0.01")) > 0.01 && binary(decimal("0.25")) == 0.25`,
		[]overload{global(func(a []compiled) compiled { return asNumber(decimals1(a[0].decimal, binaryValue)) }, decimalType, decimalType)}},
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
	exact, err := model.ParseDecimal(strings.TrimRight(new(big.Float).SetFloat64(f).Text('f', 80), "0"))
	if err != nil {
		return d
	}
	return exact
}

// compileDecimal refuses a literal that is not a number when the rule loads.
func compileDecimal(_ *Environment, args []compiled) (compiled, error) {
	if text, is := args[0].literal.(string); is {
		if _, err := model.ParseDecimal(text); err != nil {
			return compiled{}, fmt.Errorf("%q is not a number: write it as 1000.50", quote.Shorten(text, most))
		}
	}
	return asNumber(parseDecimal(args[0].text)), nil
}

func parseDecimal(text fn[string]) fn[model.Decimal] {
	return func(act *Activation) (model.Decimal, bool) {
		s, ok := text(act)
		if !ok || !act.pay(len(s)) {
			return model.Decimal{}, false
		}
		d, err := model.ParseDecimal(s)
		if err != nil {
			act.unreadable(s, "%q is not a number such as 1000.50")
		}
		return d, err == nil
	}
}
