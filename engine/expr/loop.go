package expr

import (
	"einvoice/model"

	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// comprehension compiles what the macros all, exists, exists_one, filter, map
// and sum expand to: a loop with one accumulator.
func (s *scope) comprehension(n *node) (compiled, error) {
	over, err := s.compile(n.args[0])
	if err != nil {
		return compiled{}, err
	}
	if over.list == nil {
		return compiled{}, n.errorf("cannot go through a %s", typeName(over.typ))
	}
	init, err := s.compile(n.args[1])
	if err != nil {
		return compiled{}, err
	}
	around := s.until
	s.until = nil // what stays the same in the body is asked for by each element
	defer func() { s.until = around }()
	element := over.typ.Parameters()[0]
	item, restoreItem, err := s.declare(n, n.name, element)
	if err != nil {
		return compiled{}, err
	}
	defer restoreItem()
	accuType := n.typ
	if init.list == nil {
		accuType = init.typ
	}
	accu, restoreAccu, err := s.declare(n, n.text, accuType)
	if err != nil {
		return compiled{}, err
	}
	defer restoreAccu()

	each, err := s.iterate(n, over, element, item)
	if err != nil {
		return compiled{}, err
	}
	defer func() { s.depth-- }()
	each.keyed = s.keyed(n)
	if init.list != nil {
		return s.collect(n, each, accu)
	}
	step, err := s.compile(n.args[3])
	if err != nil {
		return compiled{}, err
	}
	result, err := s.compile(n.args[4])
	if err != nil {
		return compiled{}, err
	}
	switch slotKind(accuType) {
	case kindBoolean:
		condition, err := s.compile(n.args[2])
		return allOrExists(each, accu, init, condition, step, result), err
	case kindDecimal:
		return sum(each, accu, init, step), nil
	case kindInteger:
		return existsOne(each, accu, init, step, result), nil
	}
	return compiled{}, n.errorf("unsupported macro result %s", typeName(accuType))
}

// allOrExists runs all and exists. An element whose condition has no value does not end
// the loop: a later one may still decide.
func allOrExists(each iteration, accu int, init, condition, step, result compiled) compiled {
	return boolean(func(act *Activation) (bool, bool) {
		turn, ok := each.begin(act)
		if !ok {
			return false, false
		}
		if found, known := turn.state.knownFound(turn.key); known {
			return found, true
		}
		act.booleans[accu] = triOf(init.boolean(act))
		lists := act.scratch.used
		for i := range turn.length {
			act.scratch.used = lists // those of the element before are not needed any more
			if !each.next(act, turn.position(i)) {
				return false, false
			}
			act.booleans[accu] = triOf(step.boolean(act))
			if more, _ := condition.boolean(act); !more {
				break
			}
		}
		found, ok := result.boolean(act)
		if ok {
			turn.state.keepFound(turn.key, found)
		}
		return found, ok
	})
}

// sum runs the macro sum.
func sum(each iteration, accu int, init, step compiled) compiled {
	return compiled{typ: decimalType, decimal: func(act *Activation) (model.Decimal, bool) {
		turn, ok := each.begin(act)
		if !ok {
			return model.Decimal{}, false
		}
		if total, known := turn.state.knownSum(turn.key); known {
			return total, true
		}
		act.decimals[accu], _ = init.decimal(act)
		lists := act.scratch.used
		for i := range turn.length {
			act.scratch.used = lists
			if !each.next(act, turn.position(i)) {
				return model.Decimal{}, false
			}
			if act.decimals[accu], ok = step.decimal(act); !ok {
				return model.Decimal{}, false
			}
		}
		turn.state.keepSum(turn.key, act.decimals[accu])
		return act.decimals[accu], true
	}}
}

// existsOne runs exists_one.
func existsOne(each iteration, accu int, init, step, result compiled) compiled {
	return boolean(func(act *Activation) (bool, bool) {
		turn, ok := each.begin(act)
		if !ok {
			return false, false
		}
		act.integers[accu], _ = init.integer(act)
		lists := act.scratch.used
		for i := range turn.length {
			act.scratch.used = lists
			if !each.next(act, turn.position(i)) {
				return false, false
			}
			if act.integers[accu], ok = step.integer(act); !ok {
				return false, false
			}
		}
		return result.boolean(act)
	})
}

// An iteration goes through a list. The list is kept in the activation, at its
// depth, so that a loop allocates nothing.
type iteration struct {
	over  fn[list]
	depth int
	price int64 // of each element
	set   func(*Activation, *list, int)
	keyed *keyedLoop // nil unless elements can be found by a key
}

// begin evaluates the list.
func (it *iteration) begin(act *Activation) (t turn, ok bool) {
	l := &act.loops[it.depth]
	if it.keyed != nil {
		if t, ok = it.keyed.begin(act, l); ok || act.stopped() {
			return t, ok
		}
	}
	before := act.budget.Used()
	*l, ok = it.over(act)
	t.length = l.len()
	if ok && it.keyed != nil {
		it.keyed.visited(act, it, l, t.length, act.budget.Used()-before)
	}
	return t, ok
}

// next sets the variable to the i-th element; false stops the evaluation.
func (it *iteration) next(act *Activation, i int) bool {
	it.set(act, &act.loops[it.depth], i)
	return act.budget.Spend(it.price)
}

func (s *scope) iterate(at *node, over compiled, element *types.Type, item int) (iteration, error) {
	it := iteration{over: over.list, depth: s.depth, price: price(at.args[2]) + price(at.args[3]) - 1}
	if s.depth++; s.depth > slots {
		return it, at.errorf("more than %d nested loops", slots)
	}
	switch slotKind(element) {
	case kindObject:
		it.set = func(act *Activation, l *list, i int) { act.objects[item] = l.group(i) }
	case kindElement:
		it.set = func(act *Activation, l *list, i int) { act.elements[item] = l.items.elements[i] }
	case kindText:
		it.set = func(act *Activation, l *list, i int) { act.texts[item] = l.items.texts[i] }
	case kindDecimal:
		it.set = func(act *Activation, l *list, i int) { act.decimals[item] = l.items.decimals[i] }
	case kindInteger:
		it.set = func(act *Activation, l *list, i int) { act.integers[item] = l.items.integers[i] }
	default:
		return it, at.errorf("cannot go through a list of %s", typeName(element))
	}
	return it, nil
}

// collect runs filter and map, whose step is [condition ?] accu + [x] [: accu].
func (s *scope) collect(n *node, each iteration, accu int) (compiled, error) {
	appended, condition := n.args[3], fn[bool](nil)
	if appended.name == operators.Conditional {
		c, err := s.compile(appended.args[0])
		if err != nil {
			return compiled{}, err
		}
		condition, appended = c.boolean, appended.args[1]
	}
	value, err := s.compile(appended.args[1].args[0])
	if err != nil {
		return compiled{}, err
	}
	put, err := putter(appended, value)
	if err != nil {
		return compiled{}, err
	}
	return compiled{typ: types.NewListType(value.typ), list: func(act *Activation) (list, bool) {
		turn, ok := each.begin(act)
		if !ok {
			return list{}, false
		}
		// The slot is not the result: it may be used again before that is read.
		act.lists[accu] = list{}
		for i := range turn.length {
			if !each.next(act, turn.position(i)) {
				return list{}, false
			}
			take := true
			if condition != nil {
				if take, ok = condition(act); !ok {
					return list{}, false
				}
			}
			if take && !put(act, act.lists[accu].own(act)) {
				return list{}, false
			}
		}
		return act.lists[accu], true
	}}, nil
}
