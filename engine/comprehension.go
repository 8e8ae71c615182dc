package engine

import (
	"slices"

	"einvoice/model"
	"einvoice/model/source"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
)

// comprehension compiles what the macros all, exists, exists_one, filter, map
// and sum expand to: a loop with one accumulator.
func (c *compiler) comprehension(e ast.Expr) (expr, error) {
	loop := e.AsComprehension()
	over, err := c.compile(loop.IterRange())
	if err != nil {
		return expr{}, err
	}
	init, err := c.compile(loop.AccuInit())
	if err != nil {
		return expr{}, err
	}
	elem := over.typ.Parameters()[0]
	item, restoreItem, err := c.declare(e, loop.IterVar(), elem)
	if err != nil {
		return expr{}, err
	}
	defer restoreItem()
	accuType := c.ast.GetType(e.ID())
	if init.list == nil {
		accuType = init.typ
	}
	accu, restoreAccu, err := c.declare(e, loop.AccuVar(), accuType)
	if err != nil {
		return expr{}, err
	}
	defer restoreAccu()

	next, err := c.iterate(e, over, elem, item)
	if err != nil {
		return expr{}, err
	}
	if init.list != nil {
		return c.collect(loop, next, accu, accuType)
	}
	step, err := c.compile(loop.LoopStep())
	if err != nil {
		return expr{}, err
	}
	result, err := c.compile(loop.Result())
	if err != nil {
		return expr{}, err
	}
	switch slotKind(accuType) {
	case kindBoolean:
		return c.foldBoolean(loop, next, accu, init, step, result)
	case kindDecimal:
		result.decimal = func(f *frame) (model.Decimal, bool) {
			f.decs[accu], _ = init.decimal(f)
			outer := f.decs[accu]
			ok := next(f, func() (more bool) {
				sum, ok := step.decimal(f)
				f.decs[accu] = sum
				return ok
			})
			outer = f.decs[accu]
			return outer, ok
		}
		return result, nil
	case kindInteger:
		inner := result
		count := func(f *frame) bool {
			f.ints[accu], _ = init.integer(f)
			return next(f, func() bool {
				n, ok := step.integer(f)
				f.ints[accu] = n
				return ok
			})
		}
		return expr{typ: types.BoolType, boolean: func(f *frame) (bool, bool) {
			if !count(f) {
				return false, false
			}
			return inner.boolean(f)
		}}, nil
	}
	return expr{}, c.errorf(e, "unsupported macro result %s", typeName(accuType))
}

// foldBoolean runs all and exists. An element whose condition has no value
// does not end the loop: a later one may still decide.
func (c *compiler) foldBoolean(loop ast.ComprehensionExpr, next iterator, accu int, init, step, result expr) (expr, error) {
	cond, err := c.compile(loop.LoopCondition())
	if err != nil {
		return expr{}, err
	}
	return expr{typ: types.BoolType, boolean: func(f *frame) (bool, bool) {
		f.bools[accu] = triOf(init.boolean(f))
		next(f, func() bool {
			f.bools[accu] = triOf(step.boolean(f))
			more, _ := cond.boolean(f)
			return more
		})
		if f.stopped() {
			return false, false
		}
		return result.boolean(f)
	}}, nil
}

// iterator calls body for each element until it returns false, and reports
// whether it reached the end.
type iterator func(f *frame, body func() bool) bool

func (c *compiler) iterate(at ast.Expr, over expr, elem *types.Type, item int) (iterator, error) {
	switch slotKind(elem) {
	case kindObject:
		return func(f *frame, body func() bool) bool {
			l, ok := over.list(f)
			if !ok {
				return false
			}
			for i, n := 0, l.lenObjs(); i < n; i++ {
				f.objs[item] = l.objAt(i)
				if !f.step() || !body() {
					return false
				}
			}
			return true
		}, nil
	case kindElement:
		return eachOf(over, func(l list) []source.Node { return l.nodes }, func(f *frame, n source.Node) { f.nodes[item] = n }), nil
	case kindText:
		return eachOf(over, func(l list) []string { return l.strs }, func(f *frame, s string) { f.strs[item] = s }), nil
	case kindDecimal:
		return eachOf(over, func(l list) []model.Decimal { return l.decs }, func(f *frame, d model.Decimal) { f.decs[item] = d }), nil
	}
	return nil, c.errorf(at, "cannot go through a list of %s", typeName(elem))
}

func eachOf[T any](over expr, items func(list) []T, set func(*frame, T)) iterator {
	return func(f *frame, body func() bool) bool {
		l, ok := over.list(f)
		if !ok {
			return false
		}
		for _, x := range items(l) {
			set(f, x)
			if !f.step() || !body() {
				return false
			}
		}
		return true
	}
}

// collect runs filter and map, whose step is [condition ?] accu + [x] [: accu].
func (c *compiler) collect(loop ast.ComprehensionExpr, next iterator, accu int, accuType *types.Type) (expr, error) {
	appendCall, cond := loop.LoopStep(), fn[bool](nil)
	if call := appendCall.AsCall(); call.FunctionName() == "_?_:_" {
		condition, err := c.compile(call.Args()[0])
		if err != nil {
			return expr{}, err
		}
		cond, appendCall = condition.boolean, call.Args()[1]
	}
	added, err := c.compile(appendCall.AsCall().Args()[1].AsList().Elements()[0])
	if err != nil {
		return expr{}, err
	}
	put, err := c.putter(appendCall, added)
	if err != nil {
		return expr{}, err
	}
	return expr{typ: accuType, list: func(f *frame) (list, bool) {
		f.lists[accu] = list{picked: true}
		ok := next(f, func() bool {
			if cond != nil {
				if take, ok := cond(f); !take {
					return ok
				}
			}
			return put(f, &f.lists[accu])
		})
		// The slot may be used again before this list is read.
		out := f.lists[accu]
		out.objs, out.strs = slices.Clip(out.objs), slices.Clip(out.strs)
		return out, ok
	}}, nil
}

func (c *compiler) putter(at ast.Expr, added expr) (func(*frame, *list) bool, error) {
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
	return nil, c.errorf(at, "cannot make a list of %s", typeName(added.typ))
}
