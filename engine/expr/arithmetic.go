package expr

import (
	"errors"
	"math"
	"slices"

	"einvoice/model"

	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

var (
	errOverflow = errors.New("the result is not a 64-bit integer")
	errZero     = errors.New("division by zero")
	errDigits   = errors.New("the result has too many digits")
)

// onDecimals are the operators of decimals, all exact but for a division that
// does not end.
var onDecimals = map[string]func(a, b model.Decimal) (model.Decimal, error){
	operators.Add:      func(a, b model.Decimal) (model.Decimal, error) { return a.Add(b), nil },
	operators.Subtract: func(a, b model.Decimal) (model.Decimal, error) { return a.Sub(b), nil },
	operators.Multiply: func(a, b model.Decimal) (model.Decimal, error) { return a.Mul(b), nil },
	operators.Divide:   model.Decimal.Div,
}

// onIntegers are the operators of integers. As in CEL, a division cuts off what
// is left, and a result beyond 64 bits is an error.
var onIntegers = map[string]func(a, b int64) (int64, error){
	operators.Add: func(a, b int64) (int64, error) {
		c := a + b
		if (c > a) != (b > 0) && b != 0 {
			return 0, errOverflow
		}
		return c, nil
	},
	operators.Subtract: func(a, b int64) (int64, error) {
		c := a - b
		if (c < a) != (b > 0) && b != 0 {
			return 0, errOverflow
		}
		return c, nil
	},
	operators.Multiply: func(a, b int64) (int64, error) {
		c := a * b
		if a != 0 && (c/a != b || a == -1 && b == math.MinInt64) {
			return 0, errOverflow
		}
		return c, nil
	},
	operators.Divide: func(a, b int64) (int64, error) {
		if err := divisible(a, b); err != nil {
			return 0, err
		}
		return a / b, nil
	},
	operators.Modulo: func(a, b int64) (int64, error) {
		if err := divisible(a, b); err != nil {
			return 0, err
		}
		return a % b, nil
	},
}

func divisible(a, b int64) error {
	switch {
	case b == 0:
		return errZero
	case b == -1 && a == math.MinInt64:
		return errOverflow
	}
	return nil
}

// compute compiles an arithmetic operator; + also joins texts and lists. The
// zero compiled means that there is none for these operands.
func compute(a, b compiled, op string) compiled {
	if a.integer != nil && b.integer != nil {
		return compiled{typ: types.IntType, integer: try2(a.integer, b.integer, onIntegers[op])}
	}
	if x, y := asDecimal(a), asDecimal(b); x != nil && y != nil && onDecimals[op] != nil {
		return compiled{typ: decimalType, decimal: decimals2(x, y, onDecimals[op])}
	}
	switch {
	case op != operators.Add:
	case a.text != nil && b.text != nil:
		return compiled{typ: types.StringType, text: joinTexts(a.text, b.text)}
	case a.list != nil && b.list != nil:
		return compiled{typ: a.typ, list: joinLists(a.list, b.list)}
	}
	return compiled{}
}

// negate compiles the unary minus.
func negate(a compiled) compiled {
	switch {
	case a.decimal != nil:
		return compiled{typ: decimalType, decimal: decimals1(a.decimal, model.Decimal.Neg)}
	case a.integer != nil:
		return compute(integerLiteral(0), a, operators.Subtract)
	}
	return compiled{}
}

func joinTexts(a, b fn[string]) fn[string] {
	return func(act *Activation) (string, bool) {
		x, ok := a(act)
		if !ok {
			return "", false
		}
		y, ok := b(act)
		if !ok || !act.pay(written*(len(x)+len(y))) {
			return "", false
		}
		return x + y, true
	}
}

func joinLists(a, b fn[list]) fn[list] {
	return func(act *Activation) (list, bool) {
		x, ok := a(act)
		if !ok {
			return list{}, false
		}
		y, ok := b(act)
		if !ok || !act.payElements(&x) || !act.payElements(&y) {
			return list{}, false
		}
		a, b := x.all(), y.all()
		out := list{items: &items{
			texts: slices.Concat(a.texts, b.texts), decimals: slices.Concat(a.decimals, b.decimals),
			integers: slices.Concat(a.integers, b.integers), elements: slices.Concat(a.elements, b.elements),
		}}
		for _, l := range []*list{&x, &y} {
			for i := range l.lenGroups() {
				out.items.groups = append(out.items.groups, l.group(i))
			}
		}
		return out, true
	}
}
