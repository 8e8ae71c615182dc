package engine

import (
	"slices"

	"einvoice/model"

	"github.com/google/cel-go/common/types"
)

// comprehension compiles what the macros all, exists, exists_one, filter, map
// and sum expand to: a loop with one accumulator.
func (c *compiler) comprehension(n *node) (expr, error) {
	over, err := c.compile(n.args[0])
	if err != nil {
		return expr{}, err
	}
	init, err := c.compile(n.args[1])
	if err != nil {
		return expr{}, err
	}
	elem := over.typ.Parameters()[0]
	item, restoreItem, err := c.declare(n, n.name, elem)
	if err != nil {
		return expr{}, err
	}
	defer restoreItem()
	accuType := n.typ
	if init.list == nil {
		accuType = init.typ
	}
	accu, restoreAccu, err := c.declare(n, n.text, accuType)
	if err != nil {
		return expr{}, err
	}
	defer restoreAccu()

	each, err := c.iterate(n, over, elem, item)
	if err != nil {
		return expr{}, err
	}
	defer func() { c.depth-- }()
	if init.list != nil {
		return c.collect(n, each, accu, accuType)
	}
	step, err := c.compile(n.args[3])
	if err != nil {
		return expr{}, err
	}
	result, err := c.compile(n.args[4])
	if err != nil {
		return expr{}, err
	}
	switch slotKind(accuType) {
	case kindBoolean:
		return c.foldBoolean(n, each, accu, init, step, result)
	case kindDecimal:
		return expr{typ: decimalType, decimal: func(f *frame) (model.Decimal, bool) {
			length, ok := each.begin(f)
			f.decs[accu], _ = init.decimal(f)
			for i := 0; ok && i < length; i++ {
				if !each.next(f, i) {
					return model.Decimal{}, false
				}
				f.decs[accu], ok = step.decimal(f)
			}
			return f.decs[accu], ok
		}}, nil
	case kindInteger:
		return expr{typ: types.BoolType, boolean: func(f *frame) (bool, bool) {
			length, ok := each.begin(f)
			f.ints[accu], _ = init.integer(f)
			for i := 0; ok && i < length; i++ {
				if !each.next(f, i) {
					return false, false
				}
				f.ints[accu], ok = step.integer(f)
			}
			if !ok {
				return false, false
			}
			return result.boolean(f)
		}}, nil
	}
	return expr{}, n.errorf("unsupported macro result %s", typeName(accuType))
}

// foldBoolean runs all and exists. An element whose condition has no value
// does not end the loop: a later one may still decide.
func (c *compiler) foldBoolean(n *node, each iteration, accu int, init, step, result expr) (expr, error) {
	cond, err := c.compile(n.args[2])
	if err != nil {
		return expr{}, err
	}
	return expr{typ: types.BoolType, boolean: func(f *frame) (bool, bool) {
		length, ok := each.begin(f)
		if !ok {
			return false, false
		}
		f.bools[accu] = triOf(init.boolean(f))
		for i := range length {
			if !each.next(f, i) {
				return false, false
			}
			f.bools[accu] = triOf(step.boolean(f))
			if more, _ := cond.boolean(f); !more {
				break
			}
		}
		if f.stopped() {
			return false, false
		}
		return result.boolean(f)
	}}, nil
}

// An iteration goes through a list. The list it is at stands in the frame, at
// its depth, so that a loop allocates nothing.
type iteration struct {
	over  fn[list]
	depth int
	size  func(*list) int
	set   func(*frame, *list, int)
}

// begin evaluates the list and tells its length.
func (it *iteration) begin(f *frame) (n int, ok bool) {
	f.loops[it.depth], ok = it.over(f)
	return it.size(&f.loops[it.depth]), ok
}

// next sets the variable to the i-th element; false stops the evaluation.
func (it *iteration) next(f *frame, i int) bool {
	it.set(f, &f.loops[it.depth], i)
	return f.step()
}

func (c *compiler) iterate(at *node, over expr, elem *types.Type, item int) (iteration, error) {
	it := iteration{over: over.list, depth: c.depth}
	if c.depth++; c.depth > slots {
		return it, at.errorf("more than %d nested loops", slots)
	}
	switch slotKind(elem) {
	case kindObject:
		it.size = (*list).lenObjs
		it.set = func(f *frame, l *list, i int) { f.objs[item] = l.objAt(i) }
	case kindElement:
		it.size = func(l *list) int { return len(l.nodes) }
		it.set = func(f *frame, l *list, i int) { f.nodes[item] = l.nodes[i] }
	case kindText:
		it.size = func(l *list) int { return len(l.strs) }
		it.set = func(f *frame, l *list, i int) { f.strs[item] = l.strs[i] }
	case kindDecimal:
		it.size = func(l *list) int { return len(l.decs) }
		it.set = func(f *frame, l *list, i int) { f.decs[item] = l.decs[i] }
	default:
		return it, at.errorf("cannot go through a list of %s", typeName(elem))
	}
	return it, nil
}

// collect runs filter and map, whose step is [condition ?] accu + [x] [: accu].
func (c *compiler) collect(n *node, each iteration, accu int, accuType *types.Type) (expr, error) {
	appendCall, cond := n.args[3], fn[bool](nil)
	if appendCall.name == opConditional {
		condition, err := c.compile(appendCall.args[0])
		if err != nil {
			return expr{}, err
		}
		cond, appendCall = condition.boolean, appendCall.args[1]
	}
	added, err := c.compile(appendCall.args[1].args[0])
	if err != nil {
		return expr{}, err
	}
	put, err := c.putter(appendCall, added)
	if err != nil {
		return expr{}, err
	}
	return expr{typ: accuType, list: func(f *frame) (list, bool) {
		length, ok := each.begin(f)
		f.lists[accu] = list{picked: true}
		for i := 0; ok && i < length; i++ {
			if !each.next(f, i) {
				return list{}, false
			}
			take := true
			if cond != nil {
				take, ok = cond(f)
			}
			if take && ok {
				ok = put(f, &f.lists[accu])
			}
		}
		// The slot may be used again before this list is read.
		out := f.lists[accu]
		out.objs, out.strs = slices.Clip(out.objs), slices.Clip(out.strs)
		return out, ok
	}}, nil
}

func (c *compiler) putter(at *node, added expr) (func(*frame, *list) bool, error) {
	switch {
	case added.object != nil:
		return func(f *frame, l *list) bool {
			o, ok := added.object(f)
			l.objs = append(l.objs, o)
			return ok
		}, nil
	case added.text != nil:
		return func(f *frame, l *list) bool {
			s, ok := added.text(f)
			l.strs = append(l.strs, s)
			return ok
		}, nil
	case added.decimal != nil:
		return func(f *frame, l *list) bool {
			d, ok := added.decimal(f)
			l.decs = append(l.decs, d)
			return ok
		}, nil
	case added.element != nil:
		return func(f *frame, l *list) bool {
			n, ok := added.element(f)
			l.nodes = append(l.nodes, n)
			return ok
		}, nil
	}
	return nil, at.errorf("cannot make a list of %s", typeName(added.typ))
}
