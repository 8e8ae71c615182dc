package expr

import (
	"cmp"
	"slices"

	"einvoice/model"
	"einvoice/model/source"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
)

// Operators, by the names that cel-go gives them.
const (
	opAnd         = "_&&_"
	opOr          = "_||_"
	opNot         = "!_"
	opConditional = "_?_:_"
	opEqual       = "_==_"
	opNotEqual    = "_!=_"
	opIn          = "@in"
	opNegate      = "-_"
	opTruth       = "@not_strictly_false"
)

// arithmetic operators: exact on decimals, + also joins texts and lists.
var arithmetic = map[string]func(*Activation, model.Decimal, model.Decimal) (model.Decimal, bool){
	"_+_": func(_ *Activation, a, b model.Decimal) (model.Decimal, bool) { return a.Add(b), true },
	"_-_": func(_ *Activation, a, b model.Decimal) (model.Decimal, bool) { return a.Sub(b), true },
	"_*_": func(_ *Activation, a, b model.Decimal) (model.Decimal, bool) { return a.Mul(b), true },
	"_/_": func(act *Activation, a, b model.Decimal) (model.Decimal, bool) {
		q, err := a.Div(b)
		if err != nil {
			act.fail(errOther, nil, err.Error())
		}
		return q, err == nil
	},
}

// orderings decide on the outcome of a comparison.
var orderings = map[string]func(int) bool{
	"_<_":  func(c int) bool { return c < 0 },
	"_<=_": func(c int) bool { return c <= 0 },
	"_>_":  func(c int) bool { return c > 0 },
	"_>=_": func(c int) bool { return c >= 0 },
}

// numbers are the types that mix in arithmetic and comparison: a decimal term
// with an integer or decimal literal.
var numbers = []*types.Type{decimalType, types.IntType, types.DoubleType}

// operatorDeclarations tells the checker which operands each operator takes.
func operatorDeclarations() map[string][]cel.FunctionOpt {
	out := map[string][]cel.FunctionOpt{}
	add := func(name, id string, result *types.Type, args ...*types.Type) {
		out[name] = append(out[name], cel.Overload(name+id, args, result))
	}
	for _, name := range []string{opAnd, opOr} {
		add(name, "bool", types.BoolType, types.BoolType, types.BoolType)
	}
	for _, name := range []string{opNot, opTruth} {
		add(name, "bool", types.BoolType, types.BoolType)
	}
	add(opConditional, "any", anyType, types.BoolType, anyType, anyType)
	add(opIn, "list", types.BoolType, anyType, types.NewListType(anyType))
	for _, t := range numbers {
		add(opNegate, t.TypeName(), t, t)
	}
	for _, name := range []string{opEqual, opNotEqual} {
		for _, t := range []*types.Type{types.BoolType, types.StringType, dateType, elementType} {
			add(name, t.TypeName(), types.BoolType, t, t)
		}
		numberPairs(func(a, b *types.Type) { add(name, a.TypeName()+b.TypeName(), types.BoolType, a, b) })
	}
	for name := range orderings {
		numberPairs(func(a, b *types.Type) { add(name, a.TypeName()+b.TypeName(), types.BoolType, a, b) })
		add(name, "date", types.BoolType, dateType, dateType)
		add(name, "string", types.BoolType, types.StringType, types.StringType)
	}
	for name := range arithmetic {
		numberPairs(func(a, b *types.Type) {
			result := decimalType
			if a == types.IntType && b == types.IntType && name != "_/_" {
				result = types.IntType
			}
			add(name, a.TypeName()+b.TypeName(), result, a, b)
		})
	}
	add("_+_", "string", types.StringType, types.StringType, types.StringType)
	add("_+_", "list", types.NewListType(anyType), types.NewListType(anyType), types.NewListType(anyType))
	return out
}

func numberPairs(yield func(a, b *types.Type)) {
	for _, a := range numbers {
		for _, b := range numbers {
			yield(a, b)
		}
	}
}

// and is CEL's: false if either side is false, whatever the other is.
func and(a, b fn[bool]) fn[bool] {
	return func(act *Activation) (bool, bool) {
		x, okX := a(act)
		if okX && !x {
			return false, true
		}
		y, okY := b(act)
		if okY && !y {
			return false, !act.stopped()
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
			return true, !act.stopped()
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

func choose[T any](cond fn[bool], a, b fn[T]) fn[T] {
	if a == nil || b == nil {
		return nil
	}
	return func(act *Activation) (T, bool) {
		v, ok := cond(act)
		if !ok {
			var none T
			return none, false
		}
		if v {
			return a(act)
		}
		return b(act)
	}
}

func conditional(cond, a, b compiled) compiled {
	out := compiled{typ: a.typ}
	out.boolean = choose(cond.boolean, a.boolean, b.boolean)
	out.text = choose(cond.boolean, a.text, b.text)
	out.date = choose(cond.boolean, a.date, b.date)
	out.object = choose(cond.boolean, a.object, b.object)
	out.element = choose(cond.boolean, a.element, b.element)
	out.list = choose(cond.boolean, a.list, b.list)
	if a.integer != nil && b.integer != nil {
		out.integer = choose(cond.boolean, a.integer, b.integer)
	} else if asDecimal(a) != nil {
		out.typ, out.decimal = decimalType, choose(cond.boolean, asDecimal(a), asDecimal(b))
	}
	return out
}

// map1 and map2 lift a plain function to compiled expressions.
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

// equal compares two values of one type.
func equal(a, b compiled) fn[bool] {
	switch {
	case a.text != nil && b.text != nil:
		if s, ok := b.literal.(string); ok { // the usual case: a term against a code
			return map1(a.text, func(x string) bool { return x == s })
		}
		return map2(a.text, b.text, func(x, y string) bool { return x == y })
	case a.integer != nil && b.integer != nil:
		return map2(a.integer, b.integer, func(x, y int64) bool { return x == y })
	case asDecimal(a) != nil && asDecimal(b) != nil:
		return map2(asDecimal(a), asDecimal(b), model.Decimal.Equal)
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
		return map2(asDecimal(a), asDecimal(b), func(x, y model.Decimal) bool { return decide(x.Cmp(y)) })
	case a.date != nil && b.date != nil:
		return map2(a.date, b.date, func(x, y *model.Date) bool { return decide(x.Compare(*y)) })
	case a.text != nil && b.text != nil:
		return map2(a.text, b.text, func(x, y string) bool { return decide(cmp.Compare(x, y)) })
	}
	return nil
}

func contains(x, in compiled) fn[bool] {
	switch {
	case x.text != nil:
		return map2(x.text, in.list, func(s string, l list) bool { return slices.Contains(l.strs, s) })
	case asDecimal(x) != nil:
		return map2(asDecimal(x), in.list, func(d model.Decimal, l list) bool {
			return slices.ContainsFunc(l.decs, d.Equal)
		})
	}
	return nil
}

func compute(a, b compiled, op string) compiled {
	if a.integer != nil && b.integer != nil && op != "_/_" {
		return compiled{typ: types.IntType, integer: map2(a.integer, b.integer, integerArithmetic[op])}
	}
	if x, y := asDecimal(a), asDecimal(b); x != nil && y != nil {
		g := arithmetic[op]
		return compiled{typ: decimalType, decimal: func(act *Activation) (model.Decimal, bool) {
			v, ok := x(act)
			if !ok {
				return v, false
			}
			w, ok := y(act)
			if !ok {
				return w, false
			}
			return g(act, v, w)
		}}
	}
	if op == "_+_" && a.text != nil && b.text != nil {
		return compiled{typ: types.StringType, text: map2(a.text, b.text, func(x, y string) string { return x + y })}
	}
	if op == "_+_" && a.list != nil && b.list != nil {
		return compiled{typ: a.typ, list: map2(a.list, b.list, joinLists)}
	}
	return compiled{}
}

var integerArithmetic = map[string]func(int64, int64) int64{
	"_+_": func(a, b int64) int64 { return a + b },
	"_-_": func(a, b int64) int64 { return a - b },
	"_*_": func(a, b int64) int64 { return a * b },
}

func joinLists(a, b list) list {
	out := list{picked: true, strs: slices.Concat(a.strs, b.strs), decs: slices.Concat(a.decs, b.decs), nodes: slices.Concat(a.nodes, b.nodes)}
	for _, l := range []list{a, b} {
		for i := range l.lenObjs() {
			out.objs = append(out.objs, l.objAt(i))
		}
	}
	return out
}
