package expr

// and is CEL's: false if either side is false, whatever the other is.
func and(a, b fn[bool]) fn[bool] {
	return func(act *Activation) (bool, bool) {
		x, okX := a(act)
		if okX && !x {
			return false, true
		}
		y, okY := b(act)
		if okY && !y {
			return false, true
		}
		return true, okX && okY
	}
}

// or is CEL's: true if either side is true, whatever the other is.
func or(a, b fn[bool]) fn[bool] {
	return func(act *Activation) (bool, bool) {
		x, okX := a(act)
		if okX && x {
			return true, true
		}
		y, okY := b(act)
		if okY && y {
			return true, true
		}
		return false, okX && okY
	}
}

func not(a fn[bool]) fn[bool] {
	return func(act *Activation) (bool, bool) {
		v, ok := a(act)
		return !v, ok
	}
}

// notStrictlyFalse is what the loops of all and exists ask: whether the value is
// true or there is none.
func notStrictlyFalse(a fn[bool]) fn[bool] {
	return func(act *Activation) (bool, bool) {
		v, ok := a(act)
		return v || !ok, true
	}
}

// conditional evaluates the one side that the condition chooses.
func conditional(condition, a, b compiled) compiled {
	return compiled{
		typ:     a.typ,
		boolean: choose(condition.boolean, a.boolean, b.boolean),
		integer: choose(condition.boolean, a.integer, b.integer),
		decimal: choose(condition.boolean, a.decimal, b.decimal),
		text:    choose(condition.boolean, a.text, b.text),
		date:    choose(condition.boolean, a.date, b.date),
		object:  choose(condition.boolean, a.object, b.object),
		element: choose(condition.boolean, a.element, b.element),
		list:    choose(condition.boolean, a.list, b.list),
	}
}

func choose[T any](condition fn[bool], a, b fn[T]) fn[T] {
	if a == nil || b == nil {
		return nil
	}
	return func(act *Activation) (out T, ok bool) {
		first, ok := condition(act)
		switch {
		case !ok:
			return out, false
		case first:
			return a(act)
		}
		return b(act)
	}
}
