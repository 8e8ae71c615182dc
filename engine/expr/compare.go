package expr

import (
	"cmp"
	"slices"

	"einvoice/model"
	"einvoice/model/source"

	"github.com/google/cel-go/common/operators"
)

// orderings decide on the outcome of a comparison.
var orderings = map[string]func(order int) bool{
	operators.Less:          func(order int) bool { return order < 0 },
	operators.LessEquals:    func(order int) bool { return order <= 0 },
	operators.Greater:       func(order int) bool { return order > 0 },
	operators.GreaterEquals: func(order int) bool { return order >= 0 },
}

// equal compares two values of one type, or an integer with a decimal.
func equal(a, b compiled) fn[bool] {
	switch {
	case a.text != nil && b.text != nil:
		if s, ok := b.literal.(string); ok { // the usual case: a term against a code
			return map1(a.text, func(x string) bool { return x == s })
		}
		return texts2(a.text, b.text, func(x, y string) bool { return x == y })
	case a.integer != nil && b.integer != nil:
		return map2(a.integer, b.integer, func(x, y int64) bool { return x == y })
	case asDecimal(a) != nil && asDecimal(b) != nil:
		return compareDecimals(asDecimal(a), asDecimal(b), func(order int) bool { return order == 0 })
	case a.boolean != nil && b.boolean != nil:
		return map2(a.boolean, b.boolean, func(x, y bool) bool { return x == y })
	case a.date != nil && b.date != nil:
		return map2(a.date, b.date, func(x, y *model.Date) bool { return x.Compare(*y) == 0 })
	case a.element != nil && b.element != nil:
		return map2(a.element, b.element, func(x, y source.Node) bool { return x == y })
	}
	return nil
}

func ordered(a, b compiled, decide func(int) bool) fn[bool] {
	switch {
	case a.integer != nil && b.integer != nil:
		return map2(a.integer, b.integer, func(x, y int64) bool { return decide(cmp.Compare(x, y)) })
	case asDecimal(a) != nil && asDecimal(b) != nil:
		return compareDecimals(asDecimal(a), asDecimal(b), decide)
	case a.date != nil && b.date != nil:
		return map2(a.date, b.date, func(x, y *model.Date) bool { return decide(x.Compare(*y)) })
	case a.text != nil && b.text != nil:
		return texts2(a.text, b.text, func(x, y string) bool { return decide(cmp.Compare(x, y)) })
	}
	return nil
}

func compareDecimals(a, b fn[model.Decimal], decide func(order int) bool) fn[bool] {
	return func(act *Activation) (bool, bool) {
		x, ok := a(act)
		if !ok {
			return false, false
		}
		y, ok := b(act)
		if !ok || !act.payDigits(x) || !act.payDigits(y) {
			return false, false
		}
		return decide(x.Cmp(y)), true
	}
}

// isIn compiles x in list.
func isIn(x, in compiled) fn[bool] {
	if codes, ok := in.literal.(list); ok && x.text != nil { // the usual case: a term against codes
		texts := codes.all().texts
		return map1(x.text, func(s string) bool { return slices.Contains(texts, s) })
	}
	switch {
	case in.list == nil:
		return nil
	case x.text != nil:
		return within(x.text, in.list, func(s string, l *list) bool { return slices.Contains(l.all().texts, s) })
	case x.decimal != nil:
		return within(x.decimal, in.list, func(d model.Decimal, l *list) bool { return slices.ContainsFunc(l.all().decimals, d.Equal) })
	case x.integer != nil:
		return within(x.integer, in.list, func(i int64, l *list) bool { return slices.Contains(l.all().integers, i) })
	case x.element != nil:
		return within(x.element, in.list, func(n source.Node, l *list) bool { return slices.Contains(l.all().elements, n) })
	}
	return nil
}

// within pays for looking at each element.
func within[T any](x fn[T], in fn[list], contains func(T, *list) bool) fn[bool] {
	return func(act *Activation) (bool, bool) {
		v, ok := x(act)
		if !ok {
			return false, false
		}
		l, ok := in(act)
		if !ok || !act.payElements(&l) {
			return false, false
		}
		return contains(v, &l), true
	}
}
