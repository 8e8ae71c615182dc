package expr

import (
	"fmt"

	"einvoice/model"

	"github.com/google/cel-go/common/types"
)

// Functions of numbers and dates.
var numberFunctions = []function{
	{"roundHalfUp", "Rounds to so many fraction digits, halves away from zero: commercial rounding (-2.5 becomes -3).", `roundHalfUp(decimal("-2.5"), 0) == -3`,
		[]overload{rounding(model.Decimal.RoundHalfUp)}},
	{"roundXPath", "Rounds to so many fraction digits, halves upwards, as XPath's round (-2.5 becomes -2): only where a published rule does so.", `roundXPath(decimal("-2.5"), 0) == -2`,
		[]overload{rounding(model.Decimal.RoundXPath)}},
	{"binary", "The exact value of the 64 bit floating point number next to this one, which is what XPath's sum of untyped values gives (0.01 becomes a little more): only where a published rule is decided by it.", `binary(decimal("0.01")) > 0.01 && binary(decimal("0.25")) == 0.25`,
		[]overload{global(func(a []compiled) compiled { return asNumber(map1(asDecimal(a[0]), binaryValue)) }, decimalType, decimalType)}},
	{"abs", "The number without its sign.", `abs(decimal("-2.50")) == 2.5`,
		[]overload{global(func(a []compiled) compiled { return asNumber(map1(asDecimal(a[0]), model.Decimal.Abs)) }, decimalType, decimalType)}},
	{"fractionDigits", "How many digits follow the point, as written or as computed (12.50 has two).", `fractionDigits(decimal("12.50")) == 2`,
		[]overload{global(func(a []compiled) compiled {
			return asInt(map1(asDecimal(a[0]), func(d model.Decimal) int64 { return int64(d.FractionDigits()) }))
		}, types.IntType, decimalType)}},
	{"decimal", "The decimal number that a text or an integer stands for.", `decimal("0.1") + decimal("0.2") == decimal("0.3")`,
		[]overload{
			global(func(a []compiled) compiled { return asNumber(parseDecimal(a[0].text)) }, decimalType, types.StringType),
			global(func(a []compiled) compiled { return asNumber(asDecimal(a[0])) }, decimalType, types.IntType),
		}},
	{"date", "The day that an ISO 8601 text stands for.", `date("2026-11-20") < date("2026-12-01")`,
		[]overload{global(func(a []compiled) compiled { return compiled{date: parseDate(a[0].text)} }, dateType, types.StringType)}},
}

func rounding(round func(model.Decimal, int) model.Decimal) overload {
	return global(func(a []compiled) compiled {
		return asNumber(map2(asDecimal(a[0]), a[1].integer, func(d model.Decimal, n int64) model.Decimal { return round(d, int(n)) }))
	}, decimalType, decimalType, types.IntType)
}

func parseDecimal(text fn[string]) fn[model.Decimal] {
	return func(act *Activation) (model.Decimal, bool) {
		s, ok := text(act)
		if !ok {
			return model.Decimal{}, false
		}
		d, err := model.ParseDecimal(s)
		if err != nil {
			act.fail(errOther, nil, fmt.Sprintf("%q: %v", s, err))
		}
		return d, err == nil
	}
}

func parseDate(text fn[string]) fn[*model.Date] {
	return func(act *Activation) (*model.Date, bool) {
		s, ok := text(act)
		if !ok {
			return nil, false
		}
		d := model.NewDate(s)
		if !d.Valid {
			act.fail(errOther, nil, fmt.Sprintf("%q is no date", s))
		}
		return &d, d.Valid
	}
}
