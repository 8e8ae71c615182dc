package expr

import "einvoice/model"

// map1 and map2 lift a plain function to compiled expressions; try2 one that may
// have no value; texts1 and texts2 one that reads its texts from end to end.

func map1[A, B any](a fn[A], g func(A) B) fn[B] {
	return func(act *Activation) (out B, ok bool) {
		x, ok := a(act)
		if !ok {
			return out, false
		}
		return g(x), true
	}
}

func map2[A, B, C any](a fn[A], b fn[B], g func(A, B) C) fn[C] {
	return func(act *Activation) (out C, ok bool) {
		x, ok := a(act)
		if !ok {
			return out, false
		}
		y, ok := b(act)
		if !ok {
			return out, false
		}
		return g(x, y), true
	}
}

func try2[A, B, C any](a fn[A], b fn[B], g func(A, B) (C, error)) fn[C] {
	return func(act *Activation) (out C, ok bool) {
		x, ok := a(act)
		if !ok {
			return out, false
		}
		y, ok := b(act)
		if !ok {
			return out, false
		}
		out, err := g(x, y)
		if err != nil {
			act.fail(errOther, nil, err.Error())
		}
		return out, err == nil
	}
}

func texts1[B any](a fn[string], g func(string) B) fn[B] {
	return func(act *Activation) (out B, ok bool) {
		x, ok := a(act)
		if !ok || !act.pay(len(x)) {
			return out, false
		}
		return g(x), true
	}
}

func texts2[C any](a, b fn[string], g func(x, y string) C) fn[C] {
	return func(act *Activation) (out C, ok bool) {
		x, ok := a(act)
		if !ok {
			return out, false
		}
		y, ok := b(act)
		if !ok || !act.pay(len(x)) || !act.pay(len(y)) {
			return out, false
		}
		return g(x, y), true
	}
}

func decimals1[B any](a fn[model.Decimal], g func(model.Decimal) B) fn[B] {
	return func(act *Activation) (out B, ok bool) {
		x, ok := a(act)
		if !ok || !act.payDigits(x) {
			return out, false
		}
		return g(x), true
	}
}

// decimals2 also refuses a result that has grown beyond what anyone invoices.
func decimals2(a, b fn[model.Decimal], g func(x, y model.Decimal) (model.Decimal, error)) fn[model.Decimal] {
	return func(act *Activation) (out model.Decimal, ok bool) {
		x, ok := a(act)
		if !ok {
			return out, false
		}
		y, ok := b(act)
		if !ok || !act.payDigits(x) || !act.payDigits(y) {
			return out, false
		}
		out, err := g(x, y)
		if err == nil {
			err = bounded(out)
		}
		if err != nil {
			act.fail(errOther, nil, err.Error())
		}
		return out, err == nil
	}
}

// bounded refuses a number with more digits than anyone invoices.
func bounded(d model.Decimal) error {
	if d.Length() > maxDigits {
		return errDigits
	}
	return nil
}
