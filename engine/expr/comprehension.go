package expr

import (
	"slices"

	"einvoice/model"

	"github.com/google/cel-go/common/types"
)

// comprehension compiles what the macros all, exists, exists_one, filter, map
// and sum expand to: a loop with one accumulator.
func (s *scope) comprehension(n *node) (compiled, error) {
	over, err := s.compile(n.args[0])
	if err != nil {
		return compiled{}, err
	}
	init, err := s.compile(n.args[1])
	if err != nil {
		return compiled{}, err
	}
	elem := over.typ.Parameters()[0]
	item, restoreItem, err := s.declare(n, n.name, elem)
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

	each, err := s.iterate(n, over, elem, item)
	if err != nil {
		return compiled{}, err
	}
	defer func() { s.depth-- }()
	if init.list != nil {
		return s.collect(n, each, accu, accuType)
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
		return s.foldBoolean(n, each, accu, init, step, result)
	case kindDecimal:
		return compiled{typ: decimalType, decimal: func(act *Activation) (model.Decimal, bool) {
			length, ok := each.begin(act)
			act.decs[accu], _ = init.decimal(act)
			for i := 0; ok && i < length; i++ {
				if !each.next(act, i) {
					return model.Decimal{}, false
				}
				act.decs[accu], ok = step.decimal(act)
			}
			return act.decs[accu], ok
		}}, nil
	case kindInteger:
		return compiled{typ: types.BoolType, boolean: func(act *Activation) (bool, bool) {
			length, ok := each.begin(act)
			act.ints[accu], _ = init.integer(act)
			for i := 0; ok && i < length; i++ {
				if !each.next(act, i) {
					return false, false
				}
				act.ints[accu], ok = step.integer(act)
			}
			if !ok {
				return false, false
			}
			return result.boolean(act)
		}}, nil
	}
	return compiled{}, n.errorf("unsupported macro result %s", typeName(accuType))
}

// foldBoolean runs all and exists. An element whose condition has no value
// does not end the loop: a later one may still decide.
func (s *scope) foldBoolean(n *node, each iteration, accu int, init, step, result compiled) (compiled, error) {
	cond, err := s.compile(n.args[2])
	if err != nil {
		return compiled{}, err
	}
	return compiled{typ: types.BoolType, boolean: func(act *Activation) (bool, bool) {
		length, ok := each.begin(act)
		if !ok {
			return false, false
		}
		act.bools[accu] = triOf(init.boolean(act))
		for i := range length {
			if !each.next(act, i) {
				return false, false
			}
			act.bools[accu] = triOf(step.boolean(act))
			if more, _ := cond.boolean(act); !more {
				break
			}
		}
		if act.stopped() {
			return false, false
		}
		return result.boolean(act)
	}}, nil
}

// An iteration goes through a list. The list is kept in the activation, at
// its depth, so that a loop allocates nothing.
type iteration struct {
	over  fn[list]
	depth int
	size  func(*list) int
	set   func(*Activation, *list, int)
}

// begin evaluates the list and tells its length.
func (it *iteration) begin(act *Activation) (n int, ok bool) {
	act.loops[it.depth], ok = it.over(act)
	return it.size(&act.loops[it.depth]), ok
}

// next sets the variable to the i-th element; false stops the evaluation.
func (it *iteration) next(act *Activation, i int) bool {
	it.set(act, &act.loops[it.depth], i)
	return act.step()
}

func (s *scope) iterate(at *node, over compiled, elem *types.Type, item int) (iteration, error) {
	it := iteration{over: over.list, depth: s.depth}
	if s.depth++; s.depth > slots {
		return it, at.errorf("more than %d nested loops", slots)
	}
	switch slotKind(elem) {
	case kindObject:
		it.size = (*list).lenObjs
		it.set = func(act *Activation, l *list, i int) { act.objs[item] = l.objAt(i) }
	case kindElement:
		it.size = func(l *list) int { return len(l.nodes) }
		it.set = func(act *Activation, l *list, i int) { act.nodes[item] = l.nodes[i] }
	case kindText:
		it.size = func(l *list) int { return len(l.strs) }
		it.set = func(act *Activation, l *list, i int) { act.strs[item] = l.strs[i] }
	case kindDecimal:
		it.size = func(l *list) int { return len(l.decs) }
		it.set = func(act *Activation, l *list, i int) { act.decs[item] = l.decs[i] }
	default:
		return it, at.errorf("cannot go through a list of %s", typeName(elem))
	}
	return it, nil
}

// collect runs filter and map, whose step is [condition ?] accu + [x] [: accu].
func (s *scope) collect(n *node, each iteration, accu int, accuType *types.Type) (compiled, error) {
	appendCall, cond := n.args[3], fn[bool](nil)
	if appendCall.name == opConditional {
		condition, err := s.compile(appendCall.args[0])
		if err != nil {
			return compiled{}, err
		}
		cond, appendCall = condition.boolean, appendCall.args[1]
	}
	added, err := s.compile(appendCall.args[1].args[0])
	if err != nil {
		return compiled{}, err
	}
	put, err := s.putter(appendCall, added)
	if err != nil {
		return compiled{}, err
	}
	return compiled{typ: accuType, list: func(act *Activation) (list, bool) {
		length, ok := each.begin(act)
		act.lists[accu] = list{picked: true}
		for i := 0; ok && i < length; i++ {
			if !each.next(act, i) {
				return list{}, false
			}
			take := true
			if cond != nil {
				take, ok = cond(act)
			}
			if take && ok {
				ok = put(act, &act.lists[accu])
			}
		}
		// The slot may be used again before this list is read.
		out := act.lists[accu]
		out.objs, out.strs = slices.Clip(out.objs), slices.Clip(out.strs)
		return out, ok
	}}, nil
}

func (s *scope) putter(at *node, added compiled) (func(*Activation, *list) bool, error) {
	switch {
	case added.object != nil:
		return func(act *Activation, l *list) bool {
			o, ok := added.object(act)
			l.objs = append(l.objs, o)
			return ok
		}, nil
	case added.text != nil:
		return func(act *Activation, l *list) bool {
			s, ok := added.text(act)
			l.strs = append(l.strs, s)
			return ok
		}, nil
	case added.decimal != nil:
		return func(act *Activation, l *list) bool {
			d, ok := added.decimal(act)
			l.decs = append(l.decs, d)
			return ok
		}, nil
	case added.element != nil:
		return func(act *Activation, l *list) bool {
			n, ok := added.element(act)
			l.nodes = append(l.nodes, n)
			return ok
		}, nil
	}
	return nil, at.errorf("cannot make a list of %s", typeName(added.typ))
}
